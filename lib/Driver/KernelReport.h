// What `tilec --list-kernels` and `tilec --check` say of a file.
#ifndef TILEC_LIB_DRIVER_KERNELREPORT_H
#define TILEC_LIB_DRIVER_KERNELREPORT_H

#include "lib/Driver/CommandLine.h"
#include "lib/Driver/Compiler.h"
#include "lib/Frontend/MLIRGen/KernelList.h"

namespace tilec {

/// The kernels of a file, or why they cannot be listed.
struct KernelListing {
  bool succeeded = false;
  std::unique_ptr<SourceManager> sources;
  std::unique_ptr<DiagnosticEngine> diagnostics;
  std::vector<KernelDescription> kernels;
};
KernelListing listFileKernels(llvm::StringRef path, const CompileOptions &options);

/// Prints a listing for people, or as JSON by the schema in docs/command-line.md.
void printKernels(llvm::raw_ostream &os, const KernelListing &listing);
void printKernelsAsJson(llvm::raw_ostream &os, llvm::StringRef path, const KernelListing &listing);

/// Compiles every kernel whose types are known and says what the others lack. Returns the exit
/// status: 1 if a kernel fails to compile.
int checkKernels(llvm::StringRef path, const CompileOptions &options, const ToolStreams &streams,
                 const RenderOptions &rendering);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_KERNELREPORT_H
