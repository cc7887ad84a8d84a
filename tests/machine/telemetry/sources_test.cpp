#include "base/clock.h"
#include "machine/cpu_list.h"
#include "machine/telemetry/gpu_source.h"
#include "machine/telemetry/host_sources.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <unistd.h>

namespace tune::telemetry {
namespace {

namespace fs = std::filesystem;

class SourcesTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  const fs::path root_ = fs::path(testing::TempDir()) /
                         ("tune-sources-" + std::to_string(getpid()) + "-" +
                          testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::map<std::string, double> read(Source& source, std::int64_t now_ns = 1'000'000'000) {
  std::vector<double> values(source.series().size(), std::nan(""));
  source.sample(now_ns, values);
  std::map<std::string, double> named;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const SeriesInfo& info = source.series()[i];
    named[info.id + (info.label.empty() ? "" : " " + info.label)] = values[i];
  }
  return named;
}

TEST_F(SourcesTest, CpusAreSummedAndToldOneByOne) {
  write("proc/stat", "cpu0 1 0 0 5 1 0 0 0\ncpu1 3 0 0 5 0 0 0 2\ncpu2 9 9 9 9 9 9 9 9\n");
  CpuSource source({1, 0}, root_);
  const double tick_ns = 1e9 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto values = read(source);
  EXPECT_EQ(values.size(), 6U);
  EXPECT_DOUBLE_EQ(values.at("cpu_busy_ratio"), 4 * tick_ns);
  EXPECT_DOUBLE_EQ(values.at("io_wait_ratio"), tick_ns);
  EXPECT_DOUBLE_EQ(values.at("steal_ratio"), 2 * tick_ns);
  EXPECT_DOUBLE_EQ(values.at("cpu_busy_ratio cpu1"), 3 * tick_ns);
  EXPECT_DOUBLE_EQ(source.series().at(0).factor, 0.5e-9) << "of two CPUs";
  write("proc/stat", "cpu0 1 0 0 5 1 0 0 0\n");
  EXPECT_TRUE(std::isnan(read(source).at("cpu_busy_ratio"))) << "a CPU went offline";
}

TEST_F(SourcesTest, OfManyCpusOnlySomeAreToldOneByOne) {
  std::vector<int> cpus(500);
  std::iota(cpus.begin(), cpus.end(), 0);
  const CpuSource source(cpus, root_);
  EXPECT_EQ(source.series().size(), 4 + CpuSource::kMostCpus);
  EXPECT_NE(source.series().at(0).reason.find("proc/stat: No such file"), std::string::npos);
}

TEST_F(SourcesTest, OnAMachineThatShowsNothingEverySeriesHasItsReason) {
  for (const auto& source : make_host_sources({0, 1}, root_)) {
    EXPECT_FALSE(source->series().empty());
    for (const SeriesInfo& info : source->series()) {
      EXPECT_NE(info.reason, "") << info.id;
    }
    for (const auto& [name, value] : read(*source)) {
      EXPECT_TRUE(std::isnan(value)) << name << " is missing, never 0";
    }
  }
}

TEST_F(SourcesTest, TheHostIsReadInItsUnits) {
  const std::string pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n";
  for (const char* const what : {"cpu", "io", "memory"}) {
    write(std::string("proc/pressure/") + what, pressure);
  }
  write("proc/meminfo", "MemAvailable: 3 kB\n");
  write("proc/vmstat", "pswpin 1\npswpout 2\n");
  write("sys/block/vda/device/x", "");
  write("proc/diskstats", " 254 0 vda 10 1 100 5 20 2 300 6 0 70 11\n");
  write("proc/net/dev", "eth0: 10 1 0 0 0 0 0 0 20 1\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "2500000\n");
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/cpu.stat", "throttled_usec 8\n");
  std::map<std::string, double> values;
  for (const auto& source : make_host_sources({0}, root_)) {
    values.merge(read(*source));
  }
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  EXPECT_EQ(values.at("psi_memory_ratio"), 5'000);
  EXPECT_EQ(values.at("free_memory_bytes"), 3072);
  EXPECT_EQ(values.at("swap_out_rate"), 2 * page);
  EXPECT_EQ(values.at("disk_read_rate"), 51'200);
  EXPECT_EQ(values.at("disk_iops"), 30);
  EXPECT_EQ(values.at("network_send_rate"), 20);
  EXPECT_EQ(values.at("cpu_clock"), 2'000);
  EXPECT_EQ(values.at("cpu_base_clock"), 2'500);
  EXPECT_EQ(values.at("cgroup_throttled_ratio"), 8'000);
}

TEST_F(SourcesTest, AProcessThatHidesItsFilesHasReasons) {
  ProcessSource hidden(4242, root_);
  for (const SeriesInfo& info : hidden.series()) {
    EXPECT_NE(info.reason, "") << info.id;
  }
  ProcessSource own(getpid());
  const auto values = read(own);
  EXPECT_GE(values.at("worker_cores"), 0);
  EXPECT_GE(values.at("thread_count"), 1);
  EXPECT_GT(values.at("resident_bytes"), 0);
}

TEST_F(SourcesTest, NamesAreSaidOnce) {
  std::set<std::string> names;
  std::vector<std::unique_ptr<Source>> sources = make_host_sources({0, 1}, root_);
  sources.push_back(std::make_unique<ProcessSource>(1, root_));
  sources.push_back(std::make_unique<NoGpuSource>("none"));
  for (const auto& source : sources) {
    for (const SeriesInfo& info : source->series()) {
      EXPECT_TRUE(names.insert(info.id + info.label).second) << info.id;
    }
  }
}

TEST_F(SourcesTest, AGpuIsLabelledByItsUuidAndLacksWhatItDoesNotSupport) {
  const machine::Nvml nvml(FAKE_NVML);
  ASSERT_EQ(nvml.gpus().size(), 2U);
  GpuSource able(nvml, nvml.gpus()[0]);
  const std::string label = " " + nvml.gpus()[0].uuid;
  const std::int64_t now_ns = monotonic_ns();
  EXPECT_TRUE(std::isnan(read(able, now_ns + 50'000'000).at("gpu_sm_util_ratio" + label)))
      << "two readings of it must not be this close";
  const auto values = read(able, now_ns + 2'000'000'000);
  EXPECT_DOUBLE_EQ(values.at("gpu_util_ratio" + label), 0.87);
  EXPECT_EQ(values.at("gpu_sm_clock" + label), 1.5e9);
  EXPECT_EQ(values.at("gpu_max_sm_clock" + label), 2e9);
  EXPECT_EQ(values.at("foreign_gpu_process_count" + label), 3);
  EXPECT_DOUBLE_EQ(values.at("foreign_gpu_utilisation_ratio" + label), 0.87)
      << "no worker of ours uses it yet";
  EXPECT_DOUBLE_EQ(values.at("gpu_sm_util_ratio" + label), 0.2) << "the second reading of it";
  EXPECT_TRUE(std::isnan(values.at("gpu_nvlink_send_rate" + label)));
  const GpuSource plain(nvml, nvml.gpus()[1]);
  for (const SeriesInfo& info : plain.series()) {
    EXPECT_EQ(info.reason, "NVML code 3 (not supported)") << info.id;
  }
  EXPECT_EQ(missing_gpu_series("x").size(), plain.series().size());
}

// The worker of the previous trial still holds the GPU for a moment; the worker of this trial comes
// later.
TEST_F(SourcesTest, WhoLeavesTheGpuInTheFirstSecondIsNoStranger) {
  const machine::Nvml nvml(FAKE_NVML);
  const std::string id = "foreign_gpu_process_count " + nvml.gpus()[0].uuid;
  const std::int64_t begin_ns = monotonic_ns();
  GpuSource gpu(nvml, nvml.gpus()[0]);
  EXPECT_EQ(read(gpu, begin_ns + 1'000'000).at(id), 3);
  setenv("TUNE_FAKE_NVML_PROCESSES", "1", /*overwrite=*/1);
  EXPECT_EQ(read(gpu, begin_ns + 500'000'000).at(id), 1);
  setenv("TUNE_FAKE_NVML_PROCESSES", "2", /*overwrite=*/1);
  EXPECT_EQ(read(gpu, begin_ns + 600'000'000).at(id), 1) << "this one is ours";
  setenv("TUNE_FAKE_NVML_PROCESSES", "0", /*overwrite=*/1);
  EXPECT_EQ(read(gpu, begin_ns + 9'000'000'000).at(id), 1)
      << "a foreign process that left later was there";
  unsetenv("TUNE_FAKE_NVML_PROCESSES");
}

}  // namespace
}  // namespace tune::telemetry
