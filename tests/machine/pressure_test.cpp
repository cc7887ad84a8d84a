#include "machine/pressure.h"

#include "changing_root.h"

namespace tune::machine {
namespace {

using PressureTest = ChangingRoot;

std::string pressure(const std::string& total) {
  return "some avg10=1.00 avg60=2.00 avg300=3.00 total=" + total +
         "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=77\n";
}

TEST_F(PressureTest, TellsWhatWasWaitedBetweenTwoReadings) {
  write("proc/pressure/cpu", pressure("1000"));
  write("proc/pressure/io", pressure("5"));
  PressureReader reader(root_);
  const Pressure before = reader.read();
  EXPECT_EQ(before.cpu_ns, 1'000'000);
  EXPECT_EQ(before.io_ns, 5'000);
  write("proc/pressure/cpu", pressure("1250"));
  const Pressure waited = difference(before, reader.read());
  EXPECT_EQ(waited.cpu_ns, 250'000);
  EXPECT_EQ(waited.io_ns, 0);
}

TEST_F(PressureTest, IsUnknownWhereTheKernelDoesNotCountOrTellsNonsense) {
  EXPECT_FALSE(PressureReader("/no/such/root").read().cpu_ns.has_value());
  for (const char* const text : {"",
                                 "some",
                                 "some avg10=0.00",
                                 "some avg10=0.00 total=",
                                 "some avg10=0.00 total=-5\n",
                                 "some avg10=0.00 total=99999999999999999999\n",
                                 "some avg10=0.00 total=9000000000000000000\n",
                                 "full avg10=0.00 total=5\n"}) {
    write("proc/pressure/io", text);
    const Pressure seen = PressureReader(root_).read();
    EXPECT_FALSE(seen.io_ns.has_value()) << text;
    EXPECT_FALSE(difference({1, 1}, seen).io_ns.has_value());
  }
  std::filesystem::create_directories(root_ / "proc/pressure/cpu");
  EXPECT_FALSE(PressureReader(root_).read().cpu_ns.has_value());
}

TEST_F(PressureTest, ACountThatFallsIsNoTime) {
  EXPECT_EQ(difference({10, 10}, {4, 12}).cpu_ns, 0);
  EXPECT_EQ(difference({10, 10}, {4, 12}).io_ns, 2);
}

TEST_F(PressureTest, MemoryIsReadOnItsOwn) {
  MemoryPressureReader missing(root_);
  EXPECT_FALSE(missing.read_ns().has_value());
  write("proc/pressure/memory", pressure("12"));
  MemoryPressureReader reader(root_);
  EXPECT_EQ(reader.read_ns(), 12'000);
}

}  // namespace
}  // namespace tune::machine
