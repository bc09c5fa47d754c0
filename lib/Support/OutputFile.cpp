// Writing files so that an error is not lost.
#include "lib/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"

namespace tilec {

llvm::Error takeStreamError(llvm::raw_ostream &os) {
  os.flush();
  auto *file = dynamic_cast<llvm::raw_fd_ostream *>(&os);
  if (!file || !file->has_error())
    return llvm::Error::success();
  std::error_code code = file->error();
  file->clear_error();
  return llvm::errorCodeToError(code);
}

llvm::Error writeFile(llvm::StringRef path, llvm::StringRef data) {
  if (path.empty())
    return llvm::errorCodeToError(std::make_error_code(std::errc::no_such_file_or_directory));
  auto write = [&](llvm::raw_ostream &os) {
    os << data;
    return takeStreamError(os);
  };
  // writeToOutput renames a new file to the path, which would put it in the place of a device.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) && !llvm::sys::fs::is_regular_file(status)) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    return code ? llvm::errorCodeToError(code) : write(os);
  }
  llvm::Error error = llvm::writeToOutput(path, write);
  // Without the path in front.
  return llvm::handleErrors(std::move(error), [](const llvm::FileError &file) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), file.messageWithoutFileInfo());
  });
}

} // namespace tilec
