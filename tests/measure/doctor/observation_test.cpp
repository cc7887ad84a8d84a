#include "measure/doctor/observation.h"

#include "healthy_machine.h"
#include "measure/doctor/checkup.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <unistd.h>

namespace tune::doctor {

namespace {

constexpr std::int64_t kMillisecondNs = 1'000'000;

TEST(Observe, LooksAtThisMachineAndAFewGpus) {
  ObserveOptions options;
  options.nvml_library = FAKE_NVML;
  options.visible_devices = "1";
  options.window_ns = 300 * kMillisecondNs;  // two readings, also on a busy machine
  options.folders = {{"here", "", std::filesystem::temp_directory_path(), std::nullopt}};
  const Observation seen = observe(options);
  EXPECT_GT(seen.machine.cpus, 0);
  EXPECT_GE(seen.window_s, 0.3);
  EXPECT_TRUE(reading(seen, "cpu_busy_ratio").value.has_value())
      << reading(seen, "cpu_busy_ratio").reason;
  EXPECT_GE(seen.own_cpus, 0);
  ASSERT_EQ(seen.folders.size(), 1U);
  EXPECT_TRUE(seen.folders[0].space.has_value());
  EXPECT_EQ(seen.gpus.states.size(), 2U);
  EXPECT_EQ(seen.gpus.visible, 1U);
  EXPECT_EQ(seen.gpus.driver.version, "580.95.05");
  EXPECT_TRUE(seen.most_open_files.has_value());
}

TEST(Observe, AnEmptyRootIsNoFailure) {
  ObserveOptions options;
  options.root = "/no/such/root";
  options.nvml_library = "libno-such-nvml.so.1";
  options.window_ns = kMillisecondNs;
  const Observation seen = observe(options);
  EXPECT_EQ(seen.machine.cpu_model, "");
  EXPECT_FALSE(reading(seen, "steal_ratio").value.has_value());
  EXPECT_FALSE(reading(seen, "steal_ratio").reason.empty());
  EXPECT_EQ(reading(seen, "no_such_series").reason, "not recorded");
  EXPECT_TRUE(seen.busiest.empty());
}

TEST(CheckupJson, HasChecksFactsReadingsAndTheNamesOfForbid) {
  Observation seen = healthy_machine();
  put(seen, "cpu_busy_ratio", 0.5);
  seen.busiest = {{7, "bad \xff name", 1.9}};
  seen.machine.cpu_flags = {"avx2"};
  const auto json = nlohmann::json::parse(to_json(examine(seen), seen, "2026-11-22T00:00:00Z"));
  EXPECT_EQ(json["schema"], "tune-doctor/1");
  EXPECT_EQ(json["worst"], "warning");
  EXPECT_EQ(json["checks"][0]["id"], "other-cpu-load");
  EXPECT_EQ(json["checks"][0]["level"], "warning");
  EXPECT_EQ(json["forbid"]["avx2"], true);
  EXPECT_EQ(json["forbid"]["cpus"], 4.0);
  EXPECT_EQ(json["forbid"]["memory"], 16.0 * kGiB);
  EXPECT_EQ(json["forbid"]["cpu_model"], "Model T");
  EXPECT_FALSE(json["forbid"].contains("batch_size")) << "knobs are no facts of the machine";
  EXPECT_EQ(json["machine"]["cpus"], 4);
  EXPECT_EQ(json["processor"]["turbo"], false);
  EXPECT_TRUE(json["processor"]["energy_preference"].is_null());
  EXPECT_EQ(json["window"]["readings"]["cpu_busy_ratio"]["value"], 0.5);
  EXPECT_EQ(json["window"]["busiest"][0]["process"], 7);
  EXPECT_EQ(json["installation"]["torch_version"], "2.11.0");
  EXPECT_EQ(json["gpus"]["devices"].size(), 0U);
}

TEST(WorkerDescription, IsReadOrRefusedWithItsReason) {
  const auto read = [](const std::string& text) {
    return trial::parse_worker_description(text, "the worker");
  };
  const trial::WorkerDescription worker =
      read(R"({"protocol": 1, "version": "0.1.0", "torch_version": "2.11.0",
               "cpu_capability": "AVX2", "jpeg_version": "libjpeg-turbo 2.1.5", "device": "cpu",
               "knobs": [], "workloads": [], "no_gpu": {"kind": "no_driver", "text": "none"}})");
  EXPECT_EQ(worker.protocol, 1);
  EXPECT_EQ(worker.torch_version, "2.11.0");
  EXPECT_FALSE(worker.gpu.has_value());
  EXPECT_EQ(worker.no_gpu_kind, "no_driver");
  EXPECT_THROW(read(""), std::runtime_error);
  EXPECT_THROW(read("[]"), std::runtime_error);
  EXPECT_THROW(read(R"({"protocol": "one"})"), std::runtime_error);
}

TEST(Levels, AreInTheOrderOfTheirWeight) {
  EXPECT_STREQ(name(Level::ok), "ok");
  EXPECT_STREQ(name(Level::unknown), "unknown");
  EXPECT_STREQ(name(Level::note), "note");
  EXPECT_STREQ(name(Level::warning), "warning");
  EXPECT_STREQ(name(Level::failure), "failure");
  Checkup checkup;
  checkup.checks = {{.id = "a", .level = Level::note}, {.id = "b", .level = Level::unknown}};
  EXPECT_EQ(checkup.worst(), Level::note);
}

}  // namespace

}  // namespace tune::doctor
