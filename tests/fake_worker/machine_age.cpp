#include "machine_age.h"

#include <fstream>

namespace tune::fake {

MachineAge::MachineAge(const std::filesystem::path& trial_folder)
    : file_(trial_folder.parent_path() / "machine_ns") {
  std::ifstream(file_) >> ns_;
}

void MachineAge::add(std::int64_t duration_ns) {
  ns_ += duration_ns;
  const std::filesystem::path draft = file_.string() + ".draft";
  std::ofstream(draft) << ns_ << "\n";
  std::filesystem::rename(draft, file_);
}

}  // namespace tune::fake
