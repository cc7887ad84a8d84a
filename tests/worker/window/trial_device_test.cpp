#include "worker/trial_device.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tune::worker {
namespace {

// Libraries of tests lie beside this program (CMakeLists.txt makes them).
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
  EXPECT_EQ(no_gpu(none.reason), "") << "it was asked for";
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
                 "workload.device: cuda cannot be had (cuInit says words of the driver (100), "
                 "no_device) cpu?");
  }
}

}  // namespace
}  // namespace tune::worker
