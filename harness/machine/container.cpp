#include "machine/container.h"

#include "machine/cgroup.h"
#include "machine/text_file.h"

#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool has_hypervisor(const fs::path& root) {
  const std::string text = read_text(root / "proc/cpuinfo");
  const std::string flags = " " + std::string(value_of(text, "flags", ':')) + " ";
  return flags.find(" hypervisor ") != std::string::npos;
}

}  // namespace

Container read_container(const fs::path& root) {
  Container container;
  container.is_container = is_there(root / ".dockerenv") || is_there(root / "run/.containerenv") ||
                           is_there(root / "run/systemd/container");
  container.is_virtual_machine = has_hypervisor(root);
  container.platform = std::string(trimmed(read_text(root / "sys/class/dmi/id/product_name", 256)));
  container.most_tasks = read_task_limit(root);
  return container;
}

}  // namespace tune::machine
