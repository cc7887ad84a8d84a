#pragma once

#include <cstdint>
#include <filesystem>

namespace tune::fake {

/// How long the script's machine has been running, which the fake workers of one campaign tell each
/// other: a file `machine_ns` beside the folders of its trials. So the same trials in the same
/// order see the same machine, in however many sittings; a trial that was killed took no time.
class MachineAge {
 public:
  explicit MachineAge(const std::filesystem::path& trial_folder);

  /// 0 where no trial has ended yet.
  std::int64_t ns() const { return ns_; }

  /// Writes what it is after a process that lived so long.
  void add(std::int64_t duration_ns);

 private:
  std::filesystem::path file_;
  std::int64_t ns_ = 0;
};

}  // namespace tune::fake
