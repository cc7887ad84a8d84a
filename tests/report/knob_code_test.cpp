#include "report/knob_code.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

const result::Setting kChanged = {{"amp", std::string("bf16")},
                                  {"batch_size", std::int64_t{64}},
                                  {"num_workers", std::int64_t{4}}};

TEST(KnobCode, LoaderOptionsAreOneCall) {
  const std::string python = setting_code(kChanged, {.device = "cpu"}, Language::python);
  EXPECT_TRUE(
      python.starts_with("loader = DataLoader(dataset, batch_size=64, num_workers=4, ...)\nwith "
                         "torch.autocast('cpu', "))
      << python;
  const std::string cpp = setting_code(kChanged, {.device = "cuda"}, Language::cpp);
  EXPECT_NE(cpp.find("DataLoaderOptions().batch_size(64).workers(4);"), std::string::npos) << cpp;
  EXPECT_NE(cpp.find("set_autocast_enabled(at::kCUDA, true)"), std::string::npos) << cpp;
}

TEST(KnobCode, AKnobWithoutCodeIsAComment) {
  const result::Setting own = {{"sdpa", std::string("math")}};
  EXPECT_EQ(setting_code(own, {.device = "cpu"}, Language::python), "# sdpa: math");
  EXPECT_EQ(setting_code(own, {.device = "cpu"}, Language::cpp), "// sdpa: math");
}

TEST(KnobCode, NamesTheOptimizerThatWasSeen) {
  const result::Setting fused = {{"optimizer_impl", std::string("fused")}};
  const auto code = [&](const std::string& optimizer) {
    return setting_code(fused, {.device = "cuda", .optimizer = optimizer}, Language::python);
  };
  EXPECT_EQ(code("SGD"), "optimizer = torch.optim.SGD(..., fused=True)");
  EXPECT_EQ(code("FusedLamb"), "optimizer = FusedLamb(..., fused=True)");
  EXPECT_EQ(code(""), "optimizer = YourOptimizer(..., fused=True)");
}

TEST(KnobCode, APatchHasTheOldValueAndTheNew) {
  EXPECT_EQ(setting_patch({{"num_workers", std::int64_t{4}}}, {{"num_workers", std::int64_t{0}}}),
            " baseline:\n-  num_workers: 0\n+  num_workers: 4\n");
  EXPECT_EQ(setting_patch({}, {}), "");
}

}  // namespace
}  // namespace tune::report
