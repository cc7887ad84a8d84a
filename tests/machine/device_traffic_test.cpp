#include "machine/device_traffic.h"

#include "changing_root.h"

namespace tune::machine {
namespace {

using DeviceTrafficTest = ChangingRoot;

TEST_F(DeviceTrafficTest, SumsWholeDisksOnly) {
  write("sys/block/vda/device/x", "");
  write("sys/block/nvme0n1/device/x", "");
  write("sys/block/loop0/size", "0");
  write("sys/block/dm-0/size", "0");
  write("proc/diskstats",
        "   7 0 loop0 9 9 9 9 9 9 9 9 9 9 9\n"
        " 254 0 vda 10 1 100 5 20 2 300 6 0 70 11 0 0\n"
        " 254 1 vda1 10 1 100 5 20 2 300 6 0 70 11 0 0\n"
        " 259 0 nvme0n1 1 0 8 0 2 0 16 0 0 5 0\n"
        " 253 0 dm-0 10 1 100 5 20 2 300 6 0 70 11\n");
  DiskTrafficReader reader(root_);
  const auto traffic = reader.read();
  ASSERT_TRUE(traffic.has_value());
  EXPECT_EQ(traffic->read_bytes, 108 * 512);
  EXPECT_EQ(traffic->written_bytes, 316 * 512);
  EXPECT_EQ(traffic->requests, 33);
  EXPECT_EQ(traffic->busy_ns, 70'000'000) << "of the busiest";
}

TEST_F(DeviceTrafficTest, SaysWhenThereIsNoDisk) {
  write("proc/diskstats", "   7 0 loop0 9 9 9 9 9 9 9 9 9 9 9\n");
  DiskTrafficReader none(root_);
  EXPECT_FALSE(none.read().has_value());
  EXPECT_EQ(none.problem(), "/sys/block shows no disk");
  DiskTrafficReader nowhere("/no/such/root");
  EXPECT_FALSE(nowhere.read().has_value());
  EXPECT_NE(nowhere.problem().find("No such file"), std::string::npos);
}

TEST_F(DeviceTrafficTest, LeavesOutDamagedLines) {
  write("sys/block/vda/device/x", "");
  for (const char* const line : {"254 0 vda\n", "254 0 vda 1 2 3 4 5 6 7 8 9 x\n", "vda\n", ""}) {
    write("proc/diskstats", line);
    EXPECT_FALSE(DiskTrafficReader(root_).read().has_value()) << line;
  }
}

TEST_F(DeviceTrafficTest, CountsDevicesWithHardwareBehindThem) {
  write("sys/class/net/eth0/device/x", "");
  write("sys/class/net/docker0/mtu", "");
  write("proc/net/dev",
        "Inter-|   Receive\n face |bytes\n"
        "    lo: 5 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0\n"
        "  eth0:1000 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0\n"
        "docker0: 7 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n");
  NetworkTrafficReader reader(root_);
  const auto traffic = reader.read();
  ASSERT_TRUE(traffic.has_value());
  EXPECT_EQ(traffic->received_bytes, 1000);
  EXPECT_EQ(traffic->sent_bytes, 200);
}

TEST_F(DeviceTrafficTest, WithoutHardwareCountsAllButTheLoop) {
  write("proc/net/dev",
        "    lo: 5 1 0 0 0 0 0 0 5 1\n"
        "  eth0: 10 1 0 0 0 0 0 0 20 1\n"
        "  tun0: 1 1 0 0 0 0 0 0 2 1\n"
        "  bad0: 1 1\n");
  const auto traffic = NetworkTrafficReader(root_).read();
  ASSERT_TRUE(traffic.has_value());
  EXPECT_EQ(traffic->received_bytes, 11);
  EXPECT_EQ(traffic->sent_bytes, 22);
  write("proc/net/dev", "    lo: 5 1 0 0 0 0 0 0 5 1\n");
  NetworkTrafficReader alone(root_);
  EXPECT_FALSE(alone.read().has_value());
  EXPECT_EQ(alone.problem(), "/proc/net/dev shows only the loopback device");
}

}  // namespace
}  // namespace tune::machine
