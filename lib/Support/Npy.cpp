// NumPy's .npy format: a magic word, a Python dictionary as text, and the raw elements.
#include "lib/Support/FloatFormats.h"
#include "lib/Support/HostTensor.h"
#include "lib/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstring>

namespace tilec {
namespace {

constexpr llvm::StringLiteral kMagic("\x93NUMPY");

template <class... Parts>
llvm::Error npyError(llvm::StringRef name, Parts &&...parts) {
  std::string text = ("'" + name + "': ").str();
  ((text += parts), ...);
  return llvm::createStringError(text);
}

/// The three entries of the dictionary.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  HeaderParser(llvm::StringRef text) : rest(text) {}

  bool parse(Header &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!take("{"))
      return false;
    while (!take("}")) {
      std::string key;
      if (!parseString(key) || !take(":"))
        return false;
      if (key == "descr")
        hasDescr = parseString(header.descr);
      else if (key == "fortran_order")
        hasOrder = parseBool(header.fortranOrder);
      else if (key == "shape")
        hasShape = parseShape(header.shape);
      else
        return false;
      if (!take(",") && !rest.ltrim().starts_with("}"))
        return false;
    }
    return hasDescr && hasOrder && hasShape;
  }

private:
  bool take(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool parseString(std::string &text) {
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == llvm::StringRef::npos)
      return false;
    text = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }
  bool parseBool(bool &value) {
    value = take("True");
    return value || take("False");
  }
  bool parseShape(std::vector<int64_t> &shape) {
    if (!take("("))
      return false;
    while (!take(")")) {
      rest = rest.ltrim();
      uint64_t extent;
      if (rest.consumeInteger(10, extent) || extent > uint64_t(INT64_MAX))
        return false;
      take("L"); // Python 2 wrote long integers so.
      shape.push_back(static_cast<int64_t>(extent));
      if (!take(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  llvm::StringRef rest;
};

std::optional<DType> dtypeOf(llvm::StringRef code) {
  static constexpr std::pair<llvm::StringLiteral, DType> kCodes[] = {
      {"b1", DType::I1},  {"i1", DType::I8},   {"i2", DType::I16},  {"i4", DType::I32},
      {"i8", DType::I64}, {"u1", DType::U8},   {"u2", DType::U16},  {"u4", DType::U32},
      {"u8", DType::U64}, {"f2", DType::FP16}, {"f4", DType::FP32}, {"f8", DType::FP64}};
  for (const auto &[name, dtype] : kCodes)
    if (name == code)
      return dtype;
  return std::nullopt;
}

llvm::StringRef codeOf(DType dtype) {
  switch (dtype) {
  case DType::I1:
    return "|b1";
  case DType::I8:
    return "|i1";
  case DType::I16:
    return "<i2";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  case DType::U8:
    return "|u1";
  case DType::U16:
    return "<u2";
  case DType::U32:
    return "<u4";
  case DType::U64:
    return "<u8";
  case DType::FP16:
    return "<f2";
  case DType::FP64:
    return "<f8";
  default: // bf16 and fp8 are widened.
    return "<f4";
  }
}

/// The number of bytes of a shape, or nothing if it does not fit.
std::optional<uint64_t> byteCount(const Header &header, unsigned size) {
  uint64_t count = size;
  for (int64_t extent : header.shape)
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(extent), &count))
      return std::nullopt;
  return count;
}

/// Puts column-major elements into row-major order.
void reorder(HostTensor &tensor) {
  size_t rank = tensor.shape.size(), size = getByteSize(tensor.dtype);
  std::vector<uint8_t> source = tensor.bytes;
  std::vector<int64_t> index(rank, 0), strides(rank, 1);
  for (size_t d = 1; d < rank; ++d)
    strides[d] = strides[d - 1] * tensor.shape[d - 1];
  for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i) {
    int64_t from = 0;
    for (size_t d = 0; d < rank; ++d)
      from += index[d] * strides[d];
    std::memcpy(tensor.bytes.data() + i * size, source.data() + from * size, size);
    for (size_t d = rank; d-- > 0 && ++index[d] == tensor.shape[d];)
      index[d] = 0;
  }
}

} // namespace

