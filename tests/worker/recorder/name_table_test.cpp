#include "worker/recorder/name_table.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::worker {
namespace {

// trace/table/flop_count.h has a formula for each of these and needs their inputs.
TEST(NameTable, KnowsWhoseInputsTellTheirOperations) {
  NameTable names;
  for (const char* const counted : {"aten::mm",
                                    "aten::bmm",
                                    "aten::native_layer_norm",
                                    "aten::embedding",
                                    "aten::_scaled_dot_product_flash_attention",
                                    "aten::_scaled_dot_product_flash_attention_backward",
                                    "aten::_scaled_dot_product_flash_attention_for_cpu",
                                    "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
                                    "aten::_scaled_dot_product_efficient_attention",
                                    "aten::_scaled_dot_product_efficient_attention_backward",
                                    "aten::_scaled_dot_product_cudnn_attention",
                                    "aten::_scaled_dot_product_cudnn_attention_backward"}) {
    EXPECT_TRUE(names.find_or_add(counted).counts_flops) << counted;
  }
  for (const char* const other : {"aten::matmul",
                                  "aten::linear",
                                  "aten::layer_norm",
                                  "aten::scaled_dot_product_attention",
                                  "aten::_scaled_dot_product_attention_math",
                                  "aten::embedding_dense_backward",
                                  "_backward"}) {
    EXPECT_FALSE(names.find_or_add(other).counts_flops) << other;
  }
}

}  // namespace
}  // namespace tune::worker
