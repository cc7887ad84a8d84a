#include "trace/table/cell_text.h"

#include "trace/table/copy_table.h"
#include "trace/table/kernel_table.h"
#include "trace/table/operator_table.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::table {

namespace {

std::string word_of_call(const std::string& name) {
  WrittenTimeline written;
  written.call(name, 0, 10, 1);
  return device_word(written.timeline());
}

TEST(DeviceWord, IsThatOfTheCallsIntoTheirLibrary) {
  EXPECT_EQ(word_of_call("cudaLaunchKernel"), "CUDA");
  EXPECT_EQ(word_of_call("cuLaunchKernelEx"), "CUDA");
  EXPECT_EQ(word_of_call("hipExtModuleLaunchKernel"), "HIP");
  EXPECT_EQ(word_of_call("urEnqueueKernelLaunch"), "XPU");
  EXPECT_EQ(word_of_call("zeCommandListAppendLaunchKernel"), "XPU");
  EXPECT_EQ(word_of_call("customCall"), "Device");
}

TEST(DeviceWord, FallsBackToVersionsNamesAndMemory) {
  profile::Timeline timeline;
  EXPECT_EQ(device_word(timeline), "Device");
  timeline.memory.push_back({.device_type = 12});
  EXPECT_EQ(device_word(timeline), "XPU");
  timeline.devices.push_back({.name = "NVIDIA H100"});
  EXPECT_EQ(device_word(timeline), "CUDA");
  timeline.metadata["hip_runtime_version"] = "60241133";
  EXPECT_EQ(device_word(timeline), "HIP");
}

TEST(DeviceNames, SayHowManyThereAre) {
  profile::Timeline timeline;
  EXPECT_EQ(device_names(timeline), "");
  timeline.metadata["hip_runtime_version"] = "60241133";
  timeline.devices.push_back({.name = ""});
  EXPECT_EQ(device_names(timeline), "1 device (HIP)");
  timeline.devices.push_back({.name = ""});
  EXPECT_EQ(device_names(timeline), "2 devices (HIP)");
  timeline.devices.front().name = "AMD Instinct MI300X";
  EXPECT_EQ(device_names(timeline), "2 x AMD Instinct MI300X");
}

// Rows of ROCm stand in the categories of CUDA.
TEST(DeviceWord, StandsInTheTitlesOfColumns) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 100);
  written.call("hipLaunchKernel", 10, 5, 3);
  written.kernel("Cijk_gemm", 20, 50, 3);
  written.memory(12, 64, 1);
  const Table table = operator_table(written.input());
  std::vector<std::string> titles;
  for (const Column& column : table.columns) {
    titles.push_back(column.title);
    EXPECT_EQ(column.title.find("CUDA"), std::string::npos) << column.title;
  }
  EXPECT_EQ(titles[column_index(table, "self_device_time_total")], "Self HIP");
  EXPECT_EQ(titles[column_index(table, "device_memory_usage")], "HIP Mem");
  EXPECT_EQ(table.notes[1], "Self HIP time total: 50.000us");
}

TEST(DeviceWord, NamesTheActivityThatRecordsWhatIsMissing) {
  WrittenTimeline xpu;
  xpu.call("zeEventCreate", 0, 10, 1);
  EXPECT_NE(kernel_table(xpu.input()).reason.find("(ProfilerActivity.XPU)"), std::string::npos);
  EXPECT_NE(copy_table(xpu.input()).reason.find("(ProfilerActivity.XPU)"), std::string::npos);
  WrittenTimeline rocm;
  rocm.call("hipMalloc", 0, 10, 1);
  EXPECT_NE(kernel_table(rocm.input()).reason.find("(ProfilerActivity.CUDA)"), std::string::npos);
}

}  // namespace

}  // namespace tune::table
