#include "cli/run_display.h"

#include "base/clock.h"
#include "base/units.h"
#include "cli/terminal.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_warnings.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

// "+116.3 %" and "12 rounds"
constexpr std::size_t kGainWidth = 9;
constexpr std::size_t kRoundsWidth = 8;

class QuietDisplay : public RunDisplay {
 public:
  void trial_begins(const campaign::Standpoint&) override {}
  void trial_ended(const campaign::Standpoint& standpoint,
                   const campaign::TrialRecord& record) override {
    if (record.outcome.kind != runner::OutcomeKind::completed) {
      std::cerr << trial_words(standpoint) << ": " << outcome_words(record) << "\n";
    }
  }
  void phase_began(const std::string&) override {}
  void tick() override {}
  void say(const std::string&) override {}
  void show_preparation(const std::string&) override {}
  void close() override {}
};

}  // namespace

std::unique_ptr<RunDisplay> make_quiet_display() {
  return std::make_unique<QuietDisplay>();
}

std::string trial_words(const campaign::Standpoint& standpoint) {
  const std::string id = campaign::trial_id(
      standpoint.slot.stage, standpoint.slot.round, standpoint.cell->id, standpoint.slot.attempt);
  return standpoint.cell->changed.empty() ? id : id + " " + report::setting_text(*standpoint.cell);
}

std::string stage_words(const campaign::Standpoint& standpoint) {
  const std::string& stage = standpoint.slot.stage;
  return stage == "confirm"    ? "confirming"
         : stage == "warmup"   ? "looking for the steady state"
         : stage == "diagnose" ? "recording the baseline"
         : stage == "ceiling"  ? "what model and loader can do alone"
         : stage == "audit"    ? "measuring every cell"
         : stage == "ladder"   ? "proposals together"
         : stage == "epoch"    ? "a whole epoch"
                               : "searching";
}

namespace {

std::string left_prefix(const campaign::Standpoint& standpoint) {
  return standpoint.total_is_known ? "about " : standpoint.has_budget ? "at most " : "at least ";
}

}  // namespace

std::string left_words(const campaign::Standpoint& standpoint) {
  return left_prefix(standpoint) + format_time(standpoint.remaining_ns) + " left";
}

std::string outcome_words(const campaign::TrialRecord& record) {
  const runner::TrialOutcome& outcome = record.outcome;
  const auto rate = outcome.reply ? trial::throughput(*outcome.reply) : std::nullopt;
  if (outcome.kind == runner::OutcomeKind::completed && rate) {
    const std::string by = campaign::disturbed_by(record);
    return report::number_text(*rate) + " samples/s" + (by.empty() ? "" : ", while " + by);
  }
  return std::string(runner::name(outcome.kind)) +
         (outcome.reason.empty() ? "" : ": " + one_line(outcome.reason));
}

std::string best_words(const campaign::Standpoint& standpoint) {
  if (standpoint.ranking.empty()) {
    return "";
  }
  const campaign::Place& best = standpoint.ranking.front();
  return "provisional best after " + report::counted(best.rounds, "round") + ": " + best.cell->id +
         " " + report::setting_text(*best.cell) + ", " + report::gain_text(best.gain);
}

