#include "cli/interruption.h"

#include <csignal>

namespace tune::cli {

namespace {

// A signal handler can only reach globals.
std::atomic<int> stop_level = 0;    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> first_signal = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free);

void take_signal(int signal) {
  int nobody = 0;
  first_signal.compare_exchange_strong(nobody, signal);
  if (stop_level.fetch_add(1) >= 1) {
    stop_level = 2;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
}

}  // namespace

Interruption::Interruption() : before_int_(SIG_DFL), before_term_(SIG_DFL) {
  stop_level = 0;
  first_signal = 0;
  before_int_ = std::signal(SIGINT, take_signal);
  before_term_ = std::signal(SIGTERM, take_signal);
}

Interruption::~Interruption() {
  std::signal(SIGINT, before_int_);
  std::signal(SIGTERM, before_term_);
}

const std::atomic<int>& Interruption::level() const {
  return stop_level;
}

ExitCode Interruption::exit_code() const {
  return first_signal.load() == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

}  // namespace tune::cli
