#include "worker/cuda_loader.h"

#include "worker/cuda/absence.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

namespace tune::worker {

namespace {

namespace fs = std::filesystem;

// The test libraries are next to this program (CMakeLists.txt makes them).
std::string fake(const std::string& name) {
  return std::string(FAKES) + "/lib" + name + ".so";
}

CudaLoad load(const std::string& driver, const std::string& plugin) {
  return load_cuda({driver, plugin});
}

TEST(CudaLoader, WithoutADriverThePluginIsNotEvenLookedFor) {
  const CudaLoad found = load("/nowhere/libcuda.so.1", fake("fake_plugin_throws"));
  EXPECT_EQ(found.plugin, nullptr);
  EXPECT_EQ(found.reason.kind, "no_driver");
  EXPECT_TRUE(found.reason.text.starts_with("no NVIDIA driver (/nowhere/libcuda.so.1: "))
      << found.reason.text;
  EXPECT_TRUE(no_gpu_trace(found.reason).starts_with("no GPU trace: no NVIDIA driver"));
  EXPECT_TRUE(no_gpu_trace(found.reason).ends_with(" (no_driver)"));
}

TEST(CudaLoader, AFileThatIsNoDriverIsNone) {
  const CudaLoad found = load(fake("fake_plugin_works"), fake("fake_plugin_works"));
  EXPECT_EQ(found.reason.kind, "no_driver");
  EXPECT_NE(found.reason.text.find("it has no cuInit"), std::string::npos) << found.reason.text;
}

TEST(CudaLoader, ADriverThatIsTooOldSaysWhatItHasAndWhatIsNeeded) {
  const CudaLoad found = load(fake("fake_driver_old"), fake("fake_plugin_throws"));
  EXPECT_EQ(found.reason.kind, "driver_too_old");
  EXPECT_EQ(found.reason.text,
            "the driver supports CUDA 12.4, LibTorch needs 13.0 (driver R580 or newer)");
}

TEST(CudaLoader, ALibTorchForCuda12NeedsAnOlderDriver) {
  EXPECT_EQ(driver_too_old(11'040, 12'000).text,
            "the driver supports CUDA 11.4, LibTorch needs 12.0 (driver R525 or newer)");
  EXPECT_EQ(driver_too_old(12'080, 13'000).text,
            "the driver supports CUDA 12.8, LibTorch needs 13.0 (driver R580 or newer)");
}

TEST(CudaLoader, ADriverThatFailsIsQuoted) {
  const CudaLoad no_device = load(fake("fake_driver_no_device"), fake("fake_plugin_throws"));
  EXPECT_EQ(no_device.reason.kind, "no_device");
  EXPECT_EQ(no_device.reason.text, "cuInit says words of the driver (100)");
  EXPECT_EQ(load(fake("fake_driver_no_permission"), "").reason.kind, "no_permission");
  EXPECT_EQ(load(fake("fake_driver_broken"), "").reason.kind, "driver_error");
}

TEST(CudaLoader, APluginThatCannotBeLoadedIsNamedWithTheLoadersWords) {
  const CudaLoad missing = load(fake("fake_driver_works"), "/nowhere/libtune_cuda.so");
  EXPECT_EQ(missing.reason.kind, "no_plugin");
  EXPECT_NE(missing.reason.text.find("/nowhere/libtune_cuda.so"), std::string::npos)
      << missing.reason.text;
  const fs::path garbage = fs::path(testing::TempDir()) / "tune-garbage.so";
  std::ofstream(garbage) << "no library";
  EXPECT_EQ(load(fake("fake_driver_works"), garbage).reason.kind, "no_plugin");
  fs::remove(garbage);
}

TEST(CudaLoader, APluginOfAnotherBuildIsRefused) {
  EXPECT_EQ(load(fake("fake_driver_works"), fake("fake_plugin_of_another_build")).reason.kind,
            "wrong_plugin");
  EXPECT_EQ(load(fake("fake_driver_works"), fake("fake_driver_works")).reason.kind, "wrong_plugin")
      << "it has no entry at all";
}

TEST(CudaLoader, WhatThePluginSaysIsPassedOn) {
  const CudaLoad none = load(fake("fake_driver_works"), fake("fake_plugin_has_no_device"));
  EXPECT_EQ(none.plugin, nullptr);
  EXPECT_EQ(none.reason.kind, "no_device");
  const CudaLoad silent = load(fake("fake_driver_works"), fake("fake_plugin_is_silent"));
  EXPECT_EQ(silent.reason.kind, "driver_error");
  EXPECT_FALSE(silent.reason.text.empty());
  const CudaLoad throws = load(fake("fake_driver_works"), fake("fake_plugin_throws"));
  EXPECT_EQ(throws.plugin, nullptr);
  EXPECT_EQ(throws.reason.kind, "driver_error");
  EXPECT_EQ(throws.reason.text, "thrown by a fake");
}

TEST(CudaLoader, WithDriverAndPluginThereIsADevice) {
  const CudaLoad found = load(fake("fake_driver_works"), fake("fake_plugin_works"));
  ASSERT_NE(found.plugin, nullptr) << found.reason.text;
  EXPECT_EQ(found.reason.kind, "");
  EXPECT_EQ(found.plugin->facts().name, "a fake GPU");
  const auto busy = found.plugin->trace().start({});
  ASSERT_TRUE(busy.has_value());
  EXPECT_EQ(no_gpu_trace(*busy), "no GPU trace: a fake (busy)");
}

TEST(CudaLoader, ThePluginIsLookedForBesideTheProgram) {
  const CudaPlaces places = usual_cuda_places();
  EXPECT_EQ(places.driver, "libcuda.so.1");
  EXPECT_EQ(places.plugin.filename(), "libtune_cuda.so");
  EXPECT_EQ(places.plugin.parent_path(), fs::read_symlink("/proc/self/exe").parent_path());
}

// The test libraries are next to this program (CMakeLists.txt makes them).
CudaPlaces fakes(const std::string& driver) {
  CudaPlaces places;
  places.driver = FAKES;
  places.driver += "/lib" + driver + ".so";
  places.plugin = FAKES "/libfake_plugin_works.so";
  return places;
}

TEST(TrialDevice, OnTheCpuNothingIsLookedFor) {
  const CudaLoad none = open_trial_device("cpu", fakes("fake_driver_works"));
  EXPECT_EQ(none.plugin, nullptr);
  EXPECT_EQ(no_gpu(none.reason), "") << "it was requested";
}

TEST(TrialDevice, AutoTakesWhatThereIs) {
  EXPECT_NE(open_trial_device("auto", fakes("fake_driver_works")).plugin, nullptr);
  const CudaLoad none = open_trial_device("auto", fakes("fake_driver_old"));
  EXPECT_EQ(none.plugin, nullptr);
  EXPECT_EQ(no_gpu(none.reason),
            "the driver supports CUDA 12.4, LibTorch needs 13.0 (driver R580 or newer) "
            "(driver_too_old)");
}

TEST(TrialDevice, CudaIsHadOrRefusedWithTheReason) {
  EXPECT_NE(open_trial_device("cuda", fakes("fake_driver_works")).plugin, nullptr);
  try {
    open_trial_device("cuda", fakes("fake_driver_no_device"));
    ADD_FAILURE() << "it was not refused";
  } catch (const std::invalid_argument& refused) {
    EXPECT_STREQ(refused.what(),
                 "workload.device: cuda is not available (cuInit says words of the driver (100), "
                 "no_device) cpu?");
  }
}

}  // namespace

}  // namespace tune::worker
