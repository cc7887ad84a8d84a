#include "cli/interruption.h"

#include <csignal>

namespace tune::cli {

namespace {

// A signal handler can only reach globals.
std::atomic<int> stop_level = 0;    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> first_signal = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> hears_hangup = false;
int nested = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free);

void take_signal(int signal) {
  int nobody = 0;
  first_signal.compare_exchange_strong(nobody, signal);
  if (stop_level.fetch_add(1) >= 1) {
    stop_level = 2;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (hears_hangup.load()) {
      std::signal(SIGHUP, SIG_DFL);
    }
  }
}

}  // namespace

Interruption::Interruption() : before_int_(SIG_DFL), before_term_(SIG_DFL), before_hup_(SIG_DFL) {
  if (nested++ == 0) {  // what an outer one has heard holds for what it encloses
    stop_level = 0;
    first_signal = 0;
  }
  before_int_ = std::signal(SIGINT, take_signal);
  before_term_ = std::signal(SIGTERM, take_signal);
  before_hup_ = std::signal(SIGHUP, SIG_IGN);
  hears_hangup = before_hup_ != SIG_IGN;
  if (hears_hangup.load()) {
    std::signal(SIGHUP, take_signal);
  }
  sigset_t heard;
  sigemptyset(&heard);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&heard, signal);
  }
  pthread_sigmask(SIG_UNBLOCK, &heard, &before_mask_);
}

Interruption::~Interruption() {
  --nested;
  pthread_sigmask(SIG_SETMASK, &before_mask_, nullptr);
  std::signal(SIGINT, before_int_);
  std::signal(SIGTERM, before_term_);
  std::signal(SIGHUP, before_hup_);
}

const std::atomic<int>& Interruption::level() const {
  return stop_level;
}

ExitCode Interruption::exit_code() const {
  switch (first_signal.load()) {
    case SIGTERM:
      return ExitCode::terminated;
    case SIGHUP:
      return ExitCode::hung_up;
    default:
      return ExitCode::interrupted;
  }
}

}  // namespace tune::cli
