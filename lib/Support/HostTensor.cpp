// Element types, and access to the elements of a tensor in host memory.
#include "lib/Support/HostTensor.h"

#include "lib/Support/FloatFormats.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>
#include <cmath>
#include <cstring>

namespace tilec {
namespace {

constexpr DType kAllDTypes[] = {DType::I1,   DType::I8,      DType::I16,   DType::I32,
                                DType::I64,  DType::U8,      DType::U16,   DType::U32,
                                DType::U64,  DType::FP16,    DType::BF16,  DType::FP32,
                                DType::FP64, DType::FP8E4NV, DType::FP8E5, DType::FP8E4B15};

template <class T>
T loadAs(const std::vector<uint8_t> &bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void storeAs(std::vector<uint8_t> &bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

/// Truncates towards zero into [low, high]; NaN is 0. `end` is high + 1, which a double holds.
template <class T>
T saturate(double value, double low, double end, T lowest, T highest) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  return value < low ? lowest : value >= end ? highest : static_cast<T>(value);
}

template <class T>
T saturate(double value) {
  using Limits = std::numeric_limits<T>;
  return saturate<T>(value, static_cast<double>(Limits::min()), std::ldexp(1.0, Limits::digits),
                     Limits::min(), Limits::max());
}

/// A double next to `value` from which every narrow float rounds as from `value` itself.
double roundToOdd(int64_t value) {
  bool negative = value < 0;
  uint64_t magnitude = negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (magnitude >> 53)
    magnitude = (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
  double result = static_cast<double>(magnitude);
  return negative ? -result : result;
}

} // namespace

llvm::StringRef getName(DType dtype) {
  switch (dtype) {
  case DType::I1:
    return "i1";
  case DType::I8:
    return "i8";
  case DType::I16:
    return "i16";
  case DType::I32:
    return "i32";
  case DType::I64:
    return "i64";
  case DType::U8:
    return "u8";
  case DType::U16:
    return "u16";
  case DType::U32:
    return "u32";
  case DType::U64:
    return "u64";
  case DType::FP16:
    return "fp16";
  case DType::BF16:
    return "bf16";
  case DType::FP32:
    return "fp32";
  case DType::FP64:
    return "fp64";
  case DType::FP8E4NV:
    return "fp8e4nv";
  case DType::FP8E5:
    return "fp8e5";
  case DType::FP8E4B15:
    return "fp8e4b15";
  }
  return "";
}

std::optional<DType> parseDType(llvm::StringRef name) {
  for (DType dtype : kAllDTypes)
    if (getName(dtype) == name)
      return dtype;
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Cases({"int1", "bool"}, DType::I1)
      .Case("int8", DType::I8)
      .Case("int16", DType::I16)
      .Case("int32", DType::I32)
      .Case("int64", DType::I64)
      .Case("uint8", DType::U8)
      .Case("uint16", DType::U16)
      .Case("uint32", DType::U32)
      .Case("uint64", DType::U64)
      .Cases({"f16", "float16"}, DType::FP16)
      .Case("bfloat16", DType::BF16)
      .Cases({"f32", "float32"}, DType::FP32)
      .Cases({"f64", "float64"}, DType::FP64)
      .Case("float8e4nv", DType::FP8E4NV)
      .Case("float8e5", DType::FP8E5)
      .Case("float8e4b15", DType::FP8E4B15)
      .Default(std::nullopt);
}

std::string listDTypes() {
  std::string text;
  for (DType dtype : kAllDTypes)
    text += (text.empty() ? "" : ", ") + getName(dtype).str();
  return text;
}

unsigned getByteSize(DType dtype) {
  switch (dtype) {
  case DType::I1:
  case DType::I8:
  case DType::U8:
  case DType::FP8E4NV:
  case DType::FP8E5:
  case DType::FP8E4B15:
    return 1;
  case DType::I16:
  case DType::U16:
  case DType::FP16:
  case DType::BF16:
    return 2;
  case DType::I32:
  case DType::U32:
  case DType::FP32:
    return 4;
  case DType::I64:
  case DType::U64:
  case DType::FP64:
    return 8;
  }
  return 0;
}

bool isFloat(DType dtype) { return dtype >= DType::FP16; }
bool isSignedInt(DType dtype) { return dtype >= DType::I8 && dtype <= DType::I64; }

HostTensor::HostTensor(DType dtype, std::vector<int64_t> shape)
    : dtype(dtype), shape(std::move(shape)) {
  bytes.resize(static_cast<size_t>(getNumElements()) * getByteSize(dtype));
}

int64_t HostTensor::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

double HostTensor::getFloat(int64_t i) const {
  switch (dtype) {
  case DType::FP16:
    return decodeFP16(loadAs<uint16_t>(bytes, i));
  case DType::BF16:
    return decodeBF16(loadAs<uint16_t>(bytes, i));
  case DType::FP32:
    return loadAs<float>(bytes, i);
  case DType::FP64:
    return loadAs<double>(bytes, i);
  case DType::FP8E4NV:
    return decodeFP8E4(bytes[i]);
  case DType::FP8E5:
    return decodeFP8E5(bytes[i]);
  case DType::FP8E4B15:
    return decodeFP8E4B15(bytes[i]);
  case DType::U64:
    return static_cast<double>(loadAs<uint64_t>(bytes, i));
  default:
    return static_cast<double>(getInt(i));
  }
}

int64_t HostTensor::getInt(int64_t i) const {
  switch (dtype) {
  case DType::I1:
    return bytes[i] != 0;
  case DType::I8:
    return static_cast<int8_t>(bytes[i]);
  case DType::U8:
    return bytes[i];
  case DType::I16:
    return loadAs<int16_t>(bytes, i);
  case DType::U16:
    return loadAs<uint16_t>(bytes, i);
  case DType::I32:
    return loadAs<int32_t>(bytes, i);
  case DType::U32:
    return loadAs<uint32_t>(bytes, i);
  case DType::I64:
  case DType::U64:
    return loadAs<int64_t>(bytes, i);
  default:
    return saturate<int64_t>(getFloat(i));
  }
}

void HostTensor::setFloat(int64_t i, double value) {
  switch (dtype) {
  case DType::I1:
    bytes[i] = value != 0;
    return;
  case DType::I8:
    return storeAs(bytes, i, saturate<int8_t>(value));
  case DType::I16:
    return storeAs(bytes, i, saturate<int16_t>(value));
  case DType::I32:
    return storeAs(bytes, i, saturate<int32_t>(value));
  case DType::I64:
    return storeAs(bytes, i, saturate<int64_t>(value));
  case DType::U8:
    return storeAs(bytes, i, saturate<uint8_t>(value));
  case DType::U16:
    return storeAs(bytes, i, saturate<uint16_t>(value));
  case DType::U32:
    return storeAs(bytes, i, saturate<uint32_t>(value));
  case DType::U64:
    return storeAs(bytes, i, saturate<uint64_t>(value));
  case DType::FP16:
    return storeAs(bytes, i, encodeFP16(value));
  case DType::BF16:
    return storeAs(bytes, i, encodeBF16(value));
  case DType::FP32:
    return storeAs(bytes, i, static_cast<float>(value));
  case DType::FP64:
    return storeAs(bytes, i, value);
  case DType::FP8E4NV:
    bytes[i] = encodeFP8E4(value);
    return;
  case DType::FP8E5:
    bytes[i] = encodeFP8E5(value);
    return;
  case DType::FP8E4B15:
    bytes[i] = encodeFP8E4B15(value);
    return;
  }
}

void HostTensor::setInt(int64_t i, int64_t value) {
  if (dtype == DType::FP32)
    return storeAs(bytes, i, static_cast<float>(value));
  if (dtype == DType::FP64)
    return storeAs(bytes, i, static_cast<double>(value));
  if (isFloat(dtype))
    return setFloat(i, roundToOdd(value));
  if (dtype == DType::I1) {
    bytes[i] = value & 1;
    return;
  }
  // Hosts are little-endian: the low bytes come first.
  unsigned size = getByteSize(dtype);
  std::memcpy(bytes.data() + i * size, &value, size);
}

std::string HostTensor::describe() const {
  std::string text = getName(dtype).str() + "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

HostTensor convertTensor(const HostTensor &tensor, DType dtype) {
  HostTensor result(dtype, tensor.shape);
  for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i) {
    if (isFloat(tensor.dtype) || (tensor.dtype == DType::U64 && isFloat(dtype)))
      result.setFloat(i, tensor.getFloat(i));
    else
      result.setInt(i, tensor.getInt(i));
  }
  return result;
}

} // namespace tilec
