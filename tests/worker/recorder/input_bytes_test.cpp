#include "worker/recorder/input_bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace tune::worker {
namespace {

const std::vector<std::string> kTypes = {"unsigned char", "float"};

// What a call with these inputs looks like in a trace.
InputTexts texts(const std::function<void(InputBytes&)>& fill) {
  std::array<std::uint8_t, 4096> buffer{};
  InputBytes bytes(buffer);
  fill(bytes);
  EXPECT_GT(bytes.size(), 0U);
  return input_texts(std::span(buffer).first(bytes.size()), kTypes);
}

TEST(InputBytes, BecomeTheTextsOfTorchProfiler) {
  const std::array<std::int64_t, 2> sizes = {8, 3}, strides = {3, 1};
  const InputTexts read = texts([&](InputBytes& bytes) {
    bytes.add(TensorShape{1, sizes, strides});
    bytes.add_nothing();
    bytes.add(std::int64_t{-2});
    bytes.add(true);
    bytes.add(0.5);
    bytes.begin_list(InputKind::whole_list, 2);
    bytes.put_number(std::int64_t{1});
    bytes.put_number(std::int64_t{2});
  });
  EXPECT_EQ(read.dims, "[[8,3],[],[],[],[],[]]");
  EXPECT_EQ(read.strides, "[[3,1],[],[],[],[],[]]");
  EXPECT_EQ(read.types, R"(["float","","Scalar","Scalar","Scalar","ScalarList"])");
  EXPECT_EQ(read.concrete, R"(["","","-2","True","0.5","[1, 2]"])");
}

TEST(InputBytes, ListsOfTensorsKeepTheShapeOfEach) {
  const std::array<std::int64_t, 1> first = {4}, one = {1};
  const InputTexts read = texts([&](InputBytes& bytes) {
    bytes.begin_list(InputKind::tensor_list, 2);
    bytes.put_shape({1, first, one});
    bytes.put_shape({1, {}, {}});
    bytes.begin_list(InputKind::tensor_list, 0);
  });
  EXPECT_EQ(read.dims, "[[[4],[]],[]]");
  EXPECT_EQ(read.types, R"(["TensorList","TensorList"])");
  EXPECT_EQ(read.concrete, R"(["",""])");
}

TEST(InputBytes, ListsOfFlagsAndRealNumbers) {
  const InputTexts read = texts([&](InputBytes& bytes) {
    bytes.begin_list(InputKind::flag_list, 2);
    bytes.put_number(true);
    bytes.put_number(false);
    bytes.begin_list(InputKind::real_list, 2);
    bytes.put_number(2.0);
    bytes.put_number(1e-30);
  });
  EXPECT_EQ(read.concrete, R"(["[True, False]","[2., 1e-30]"])");
}

TEST(InputBytes, ATypeThatNobodyKnowsIsEmpty) {
  const InputTexts read = texts([&](InputBytes& bytes) {
    bytes.add(TensorShape{99, {}, {}});
    bytes.add(TensorShape{-1, {}, {}});
  });
  EXPECT_EQ(read.types, R"(["",""])");
}

TEST(InputBytes, NoticeWhatDoesNotFit) {
  std::array<std::uint8_t, 20> buffer{};
  InputBytes bytes(buffer);
  bytes.add(std::int64_t{1});
  EXPECT_EQ(bytes.size(), 9U);
  bytes.add(std::int64_t{2});
  EXPECT_EQ(bytes.size(), 18U);
  bytes.add(std::int64_t{3});
  EXPECT_EQ(bytes.size(), 0U);
  bytes.add_nothing();
  EXPECT_EQ(bytes.size(), 0U) << "later inputs would take the place of the one that does not fit";
}

}  // namespace
}  // namespace tune::worker
