#include "machine/container.h"

#include "changing_root.h"

namespace tune::machine {
namespace {

class ContainerTest : public ChangingRoot {};

TEST_F(ContainerTest, KnowsAContainerInAVirtualMachine) {
  write(".dockerenv", "");
  write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse hypervisor avx2\n");
  write("sys/class/dmi/id/product_name", "Google Compute Engine\n");
  write("proc/self/cgroup", "0::/job/step\n");
  write("sys/fs/cgroup/job/pids.max", "512\n");
  write("sys/fs/cgroup/job/step/pids.max", "max\n");
  const Container container = read_container(root_);
  EXPECT_TRUE(container.is_container);
  EXPECT_TRUE(container.is_virtual_machine);
  EXPECT_EQ(container.platform, "Google Compute Engine");
  EXPECT_EQ(container.most_tasks, 512) << "of the group above";
}

TEST_F(ContainerTest, BareHardwareIsNeither) {
  write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse avx2\n");
  const Container container = read_container(root_);
  EXPECT_FALSE(container.is_container);
  EXPECT_FALSE(container.is_virtual_machine);
  EXPECT_EQ(container.platform, "");
  EXPECT_FALSE(container.most_tasks.has_value());
}

}  // namespace
}  // namespace tune::machine
