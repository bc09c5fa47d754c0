// Prints the tables of tile-run.

#include "lib/Driver/RunReport.h"

#include "llvm/Support/Format.h"

#include <cmath>
#include <limits>

using namespace llvm;

namespace tilec {

/// Rows of text in columns that are as wide as their widest cell; the last column is not padded.
class Table {
public:
  explicit Table(std::vector<std::string> header) { addRow(std::move(header)); }
  void addRow(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(raw_ostream &os) const {
    std::vector<size_t> widths;
    for (const auto &row : rows)
      for (size_t i = 0; i != row.size(); ++i) {
        if (i == widths.size())
          widths.push_back(0);
        widths[i] = std::max(widths[i], row[i].size());
      }
    for (const auto &row : rows) {
      for (size_t i = 0; i != row.size(); ++i) {
        os << row[i];
        if (i + 1 != row.size())
          os.indent(widths[i] - row[i].size() + 2);
      }
      os << '\n';
    }
  }

private:
  std::vector<std::vector<std::string>> rows;
};

static std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

static std::string formatNumber(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.6g", value);
  return text;
}

void printLaunch(raw_ostream &os, const Device &device, const KernelMetadata &kernel,
                 const Grid &grid) {
  os << device.getDescription() << '\n'
     << "kernel '" << kernel.name << "', " << grid.x << " x " << grid.y << " x " << grid.z
     << " programs";
  if (device.getKind() != DeviceKind::Ref)
    os << " of " << kernel.numWarps << (kernel.numWarps == 1 ? " warp, " : " warps, ")
       << kernel.sharedBytes << " bytes of shared memory";
  os << "\n\n";
}

void printTensors(raw_ostream &os, ArrayRef<std::pair<std::string, HostTensor>> tensors) {
  Table table({"tensor", "type", "shape", "min", "max", "mean", "nan", "first elements"});
  for (const auto &[name, tensor] : tensors) {
    double least = std::numeric_limits<double>::infinity(), greatest = -least, sum = 0;
    int64_t nans = 0, count = tensor.getNumElements();
    for (int64_t i = 0; i != count; ++i) {
      double value = tensor.getFloat(i);
      if (std::isnan(value)) {
        ++nans;
        continue;
      }
      least = std::min(least, value);
      greatest = std::max(greatest, value);
      sum += value;
    }
    constexpr int64_t kShown = 4;
    std::string first;
    for (int64_t i = 0; i != std::min(count, kShown); ++i)
      first += (i ? " " : "") + formatNumber(tensor.getFloat(i));
    if (count > kShown)
      first += " ...";
    bool hasValues = count > nans;
    table.addRow({name, getName(tensor.dtype).str(), formatShape(tensor.shape),
                  hasValues ? formatNumber(least) : "-", hasValues ? formatNumber(greatest) : "-",
                  hasValues ? formatNumber(sum / double(count - nans)) : "-", std::to_string(nans),
                  first});
  }
  table.print(os);
}

void printComparison(raw_ostream &os, ArrayRef<ComparisonRow> rows) {
  os << '\n';
  Table table({"compared with ref", "max abs error", "max ulp", "mismatches", "rtol", "atol", ""});
  for (const ComparisonRow &row : rows)
    table.addRow({row.name, formatNumber(row.comparison.maxAbsError),
                  formatNumber(row.comparison.maxUlps), std::to_string(row.comparison.mismatches),
                  formatNumber(row.tolerance.relative), formatNumber(row.tolerance.absolute),
                  row.comparison.equal ? "ok" : "DIFFERS"});
  table.print(os);
  for (const ComparisonRow &row : rows)
    if (!row.comparison.equal)
      os << row.name << ": " << row.comparison.describe(row.shape) << '\n';
}

void printBench(raw_ostream &os, const BenchResult &result, uint64_t tensorBytes) {
  os << '\n'
     << formatNumber(result.median) << " ms, the median of " << result.launches << " launches ("
     << formatNumber(result.fastest) << " to " << formatNumber(result.slowest) << " ms)\n";
  if (result.median > 0)
    os << formatNumber(double(tensorBytes) / result.median / 1e6) << " GB/s if each of the "
       << tensorBytes << " bytes of the tensors moves once\n";
}

} // namespace tilec
