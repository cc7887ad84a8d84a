#pragma once

#include "base/exit_code.h"

#include <atomic>

namespace tune::cli {

/// While it lives, SIGINT and SIGTERM are counted instead of ending the process. The second asks
/// for haste, the third ends the process as if nobody listened.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// 0, 1 (stop after saving) or 2 (at once).
  const std::atomic<int>& level() const;
  bool asked() const { return level().load() != 0; }

  /// 130 after SIGINT, 143 after SIGTERM.
  ExitCode exit_code() const;

 private:
  using Handler = void (*)(int);
  Handler before_int_, before_term_;
};

}  // namespace tune::cli
