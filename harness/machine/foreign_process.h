#pragma once

#include "machine/kept_text.h"
#include "machine/run_delay.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// What another process, all its threads together, has done since it began. Nothing where the
/// kernel does not tell, or not us.
struct ForeignUsage {
  std::optional<std::int64_t> user_ns, system_ns;  ///< CPU time, in ticks of mostly 10 ms
  std::optional<std::int64_t> minor_faults, major_faults;
  std::optional<std::int64_t> threads, resident_bytes;  ///< now
  std::optional<RunDelay> run_delay;
  std::optional<std::int64_t> read_bytes, written_bytes;  ///< fetched from and sent to storage
};

/// Reads <root>/proc/<process>/{stat,io,task/*/schedstat}, which stay open: a process that took
/// over the number is never mistaken for it.
class ForeignProcessReader {
 public:
  explicit ForeignProcessReader(int process, const std::filesystem::path& root = "/");

  ForeignUsage read();

  /// Why the files stat, io and schedstat gave nothing the last time; "" each when they did.
  std::string stat_problem() const;
  std::string io_problem() const;
  std::string delay_problem() const;

 private:
  std::string folder_;
  KeptText stat_, io_;
  RunDelayReader run_delay_;
  bool has_delay_ = false;
};

}  // namespace tune::machine
