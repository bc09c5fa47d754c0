// Host functions: tensor cores. The last lane to come computes for the whole warp.
#include "lib/Simulator/MatrixFormats.h"
#include "lib/Simulator/WarpGather.h"
#include "lib/Support/FloatFormats.h"

#include <cstring>

namespace tilec::sim {

namespace {

constexpr unsigned kRows = 16, kColumns = 8, kMostK = 32;

unsigned bytesOf(MatrixFormat format) {
  switch (format) {
  case MatrixFormat::TF32:
    return 4;
  case MatrixFormat::F16:
  case MatrixFormat::BF16:
    return 2;
  default:
    return 1;
  }
}

float decode(MatrixFormat format, const char *bytes) {
  uint32_t word = 0;
  memcpy(&word, bytes, bytesOf(format));
  switch (format) {
  case MatrixFormat::TF32: // the hardware ignores the low bits of an f32
    return bitCast<float>(word & ~0x1fffu);
  case MatrixFormat::F16:
    return decodeFP16(word);
  case MatrixFormat::BF16:
    return decodeBF16(word);
  case MatrixFormat::I8:
    return static_cast<int8_t>(word);
  case MatrixFormat::F8E4M3:
    return decodeFP8E4(word);
  case MatrixFormat::F8E5M2:
    return decodeFP8E5(word);
  }
  return 0;
}

// Fragments, as the PTX manual draws them for mma.m16n8k*. `pack` elements share a register; a lane
// is the row (for the right operand the column) lane / 4 and the register's number lane % 4.
struct Operands {
  float lhs[kRows][kMostK], rhs[kMostK][kColumns];
};

const char *fragment(const Warp &warp, unsigned lane, int offset) {
  return static_cast<const char *>(warp.slots[lane].data) + offset;
}

void readOperands(const Warp &warp, MatrixFormat lhs, MatrixFormat rhs, Operands &operands) {
  const unsigned bytes = bytesOf(lhs), pack = 4 / bytes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned outer = lane / 4, inner = lane % 4 * pack;
    for (unsigned i = 0; i < 4 * pack; ++i) {
      unsigned reg = i / pack;
      operands.lhs[outer + reg % 2 * 8][inner + i % pack + reg / 2 * 4 * pack] =
          decode(lhs, fragment(warp, lane, kLhsOffset) + i * bytes);
    }
    for (unsigned i = 0; i < 2 * pack; ++i)
      operands.rhs[inner + i % pack + i / pack * 4 * pack][outer] =
          decode(rhs, fragment(warp, lane, kRhsOffset) + i * bytes);
  }
}

/// Products are exact. They are added one after the other in order of k, beginning with the
/// accumulator, each sum rounded to f32; sums of f16 are rounded once more at the end. Integers
/// wrap around.
template <typename SumT, typename StoredT, typename ReadT, typename WriteT>
void multiply(Warp &warp, MatrixFormat lhs, MatrixFormat rhs, ReadT read, WriteT write) {
  Operands operands;
  readOperands(warp, lhs, rhs, operands);
  const unsigned k = 32 / bytesOf(lhs);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    StoredT stored[4];
    char *memory = const_cast<char *>(fragment(warp, lane, kAccOffset));
    memcpy(stored, memory, sizeof(stored));
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      SumT sum = read(stored[i]);
      for (unsigned step = 0; step < k; ++step)
        sum = static_cast<SumT>(sum + static_cast<double>(operands.lhs[row][step]) *
                                          operands.rhs[step][column]);
      stored[i] = write(sum);
    }
    memcpy(memory, stored, sizeof(stored));
  }
}

/// Sums of 32 products of bytes on top of a 32-bit integer: exact in double, then wrapped.
void multiplyIntegers(Warp &warp) {
  multiply<double, uint32_t>(
      warp, MatrixFormat::I8, MatrixFormat::I8,
      [](uint32_t bits) { return static_cast<double>(static_cast<int32_t>(bits)); },
      [](double sum) { return static_cast<uint32_t>(static_cast<int64_t>(sum)); });
}

LaneSlot slotWith(char *data) {
  LaneSlot slot = {};
  slot.data = data;
  return slot;
}

void mma(char *memory, uint32_t lhs, uint32_t rhs, uint32_t site) {
  gather(~0u, site, slotWith(memory), [=](Warp &warp) {
    auto left = static_cast<MatrixFormat>(lhs), right = static_cast<MatrixFormat>(rhs);
    if (left == MatrixFormat::I8)
      return multiplyIntegers(warp);
    multiply<float, float>(
        warp, left, right, [](float bits) { return bits; }, [](float sum) { return sum; });
  });
}

void mmaF16(char *memory, uint32_t lhs, uint32_t rhs, uint32_t site) {
  gather(~0u, site, slotWith(memory), [=](Warp &warp) {
    multiply<float, uint16_t>(
        warp, static_cast<MatrixFormat>(lhs), static_cast<MatrixFormat>(rhs),
        [](uint16_t bits) { return static_cast<float>(decodeFP16(bits)); },
        [](float sum) { return encodeFP16(sum); });
  });
}

/// What a lane brings to ldmatrix: its row, and where its words go.
struct MatrixRow {
  const char *row;
  char *words;
};

template <bool kTrans>
void ldmatrix(const char *row, uint32_t count, char *words, uint32_t site) {
  MatrixRow own{row, words};
  gather(~0u, site, slotWith(reinterpret_cast<char *>(&own)), [=](Warp &warp) {
    auto rowOf = [&](unsigned lane) {
      return static_cast<const MatrixRow *>(warp.slots[lane].data)->row;
    };
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (uint32_t matrix = 0; matrix < count; ++matrix)
        for (unsigned half = 0; half < 2; ++half) {
          const unsigned outer = lane / 4, inner = lane % 4 * 2 + half;
          const char *from = kTrans ? rowOf(8 * matrix + inner) + 2 * outer
                                    : rowOf(8 * matrix + outer) + 2 * inner;
          memcpy(static_cast<const MatrixRow *>(warp.slots[lane].data)->words + 4 * matrix +
                     2 * half,
                 from, 2);
        }
  });
}

const HostSymbol kSymbols[] = {
    {"tilec_sim_mma", reinterpret_cast<void *>(mma)},
    {"tilec_sim_mma_f16", reinterpret_cast<void *>(mmaF16)},
    {"tilec_sim_ldmatrix", reinterpret_cast<void *>(ldmatrix<false>)},
    {"tilec_sim_ldmatrix_trans", reinterpret_cast<void *>(ldmatrix<true>)},
};

} // namespace

llvm::ArrayRef<HostSymbol> getMatrixSymbols() { return kSymbols; }

} // namespace tilec::sim
