#include "trace/table/flop_count.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::table {
namespace {

TEST(FlopCount, OfMatrixProducts) {
  EXPECT_EQ(flop_count("aten::mm", "[[64,512],[512,256]]", ""), 2 * 64 * 512 * 256);
  EXPECT_EQ(flop_count("aten::addmm", "[[256],[64,512],[512,256],[],[]]", ""), 2 * 64 * 512 * 256);
  EXPECT_EQ(flop_count("aten::bmm", "[[3,4,5],[3,5,6]]", ""), 2 * 3 * 4 * 5 * 6);
  EXPECT_EQ(flop_count("aten::baddbmm", "[[3,4,6],[3,4,5],[3,5,6]]", ""), 2 * 3 * 4 * 5 * 6);
}

TEST(FlopCount, OfElementwiseOperatorsIsTheirFirstInput) {
  EXPECT_EQ(flop_count("aten::mul", "[[8,10],[]]", ""), 80);
  EXPECT_EQ(flop_count("aten::add", "[[],[],[]]", ""), 1);
}

TEST(FlopCount, OfConvolutions) {
  // 7x7, stride 2, padding 3: 224 -> 112
  EXPECT_EQ(flop_count("aten::conv2d",
                       "[[32,3,224,224],[64,3,7,7],[],[],[],[],[]]",
                       R"(["","","","[2, 2]","[3, 3]","[1, 1]","1"])"),
            std::int64_t{2} * 32 * 112 * 112 * 7 * 7 * 3 * 64);
  // depthwise, dilation 2: 3x3 reaches over 5
  EXPECT_EQ(flop_count("aten::conv2d",
                       "[[1,8,16,16],[8,1,3,3],[8],[],[],[],[]]",
                       R"(["","","","[1, 1]","[0, 0]","[2, 2]","8"])"),
            std::int64_t{2} * 12 * 12 * 3 * 3 * 8 * 8 / 8);
}

TEST(FlopCount, OfFusedAttentionIsThatOfItsProducts) {
  const char* const kForward = "[[2,4,16,8],[2,4,32,8],[2,4,32,10],[],[]]";
  const char* const kBackward = "[[2,4,16,10],[2,4,16,8],[2,4,32,8],[2,4,32,10],[],[]]";
  for (const std::string back_end :
       {"flash_attention", "flash_attention_for_cpu", "efficient_attention", "cudnn_attention"}) {
    const std::string op = "aten::_scaled_dot_product_" + back_end;
    EXPECT_TRUE(has_flop_formula(op)) << op;
    EXPECT_EQ(flop_count(op, kForward, ""), 2 * 2 * 4 * 16 * 32 * (8 + 10)) << op;
    EXPECT_EQ(flop_count(op + "_backward", kBackward, ""), 2 * 2 * 4 * 16 * 32 * (3 * 8 + 2 * 10));
  }
  for (const char* const op : {"aten::scaled_dot_product_attention",
                               "aten::_scaled_dot_product_attention_math",
                               "aten::_scaled_dot_product_fused"}) {
    EXPECT_FALSE(has_flop_formula(op)) << op << ": it calls others";
  }
}

// The same products in two ways.
TEST(FlopCount, OfFusedAttentionIsThatOfComposedAttention) {
  const auto fused = flop_count(
      "aten::_scaled_dot_product_flash_attention", "[[2,4,16,8],[2,4,16,8],[2,4,16,8],[],[]]", "");
  const auto scores = flop_count("aten::bmm", "[[8,16,8],[8,8,16]]", "");
  const auto mixed = flop_count("aten::bmm", "[[8,16,16],[8,16,8]]", "");
  ASSERT_TRUE(fused && scores && mixed);
  EXPECT_EQ(*fused, *scores + *mixed);
}

TEST(FlopCount, OfLayerNormsAndEmbeddings) {
  EXPECT_EQ(flop_count("aten::native_layer_norm", "[[2,16,32],[],[32],[32],[]]", ""),
            5 * 2 * 16 * 32);
  EXPECT_EQ(flop_count("aten::native_layer_norm", "[[2,16,32],[],[],[],[]]", ""), 4 * 2 * 16 * 32);
  EXPECT_EQ(flop_count("aten::embedding", "[[256,32],[2,16],[],[],[]]", ""), 0);
  EXPECT_FALSE(flop_count("aten::embedding", "", ""));
  EXPECT_FALSE(flop_count("aten::native_layer_norm", "", ""));
}

TEST(FlopCount, NeedsWhatTheFormulaNeeds) {
  const char* const kAttention = "aten::_scaled_dot_product_flash_attention";
  EXPECT_FALSE(flop_count(kAttention, "[[2,4,16,8],[2,4,16,8]]", ""));
  EXPECT_FALSE(flop_count(kAttention, "[[4,16,8],[4,16,8],[4,16,8]]", ""));
  EXPECT_FALSE(flop_count(
      kAttention, "[[1,1,1,9223372036854775807],[1,1,1,1],[1,1,1,9223372036854775807]]", ""));
  EXPECT_FALSE(flop_count("aten::relu", "[[8,10]]", ""));
  EXPECT_FALSE(flop_count("aten::mm", "", ""));
  EXPECT_FALSE(flop_count("aten::mm", "[[64,512]]", ""));
  EXPECT_FALSE(flop_count("aten::mm", "[[64,512],[512]]", ""));
  EXPECT_FALSE(flop_count("aten::add", "[[[2,3],[4]],[]]", ""));
  EXPECT_FALSE(flop_count("aten::add", "[[3000000000,3000000000,3000000000]]", ""));
  const char* const kDims = "[[32,3,224,224],[64,3,7,7],[],[],[],[],[]]";
  EXPECT_FALSE(flop_count("aten::conv2d", kDims, ""));
  EXPECT_FALSE(flop_count("aten::conv2d", kDims, R"(["","","","[1, 1]","same","[1, 1]","1"])"));
  EXPECT_FALSE(flop_count("aten::conv2d", kDims, R"(["","","","[0, 0]","[3, 3]","[1, 1]","1"])"));
  EXPECT_FALSE(flop_count("aten::conv2d", kDims, R"(["","","","[1, 1]","[3, 3]","[1, 1]","0"])"));
  constexpr const char* kEndless = "9223372036854775807";
  const std::string huge = std::string("[1, ") + kEndless + "]";
  const std::string sizes = std::string("[[1,1,") + kEndless + ",1],[1,1,3,3]]";
  const std::string fits = R"("[1, 1]","[0, 0]","[1, 1]","1"])";
  EXPECT_FALSE(flop_count("aten::conv2d", sizes, R"(["","","",)" + fits));
  EXPECT_FALSE(
      flop_count("aten::conv2d", kDims, R"(["","","","[1, 1]",")" + huge + R"(","[1, 1]","1"])"));
  EXPECT_FALSE(
      flop_count("aten::conv2d", kDims, R"(["","","","[1, 1]","[3, 3]",")" + huge + R"(","1"])"));
}

}  // namespace
}  // namespace tune::table
