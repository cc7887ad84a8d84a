#include "difficult_results.h"
#include "drawing_check.h"
#include "live_section.h"
#include "report/head_room.h"
#include "report/headline.h"
#include "sample_advice.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::report {
namespace {

using campaign::CampaignResult;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HeadRoom, IsWhatTheLimitLeaves) {
  CampaignResult result = sample_result();
  const campaign::CellResult& baseline = *conclude(result).baseline;
  EXPECT_EQ(head_room_text(result, baseline), "701 MiB of 16.00 GiB (4.3 %), 15.32 GiB left");
  result.machine.memory_limit_bytes = 0;
  EXPECT_TRUE(contains(head_room_text(result, baseline), "the limit is not known"));
  result.machine.memory_limit_bytes = 1;
  EXPECT_TRUE(contains(head_room_text(result, baseline), "0 B left"));
  EXPECT_EQ(head_room_text(result, campaign::CellResult{}), "not measured");
}

TEST(HeadRoom, OnAGpuIsThatOfItsMemory) {
  CampaignResult result = sample_result();
  for (campaign::TrialRecord& record : result.trials) {
    if (record.outcome.reply) {
      record.outcome.reply->facts.gpu = trial::GpuFacts{.memory_bytes = std::int64_t{8} << 30};
      record.outcome.reply->device_memory = trial::DeviceMemory{.peak_allocated_bytes = 1 << 30};
    }
  }
  EXPECT_EQ(memory_limit_bytes(result), std::int64_t{8} << 30);
  const std::string text = text_of(live_markup(run_memory_section, result));
  EXPECT_TRUE(contains(text, "left of the GPU (8.00 GiB)")) << text;
  EXPECT_TRUE(contains(text, "LibTorch's memory on the GPU"));
}

TEST(MemorySection, ShowsCurvesKernelsOperatorsAndNumbers) {
  const Markup section = live_markup(run_memory_section, diagnosed_result());
  const std::string text = text_of(section);
  EXPECT_EQ(elements_of(section, "svg"), 2U) << "a curve of each recorded setting";
  EXPECT_TRUE(contains(text, "Kernels by time over the recorded steps, baseline"));
  EXPECT_TRUE(contains(text, "void gemm<float, 128>(Params)"));
  EXPECT_TRUE(contains(text, "relu & friends"));
  EXPECT_TRUE(contains(text, "Operators over the recorded steps, baseline"));
  EXPECT_TRUE(contains(text, "partition_data_loading_ratio"));
  EXPECT_TRUE(contains(text, "1 setting ran out of memory"));
}

TEST(MemorySection, SaysWhatIsMissing) {
  for (const auto& [name, result] : difficult_results()) {
    EXPECT_TRUE(contains(text_of(live_markup(run_memory_section, result)), "Device and memory"))
        << name;
  }
  const std::string text = text_of(live_markup(run_memory_section, empty_result()));
  EXPECT_TRUE(contains(text, "no trial of the baseline completed"));
  EXPECT_TRUE(contains(text, "need recorded steps"));
}

}  // namespace
}  // namespace tune::report
