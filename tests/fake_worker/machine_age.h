#pragma once

#include <cstdint>
#include <filesystem>

namespace tune::fake {

/// How long the script's machine has been running. The fake workers of one campaign share it in a
/// file `machine_ns` next to the folders of the trials. So the same trials in the same order see
/// the same machine, in any number of sittings; a killed trial took no time.
class MachineAge {
 public:
  explicit MachineAge(const std::filesystem::path& trial_folder);

  /// 0 when no trial has ended yet.
  std::int64_t ns() const { return ns_; }

  /// Writes the age after a process with this lifetime.
  void add(std::int64_t duration_ns);

 private:
  std::filesystem::path file_;
  std::int64_t ns_ = 0;
};

}  // namespace tune::fake
