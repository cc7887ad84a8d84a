#include "base/clock.h"
#include "base/units.h"
#include "cli/run_display.h"

#include <iostream>

namespace tune::cli {

namespace {

constexpr std::int64_t kHeartbeatNs = 10'000'000'000;

class ProgressLines : public RunDisplay {
 public:
  void trial_begins(const campaign::Standpoint& standpoint) override {
    trial_ = count(standpoint.done + 1, standpoint) + trial_words(standpoint);
    trial_start_ns_ = monotonic_ns();
    last_line_ns_ = trial_start_ns_;
    left_ = format_time(standpoint.remaining_ns) + " left";
    phase_ = "start";
  }

  void trial_ended(const campaign::Standpoint& standpoint,
                   const campaign::TrialRecord& record) override {
    std::string line = count(standpoint.done, standpoint) + trial_words(standpoint) + ": " +
                       outcome_words(record) + " (" + format_time(standpoint.remaining_ns) +
                       " left";
    const std::string best = best_words(standpoint);
    line += best.empty() || best == best_ ? ")" : "; " + best + ")";
    best_ = best;
    const bool failed = record.outcome.kind != runner::OutcomeKind::completed;
    print(line + (failed ? "\n" + without_last_break(last_output(record)) : ""));
  }

  void phase_began(const std::string& phase) override { phase_ = phase; }

  void tick() override {
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns - last_line_ns_ >= kHeartbeatNs) {
      print(trial_ + ": " + phase_ + ", " + format_time(now_ns - trial_start_ns_) + " (" + left_ +
            ")");
    }
  }

  void say(const std::string& line) override { print(line); }

  void show_preparation(const std::string& what) override {
    const std::int64_t now_ns = monotonic_ns();
    if (last_line_ns_ == 0 || now_ns - last_line_ns_ >= kHeartbeatNs) {
      print(what);
    }
  }

  void close() override {}

 private:
  static std::string count(std::int64_t number, const campaign::Standpoint& standpoint) {
    return "[" + std::to_string(number) +
           (standpoint.total_is_known ? "/" + std::to_string(standpoint.total) : "") + "] ";
  }

  static std::string without_last_break(std::string text) {
    if (!text.empty()) {
      text.pop_back();
    }
    return text;
  }

  void print(const std::string& line) {
    std::cerr << line << (line.ends_with('\n') ? "" : "\n") << std::flush;
    last_line_ns_ = monotonic_ns();
  }

  std::string trial_, phase_, left_, best_;
  std::int64_t trial_start_ns_ = 0, last_line_ns_ = 0;
};

}  // namespace

std::unique_ptr<RunDisplay> make_progress_lines() {
  return std::make_unique<ProgressLines>();
}

}  // namespace tune::cli
