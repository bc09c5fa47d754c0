// .npy files, against bytes as NumPy 1.24 wrote them.
#include "lib/Support/HostTensor.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <cmath>

#include <cstring>

using namespace tilec;

namespace {

/// A file with a header of the given text, padded as NumPy does.
std::vector<uint8_t> fileOf(std::string header, const std::vector<uint8_t> &elements,
                            unsigned version = 1) {
  size_t fixed = version == 1 ? 10 : 12;
  while ((fixed + header.size() + 1) % 64)
    header += ' ';
  header += '\n';
  std::vector<uint8_t> file = {0x93,
                               'N',
                               'U',
                               'M',
                               'P',
                               'Y',
                               uint8_t(version),
                               0,
                               uint8_t(header.size()),
                               uint8_t(header.size() >> 8)};
  if (version > 1)
    file.insert(file.end(), {0, 0});
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), elements.begin(), elements.end());
  return file;
}

std::string errorOf(const std::vector<uint8_t> &file) {
  auto tensor = parseNpy(file, "x.npy");
  return tensor ? "" : llvm::toString(tensor.takeError());
}

TEST(Npy, WritesWhatNumPyWrites) {
  // numpy.save of numpy.array([[1, 2, 3], [4, 5, 6]], dtype='<i2').
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
  std::vector<uint8_t> elements = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
  HostTensor tensor(DType::I16, {2, 3});
  for (int i = 0; i < 6; ++i)
    tensor.setInt(i, i + 1);
  auto file = formatNpy(tensor);
  EXPECT_EQ(file, fileOf(header, elements));
  EXPECT_EQ((file.size() - elements.size()) % 64, 0u);
  HostTensor scalar(DType::FP64, {}), vector(DType::U8, {1});
  EXPECT_EQ(formatNpy(scalar), fileOf("{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
                                      std::vector<uint8_t>(8, 0)));
  EXPECT_EQ(formatNpy(vector),
            fileOf("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", {0}));
}

TEST(Npy, EveryTypeComesBack) {
  for (DType dtype : {DType::I1, DType::I8, DType::I16, DType::I32, DType::I64, DType::U8,
                      DType::U16, DType::U32, DType::U64, DType::FP16, DType::FP32, DType::FP64}) {
    HostTensor tensor(dtype, {2, 1, 2});
    for (int i = 0; i < 4; ++i)
      tensor.setInt(i, dtype == DType::I1 ? i % 2 : 100 + i);
    auto back = parseNpy(formatNpy(tensor), "x.npy");
    ASSERT_TRUE(static_cast<bool>(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(back->dtype, dtype);
    EXPECT_EQ(back->shape, tensor.shape);
    EXPECT_EQ(back->bytes, tensor.bytes);
  }
}

TEST(Npy, NarrowFloatsAreWidenedWithoutLoss) {
  for (DType dtype : {DType::BF16, DType::FP8E4NV, DType::FP8E5, DType::FP8E4B15}) {
    HostTensor tensor(dtype, {256});
    for (int i = 0; i < 256; ++i)
      if (dtype == DType::BF16)
        tensor.setFloat(i, i * 1.5);
      else
        tensor.bytes[i] = static_cast<uint8_t>(i);
    auto back = parseNpy(formatNpy(tensor), "x.npy");
    ASSERT_TRUE(static_cast<bool>(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(back->dtype, DType::FP32);
    HostTensor narrow = convertTensor(*back, dtype);
    for (int i = 0; i < 256; ++i) {
      double want = tensor.getFloat(i);
      // No conversion gives the largest numbers of fp8e4b15.
      bool isMade = dtype != DType::FP8E4B15 || std::fabs(want) <= 1.75;
      if (want == want && want - want == 0 && isMade)
        EXPECT_EQ(narrow.getFloat(i), want);
    }
  }
}

TEST(Npy, ReadsOtherOrdersAndVersions) {
  std::string rest = "'shape': (2, 3)}";
  std::vector<uint8_t> columns = {1, 4, 2, 5, 3, 6};
  auto fortran =
      parseNpy(fileOf("{'descr': '|u1', 'fortran_order': True, " + rest, columns, 2), "x.npy");
  ASSERT_TRUE(static_cast<bool>(fortran)) << llvm::toString(fortran.takeError());
  EXPECT_EQ(fortran->bytes, (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  auto big = parseNpy(
      fileOf("{\"descr\": \">i4\", 'fortran_order': False, 'shape': (1L,), }", {0, 0, 1, 2}, 3),
      "x.npy");
  ASSERT_TRUE(static_cast<bool>(big)) << llvm::toString(big.takeError());
  EXPECT_EQ(big->getInt(0), 258);
}

TEST(Npy, BadFilesAreErrors) {
  EXPECT_EQ(errorOf({1, 2, 3}), "'x.npy': not a .npy file");
  EXPECT_EQ(errorOf(fileOf("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", {})),
            "'x.npy': elements of type '<c8'; b1, i1 to i8, u1 to u8 and f2 to f8 can be read");
  EXPECT_EQ(
      errorOf(fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", {1, 2, 3, 4})),
      "'x.npy': the file holds 4 bytes of elements, but its shape needs 12");
  EXPECT_EQ(errorOf(fileOf("{'descr': '<f4', 'fortran_order': False, "
                           "'shape': (4611686018427387904, 4611686018427387904), }",
                           {})),
            "'x.npy': the file holds 0 bytes of elements, but its shape needs more than there are "
            "addresses");
  EXPECT_EQ(
      errorOf(fileOf("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", {})),
      "'x.npy': the header is not one that NumPy writes for a plain array");
  auto cut = fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", {});
  for (size_t size = 0; size + 1 < cut.size(); ++size)
    EXPECT_NE(errorOf(std::vector<uint8_t>(cut.begin(), cut.begin() + size)), "") << size;
  cut[6] = 9;
  EXPECT_EQ(errorOf(cut), "'x.npy': version 9 of the .npy format; versions 1 to 3 can be read");
}

TEST(Npy, FilesOnDisk) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tilec", "npy", path));
  HostTensor tensor(DType::FP32, {5});
  tensor.setFloat(3, 2.5);
  llvm::Error error = writeNpy(path, tensor);
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  auto back = readNpy(path);
  ASSERT_TRUE(static_cast<bool>(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->bytes, tensor.bytes);
  llvm::sys::fs::remove(path);
  auto missing = readNpy(path);
  ASSERT_FALSE(static_cast<bool>(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "'" + path.str().str() + "': cannot be read: No such file or directory");
}

} // namespace
