// The artifact as bytes: fixed little-endian header, then length-prefixed fields.

#include "lib/Device/Artifact.h"
#include "lib/Device/Device.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace tilec {

unsigned getSizeInBytes(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::I1:
  case ScalarKind::I8:
    return 1;
  case ScalarKind::I16:
  case ScalarKind::F16:
  case ScalarKind::BF16:
    return 2;
  case ScalarKind::I32:
  case ScalarKind::F32:
    return 4;
  case ScalarKind::Pointer:
  case ScalarKind::I64:
  case ScalarKind::F64:
    return 8;
  }
  return 0;
}

bool isFloat(ScalarKind kind) { return kind >= ScalarKind::F16; }
bool isInteger(ScalarKind kind) { return kind >= ScalarKind::I1 && kind <= ScalarKind::I64; }

const KernelMetadata *Artifact::findKernel(StringRef name) const {
  if (name.empty())
    return kernels.size() == 1 ? &kernels.front() : nullptr;
  auto it = find_if(kernels, [&](const KernelMetadata &kernel) { return kernel.name == name; });
  return it == kernels.end() ? nullptr : &*it;
}

Error makeNoKernelError(const Artifact &artifact, StringRef name) {
  std::string message;
  raw_string_ostream os(message);
  if (name.empty())
    os << "'" << artifact.sourceName << "' has " << artifact.kernels.size()
       << " kernels; name one of them";
  else
    os << "no kernel '" << name << "' in '" << artifact.sourceName << "'; it has";
  const char *separator = name.empty() ? ": " : " ";
  for (const KernelMetadata &kernel : artifact.kernels) {
    os << separator << "'" << kernel.name << "'";
    separator = ", ";
  }
  if (!name.empty() && artifact.kernels.empty())
    os << " none";
  return makeError(rt::Code::NotFound, message);
}

//===--- Serialization -----------------------------------------------------===//

namespace {

constexpr StringLiteral kMagic = "TILECART";
/// Grows with every change of the fields below.
constexpr uint32_t kFormatVersion = 1;
/// Magic, format version, checksum and size of what follows.
constexpr size_t kHeaderBytes = 8 + 4 + 8 + 8;

class Writer {
public:
  void number(uint64_t value) {
    char bytes[8];
    support::endian::write64le(bytes, value);
    text.append(bytes, sizeof bytes);
  }
  void string(StringRef value) {
    number(value.size());
    text.append(value.data(), value.size());
  }
  std::string text;
};

/// Reads what Writer wrote; after reading past the end everything is zero and `failed` is set.
class Reader {
public:
  explicit Reader(StringRef rest) : rest(rest) {}
  uint64_t number() {
    if (rest.size() < 8) {
      failed = true;
      return 0;
    }
    uint64_t value = support::endian::read64le(rest.data());
    rest = rest.drop_front(8);
    return value;
  }
  std::string string() {
    uint64_t size = number();
    if (size > rest.size()) {
      failed = true;
      return "";
    }
    std::string value = rest.take_front(size).str();
    rest = rest.drop_front(size);
    return value;
  }
  /// A number of items that take `itemBytes` or more each, so that damage cannot ask for memory.
  uint64_t count(uint64_t itemBytes) {
    uint64_t value = number();
    if (value > rest.size() / itemBytes)
      failed = true;
    return failed ? 0 : value;
  }
  bool atEnd() const { return rest.empty(); }
  bool failed = false;

private:
  StringRef rest;
};

void writeKernel(Writer &writer, const KernelMetadata &kernel) {
  writer.string(kernel.name);
  writer.number(kernel.numWarps);
  writer.number(kernel.sharedBytes);
  writer.number(kernel.params.size());
  for (const ParamMetadata &param : kernel.params) {
    writer.string(param.name);
    writer.string(param.type);
    writer.number(static_cast<uint64_t>(param.kind));
    writer.number(param.divisibility);
  }
}

KernelMetadata readKernel(Reader &reader) {
  KernelMetadata kernel;
  kernel.name = reader.string();
  kernel.numWarps = static_cast<unsigned>(reader.number());
  kernel.sharedBytes = reader.number();
  if (kernel.numWarps > 32 || !isPowerOf2_32(kernel.numWarps))
    reader.failed = true;
  for (uint64_t left = reader.count(32); left && !reader.failed; --left) {
    ParamMetadata param;
    param.name = reader.string();
    param.type = reader.string();
    uint64_t kind = reader.number();
    if (kind > static_cast<uint64_t>(ScalarKind::F64))
      reader.failed = true;
    param.kind = static_cast<ScalarKind>(kind);
    param.divisibility = reader.number();
    if (!isInt<32>(param.divisibility))
      reader.failed = true;
    kernel.params.push_back(std::move(param));
  }
  return kernel;
}

} // namespace

std::string Artifact::serialize() const {
  Writer fields;
  fields.string(sourceName);
  fields.string(target);
  fields.number(kernels.size());
  for (const KernelMetadata &kernel : kernels)
    writeKernel(fields, kernel);
  fields.string(ptx);
  fields.string(tileModule);
  fields.string(loweredModule);

  Writer blob;
  blob.text = kMagic.str();
  char version[4];
  support::endian::write32le(version, kFormatVersion);
  blob.text.append(version, sizeof version);
  blob.number(xxh3_64bits(fields.text));
  blob.number(fields.text.size());
  blob.text += fields.text;
  return std::move(blob.text);
}

Expected<Artifact> Artifact::deserialize(StringRef bytes) {
  auto fail = [](const Twine &why) {
    return makeError(rt::Code::BadArtifact, "cannot read the artifact: " + why);
  };
  if (!bytes.starts_with(kMagic))
    return fail("these bytes are none");
  if (bytes.size() < kHeaderBytes)
    return fail("it ends in its header");
  uint32_t version = support::endian::read32le(bytes.data() + 8);
  if (version != kFormatVersion)
    return fail("its format is " + Twine(version) + ", this tilec reads " + Twine(kFormatVersion));
  uint64_t checksum = support::endian::read64le(bytes.data() + 12);
  uint64_t size = support::endian::read64le(bytes.data() + 20);
  bytes = bytes.drop_front(kHeaderBytes);
  if (size != bytes.size())
    return fail("it has " + Twine(bytes.size()) + " bytes of " + Twine(size));
  if (xxh3_64bits(bytes) != checksum)
    return fail("its checksum is wrong");

  Reader reader(bytes);
  Artifact artifact;
  artifact.sourceName = reader.string();
  artifact.target = reader.string();
  for (uint64_t left = reader.count(32); left && !reader.failed; --left)
    artifact.kernels.push_back(readKernel(reader));
  artifact.ptx = reader.string();
  artifact.tileModule = reader.string();
  artifact.loweredModule = reader.string();
  if (reader.failed || !reader.atEnd())
    return fail("its fields do not fill it");
  return artifact;
}

} // namespace tilec
