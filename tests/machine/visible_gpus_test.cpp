#include "machine/visible_gpus.h"

#include <gtest/gtest.h>

namespace tune::machine {
namespace {

using Indices = std::vector<std::size_t>;

const std::vector<std::string> kUuids = {"GPU-aa11", "GPU-aa22", "GPU-bb33"};

TEST(VisibleGpus, WithoutTheVariableAllAreSeen) {
  EXPECT_EQ(visible_gpus(std::nullopt, kUuids), (Indices{0, 1, 2}));
  EXPECT_EQ(visible_gpus(std::nullopt, {}), Indices{});
}

TEST(VisibleGpus, NumbersAndBeginningsOfUuidsChooseAndOrder) {
  EXPECT_EQ(visible_gpus("2,0", kUuids), (Indices{2, 0}));
  EXPECT_EQ(visible_gpus(" 1 , GPU-bb", kUuids), (Indices{1, 2}));
  EXPECT_EQ(visible_gpus("GPU-aa22", kUuids), (Indices{1}));
}

TEST(VisibleGpus, TheListEndsAtWhatNamesNone) {
  EXPECT_EQ(visible_gpus("", kUuids), Indices{});
  EXPECT_EQ(visible_gpus("-1", kUuids), Indices{});
  EXPECT_EQ(visible_gpus("0,9,1", kUuids), (Indices{0}));
  EXPECT_EQ(visible_gpus("1,GPU-aa,0", kUuids), (Indices{1})) << "fits two";
  EXPECT_EQ(visible_gpus("MIG-0", kUuids), Indices{});
}

TEST(VisibleGpus, OneThatIsNamedTwiceHidesAll) {
  EXPECT_EQ(visible_gpus("0,1,0", kUuids), Indices{});
}

TEST(VisibleGpus, UuidsOfCudaReadAsThoseOfTheDriver) {
  EXPECT_EQ(gpu_uuid_text({0x8a, 0x6b, 0x1c, 0x2d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255}),
            "GPU-8a6b1c2d-0001-0203-0405-060708090aff");
}

}  // namespace
}  // namespace tune::machine
