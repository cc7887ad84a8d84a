#include "worker/cuda/activity_buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace tune::worker {
namespace {

constexpr ActivityBuffers::Limits kSmall = {.buffer_bytes = 4'096, .ready = 1, .most = 2};

bool is_zero(const std::uint8_t* begin, std::size_t bytes) {
  return std::all_of(begin, begin + bytes, [](std::uint8_t byte) { return byte == 0; });
}

TEST(ActivityBuffers, AreAlignedAndZeroed) {
  ActivityBuffers buffers(kSmall);
  std::uint8_t* const buffer = buffers.request();
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer) % 64, 0U);
  EXPECT_TRUE(is_zero(buffer, kSmall.buffer_bytes));
}

TEST(ActivityBuffers, BeyondTheMostThereIsNoneAndThatIsCounted) {
  ActivityBuffers buffers(kSmall);
  std::uint8_t* const first = buffers.request();
  EXPECT_NE(buffers.request(), nullptr);
  EXPECT_EQ(buffers.request(), nullptr);
  EXPECT_EQ(buffers.denied(), 1U);
  EXPECT_EQ(buffers.made(), 2U);
  buffers.complete(first, 0);
  EXPECT_EQ(buffers.request(), first) << "an empty returned buffer is available at once";
}

TEST(ActivityBuffers, WhatCameBackWithoutRecordsIsZeroedToo) {
  ActivityBuffers buffers(kSmall);
  std::uint8_t* const buffer = buffers.request();
  std::memset(buffer + 64, 7, 128);  // unfinished records
  buffers.complete(buffer, 0);
  ASSERT_EQ(buffers.request(), buffer);
  EXPECT_TRUE(is_zero(buffer, kSmall.buffer_bytes));
}

TEST(ActivityBuffers, WhatIsFilledStaysUntilItIsReleasedAndIsZeroedThen) {
  ActivityBuffers buffers(kSmall);
  std::uint8_t* const buffer = buffers.request();
  std::memset(buffer, 7, 128);
  buffers.complete(buffer, 128);
  const auto filled = buffers.take_filled();
  ASSERT_EQ(filled.size(), 1U);
  EXPECT_EQ(filled[0].begin, buffer);
  EXPECT_EQ(filled[0].bytes, 128U);
  EXPECT_EQ(buffer[127], 7);
  EXPECT_TRUE(buffers.take_filled().empty());
  buffers.release(filled);
  EXPECT_EQ(buffers.request(), buffer);
  EXPECT_TRUE(is_zero(buffer, kSmall.buffer_bytes));
}

TEST(ActivityBuffers, ComeBackInTheirOrderAndNothingIsNoBuffer) {
  ActivityBuffers buffers(kSmall);
  std::uint8_t* const first = buffers.request();
  std::uint8_t* const second = buffers.request();
  buffers.complete(second, 8);
  buffers.complete(nullptr, 8);
  buffers.complete(first, 16);
  const auto filled = buffers.take_filled();
  ASSERT_EQ(filled.size(), 2U);
  EXPECT_EQ(filled[0].begin, second);
  EXPECT_EQ(filled[1].begin, first);
}

}  // namespace
}  // namespace tune::worker