std::vector<std::string> ranking_lines(const campaign::Standpoint& standpoint) {
  std::vector<std::string> lines;
  for (const campaign::Place& place : standpoint.ranking) {
    std::string gain = report::gain_text(place.gain);
    gain.insert(0, kGainWidth - std::min(kGainWidth, gain.size()), ' ');
    std::string rounds = report::counted(place.rounds, "round");
    rounds.resize(std::max(kRoundsWidth, rounds.size()), ' ');
    std::string line = std::to_string(lines.size() + 1);
    line.append("  ").append(gain).append("  ").append(rounds).append("  ");
    line.append(place.cell->id).append(" ").append(report::setting_text(*place.cell));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string last_output(const campaign::TrialRecord& record) {
  constexpr std::size_t kMostLines = 6;
  constexpr std::size_t kLongestLine = 200;
  std::istringstream text(printable(record.outcome.stderr_tail));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  std::string kept;
  const std::size_t first = lines.size() - std::min(lines.size(), kMostLines);
  for (std::size_t i = first; i < lines.size(); ++i) {
    kept += "    | " + shortened(lines[i], kLongestLine) + "\n";
  }
  return kept;
}

namespace {

constexpr std::int64_t kHeartbeatNs = 10'000'000'000;

class ProgressLines : public RunDisplay {
 public:
  void trial_begins(const campaign::Standpoint& standpoint) override {
    trial_ = count(standpoint.done + 1, standpoint) + trial_words(standpoint);
    trial_start_ns_ = monotonic_ns();
    last_line_ns_ = trial_start_ns_;
    left_ = left_words(standpoint);
    phase_ = "start";
  }

  void trial_ended(const campaign::Standpoint& standpoint,
                   const campaign::TrialRecord& record) override {
    std::string line = count(standpoint.done, standpoint) + trial_words(standpoint) + ": " +
                       outcome_words(record) + " (" + left_words(standpoint);
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

namespace {

constexpr std::size_t kLinesBeforeRanking = 3;  // its heading included

class StatusBlock : public RunDisplay {
 public:
  explicit StatusBlock(ColorWish wish) : wish_(wish) {}
  ~StatusBlock() override { StatusBlock::close(); }
  StatusBlock(const StatusBlock&) = delete;
  StatusBlock& operator=(const StatusBlock&) = delete;

  void trial_begins(const campaign::Standpoint& standpoint) override {
    take(standpoint);
    number_ = standpoint.done + 1;
    phase_ = "starting";
    phase_start_ns_ = trial_start_ns_ = monotonic_ns();
    draw();
  }

  void trial_ended(const campaign::Standpoint& standpoint,
                   const campaign::TrialRecord& record) override {
    take(standpoint);
    if (record.outcome.kind != runner::OutcomeKind::completed) {
      std::string text = trial_words(standpoint) + ": " + outcome_words(record) + "\n";
      stay(yellow(look_at(STDERR_FILENO, wish_), text) + last_output(record));
    }
    phase_ = outcome_words(record);
    phase_start_ns_ = 0;
    draw();
  }

  void phase_began(const std::string& phase) override {
    phase_ = phase;
    phase_start_ns_ = monotonic_ns();
    draw();
  }

  void tick() override { draw(); }

  void say(const std::string& line) override {
    stay(line + "\n");
    draw();
  }

  void show_preparation(const std::string& what) override { show({what}); }

  void close() override { erase(); }

 private:
  void take(const campaign::Standpoint& standpoint) {
    total_ = standpoint.total;
    total_text_ = standpoint.total_is_known ? "/" + std::to_string(total_) : "";
    number_ = std::max<std::int64_t>(standpoint.done, 1);
    trial_ = trial_words(standpoint);
    stage_ = stage_words(standpoint);
    round_ = standpoint.slot.round;
    end_ns_ = monotonic_ns() + standpoint.remaining_ns;
    left_prefix_ = left_prefix(standpoint);
    ranking_ = ranking_lines(standpoint);
  }

  void draw() {
    if (total_ == 0) {
      return;
    }
    const std::int64_t now_ns = monotonic_ns();
    const std::string left = format_time(std::max<std::int64_t>(0, end_ns_ - now_ns));
    const std::string spent =
        phase_start_ns_ == 0 ? "" : " " + format_time(whole_seconds(now_ns - phase_start_ns_));
    std::vector<std::string> lines = {"trial " + std::to_string(number_) + total_text_ + "  " +
                                          stage_ + ", round " + std::to_string(round_) + "  " +
                                          left_prefix_ + left + " left",
                                      trial_ + ": " + phase_ + spent};
    if (!ranking_.empty()) {
      lines.emplace_back("provisional ranking, gains against the baseline of the same round:");
      lines.insert(lines.end(), ranking_.begin(), ranking_.end());
    }
    show(lines);
  }

  // Tenths that change twice a second only distract.
  static std::int64_t whole_seconds(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    return std::max(kSecond, ns / kSecond * kSecond);
  }

  void show(std::vector<std::string> lines) {
    const Terminal terminal = look_at(STDERR_FILENO, wish_);
    // What has scrolled out at the top cannot be drawn over. A heading alone says nothing.
    const std::size_t room = terminal.height > 2 ? terminal.height - 1 : 1;
    if (lines.size() > room) {
      lines.resize(room == kLinesBeforeRanking ? room - 1 : room);
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      // The last column may wrap; what an escape adds must fit as well.
      const std::string line = fitted(terminal_text(lines[i]), terminal.width - 1);
      text += (i > 0 ? "\n" : "") + (i == 0 ? bold(terminal, line) : dim(terminal, line));
    }
    if (text == shown_text_) {
      return;
    }
    write_unchanged(std::cerr, erasing());
    std::cerr << text << std::flush;
    shown_ = lines.size();
    shown_text_ = text;
  }

  std::string erasing() const {
    if (shown_ == 0) {
      return "";
    }
    const std::string up = shown_ > 1 ? "\033[" + std::to_string(shown_ - 1) + "A" : "";
    return "\r" + up + "\033[J";
  }

  void erase() {
    write_unchanged(std::cerr, erasing());
    std::cerr << std::flush;
    shown_ = 0;
    shown_text_.clear();
  }

  void stay(const std::string& text) {
    erase();
    std::cerr << text << std::flush;
  }

  ColorWish wish_;
  std::string trial_, total_text_, stage_, phase_, shown_text_;
  std::vector<std::string> ranking_;
  std::int64_t number_ = 0, total_ = 0, round_ = 0;
  std::string left_prefix_;
  std::int64_t end_ns_ = 0, trial_start_ns_ = 0, phase_start_ns_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace

std::unique_ptr<RunDisplay> make_status_block(ColorWish wish) {
  return std::make_unique<StatusBlock>(wish);
}

}  // namespace tune::cli
