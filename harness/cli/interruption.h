#pragma once

#include "base/error.h"

#include <atomic>
#include <csignal>

namespace tune::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP (the terminal was closed) are counted instead of
/// ending the process, also where whoever started it had blocked them. The second asks for haste,
/// the third ends the process as if nobody listened. A SIGHUP that was ignored before, as under
/// nohup, stays so. An inner one continues from what the outer one has heard. For one thread.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// 0, 1 (stop after saving) or 2 (at once).
  const std::atomic<int>& level() const;
  bool asked() const { return level().load() != 0; }

  /// 130 after SIGINT, 143 after SIGTERM, 129 after SIGHUP.
  ExitCode exit_code() const;

 private:
  using Handler = void (*)(int);
  Handler before_int_, before_term_, before_hup_;
  sigset_t before_mask_{};
};

}  // namespace tune::cli
