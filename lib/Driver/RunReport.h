// The tables that tile-run prints.
#ifndef TILEC_LIB_DRIVER_RUNREPORT_H
#define TILEC_LIB_DRIVER_RUNREPORT_H

#include "lib/Driver/Run.h"

namespace tilec {

/// Two lines: the device; the kernel with grid, warps and shared memory.
void printLaunch(llvm::raw_ostream &os, const Device &device, const KernelMetadata &kernel,
                 const Grid &grid);

/// One line a tensor: type, shape, least, greatest and mean value, first elements. NaNs are counted
/// and left out of the three.
void printTensors(llvm::raw_ostream &os,
                  llvm::ArrayRef<std::pair<std::string, HostTensor>> tensors);

struct ComparisonRow {
  std::string name;
  std::vector<int64_t> shape;
  Tolerance tolerance;
  Comparison comparison;
};
/// One line a tensor, and for one that differs a second that says where.
void printComparison(llvm::raw_ostream &os, llvm::ArrayRef<ComparisonRow> rows);

/// The times, and the bandwidth if every byte of the tensors moves once.
void printBench(llvm::raw_ostream &os, const BenchResult &result, uint64_t tensorBytes);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_RUNREPORT_H