llvm::Expected<HostTensor> parseNpy(llvm::ArrayRef<uint8_t> data, llvm::StringRef name) {
  llvm::StringRef text(reinterpret_cast<const char *>(data.data()), data.size());
  if (!text.starts_with(kMagic) || text.size() < 10)
    return npyError(name, "not a .npy file");
  unsigned major = data[6];
  if (major < 1 || major > 3)
    return npyError(name, "version ", std::to_string(major),
                    " of the .npy format; versions 1 to 3 can be read");
  size_t start = major == 1 ? 10 : 12;
  if (text.size() < start)
    return npyError(name, "the header is cut off");
  size_t length = data[8] | size_t(data[9]) << 8;
  if (major > 1)
    length |= size_t(data[10]) << 16 | size_t(data[11]) << 24;
  if (text.size() - start < length)
    return npyError(name, "the header is cut off");
  Header header;
  if (!HeaderParser(text.substr(start, length)).parse(header))
    return npyError(name, "the header is not one that NumPy writes for a plain array");

  llvm::StringRef code = header.descr;
  bool bigEndian = code.consume_front(">");
  if (!bigEndian && !code.consume_front("<") && !code.consume_front("|"))
    code.consume_front("=");
  std::optional<DType> dtype = dtypeOf(code);
  if (!dtype)
    return npyError(name, "elements of type '", header.descr,
                    "'; b1, i1 to i8, u1 to u8 and f2 to f8 can be read");
  unsigned size = getByteSize(*dtype);
  std::optional<uint64_t> bytes = byteCount(header, size);
  uint64_t present = text.size() - start - length;
  if (!bytes || *bytes > present)
    return npyError(name, "the file holds ", std::to_string(present), " bytes of elements, but ",
                    bytes ? "its shape needs " + std::to_string(*bytes)
                          : std::string("its shape needs more than there are addresses"));
  HostTensor tensor;
  tensor.dtype = *dtype;
  tensor.shape = std::move(header.shape);
  tensor.bytes.assign(data.begin() + start + length, data.begin() + start + length + *bytes);
  if (bigEndian)
    for (size_t i = 0; i < tensor.bytes.size(); i += size)
      std::reverse(tensor.bytes.begin() + i, tensor.bytes.begin() + i + size);
  if (*dtype == DType::I1)
    for (uint8_t &byte : tensor.bytes)
      byte = byte != 0;
  if (header.fortranOrder && tensor.shape.size() > 1)
    reorder(tensor);
  return tensor;
}

llvm::Expected<HostTensor> readNpy(llvm::StringRef path) {
  // A device does not end; a pipe does.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      llvm::is_contained(
          {llvm::sys::fs::file_type::character_file, llvm::sys::fs::file_type::block_file},
          status.type()))
    return npyError(path, "cannot be read: it is a device");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return npyError(path, "cannot be read: ", buffer.getError().message());
  return parseNpy(llvm::arrayRefFromStringRef((*buffer)->getBuffer()), path);
}

std::vector<uint8_t> formatNpy(const HostTensor &tensor) {
  llvm::StringRef code = codeOf(tensor.dtype);
  std::string text = ("{'descr': '" + code + "', 'fortran_order': False, 'shape': (").str();
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  text += tensor.shape.size() == 1 ? ",), }" : "), }";
  // Magic, version and length take 10 bytes; the elements begin at a multiple of 64.
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string head = kMagic.str();
  head += '\x01';
  head += '\x00';
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  head += text;

  std::vector<uint8_t> data(head.begin(), head.end());
  bool widens = isFloat(tensor.dtype) && code == "<f4" && tensor.dtype != DType::FP32;
  const HostTensor wide = widens ? convertTensor(tensor, DType::FP32) : HostTensor();
  const std::vector<uint8_t> &elements = widens ? wide.bytes : tensor.bytes;
  data.insert(data.end(), elements.begin(), elements.end());
  return data;
}

llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor) {
  std::vector<uint8_t> data = formatNpy(tensor);
  llvm::StringRef bytes(reinterpret_cast<const char *>(data.data()), data.size());
  if (llvm::Error error = writeFile(path, bytes))
    return npyError(path, "cannot be written: ", llvm::toString(std::move(error)));
  return llvm::Error::success();
}

} // namespace tilec
