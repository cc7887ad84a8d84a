#include "base/clock.h"
#include "base/units.h"
#include "cli/run_display.h"
#include "cli/terminal_text.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace tune::cli {

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
                                          stage_ + ", round " + std::to_string(round_) +
                                          "  about " + left + " left",
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
  std::int64_t end_ns_ = 0, trial_start_ns_ = 0, phase_start_ns_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace

std::unique_ptr<RunDisplay> make_status_block(ColorWish wish) {
  return std::make_unique<StatusBlock>(wish);
}

}  // namespace tune::cli
