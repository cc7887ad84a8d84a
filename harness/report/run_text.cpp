// What a terminal shows of a run at its end.

#include "base/columns.h"
#include "base/text.h"
#include "report/diagnosis_text.h"
#include "report/fitted_table.h"
#include "report/ladder_text.h"
#include "report/latency_text.h"
#include "report/number_text.h"
#include "report/ranked_table.h"
#include "report/run_advice.h"
#include "report/run_pages.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/script_words.h"
#include "report/short_answer.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestReason = 300;

class Text {
 public:
  explicit Text(const TextLook& look) : look_(look) {}

  void line(const std::string& head, const std::string& text) {
    text_ += wrapped(head, text, look_.width);
  }

  void line(Paint paint, const std::string& head, const std::string& text) {
    const std::string lines = wrapped(head, text, look_.width);
    text_ += look_.painter ? look_.painter(paint, lines.substr(0, lines.size() - 1)) + "\n" : lines;
  }

  void add(const std::string& lines) { text_ += lines; }
  const TextLook& look() const { return look_; }
  const std::string& text() const { return text_; }

 private:
  const TextLook& look_;
  std::string text_;
};

// {"the trials run on the CPU", "cudnn_benchmark, pin_memory"}, in the plan's order.
std::vector<std::pair<std::string, std::string>> collapsed_by_reason(const result::Result& result) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const result::Collapsed& knob : result.collapsed) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.first == knob.reason;
    });
    if (known == groups.end()) {
      groups.emplace_back(knob.reason, knob.knob);
    } else {
      known->second += ", " + knob.knob;
    }
  }
  return groups;
}

void add_not_tried(const result::Result& result, Text& text) {
  for (const auto& [reason, knobs] : collapsed_by_reason(result)) {
    text.line(
        Paint::quiet, "not applicable: ", std::string(knobs).append(" (").append(reason) + ")");
  }
  for (const result::Forbidden& forbidden : result.forbidden) {
    text.line(Paint::quiet,
              "forbidden: ",
              forbidden.expression + " (" + counted(forbidden.cells, "combination") + ")");
  }
}

// What was left out, and why; what makes the numbers worth less.
std::string asides(const Run& run, const TextLook& look) {
  const result::Result& result = run.result;
  Text text(look);
  add_not_tried(result, text);
  for (const result::Cell& cell : result.cells) {
    if (!cell.outcome.empty() && cell.outcome != "completed" && cell.outcome != "not-run") {
      text.line("failed: ", setting_words(cell) + ": " + shortened(cell.reason, kLongestReason));
    }
  }
  // The others say in more words what the lines around them say.
  for (const std::string& warning :
       run.directory != nullptr ? run.directory->warnings : doubts_about(result)) {
    text.line(Paint::warning, "warning: ", one_line(warning));
  }
  if (!result.provenance.complete) {
    text.line(Paint::warning, "incomplete: ", one_line(result.provenance.incomplete_reason));
  }
  return text.text().empty() ? "" : text.text() + "\n";
}

// What limits the baseline, in the few lines that a terminal has for it.
std::string advice(const result::Result& result, const TextLook& look) {
  constexpr std::size_t kShown = 3;
  Text text(look);
  for (const std::string& line : recommendation_lines(result, kShown, look.is_verbose)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    text.line(line.substr(0, indent), line.substr(indent));
  }
  for (const std::string& line : ladder_lines(result)) {
    text.line("path ", line);
  }
  if (const std::string ceilings = ceiling_words(result); !ceilings.empty()) {
    text.line("ceilings: ", ceilings);
  }
  return text.text().empty()
             ? ""
             : "what limits the baseline (predicted gains do not add):\n" + text.text();
}

// "✓ 66.6 % faster: change 4 settings": colour, sign and word say the same.
void add_answer(const result::Result& result, Text& text) {
  const Mood mood = mood_of_answer(result);
  const char* const sign = mood == Mood::good  ? "\xE2\x9C\x93 "
                           : mood == Mood::bad ? "\xE2\x9C\x97 "
                                               : "? ";
  text.line(mood == Mood::good ? Paint::good : Paint::strong, sign, short_answer(result));
  text.line("", headline_text(result));
  if (const std::string epoch = epoch_words(result); !epoch.empty()) {
    text.line("epoch:   ", epoch);
  }
  const PairWords pairs = words_of_best_pairs(result);
  if (!pairs.form.empty()) {
    text.line("pairs:   ", "ran " + pairs.form);
  }
  if (!pairs.losses.empty()) {
    text.line("losses:  ", pairs.losses);
  }
  const Trust trust = trust_in(result);
  text.line("trust:   ",
            trust.grade + ": " + trust.reason +
                (trust.doubt.empty() ? "" : ", but: " + trust.doubt) + "; " + trust.action);
}

}  // namespace

std::string to_text(const Run& run, const TextLook& look) {
  constexpr std::size_t kShownRows = 4;  // the baseline and three others
  const result::Result& result = run.result;
  Text text(look);
  if (result.summary.trials.run > 0) {
    const std::size_t rows = look.is_verbose ? result.cells.size() : kShownRows;
    text.add(FittedTable(ranked_table(run), look.width, rows).print(look.painter));
    text.line(Paint::quiet, "", ranking_note(result));
    text.add("\n");
  }
  text.add(asides(run, look));
  text.line("", effort(result));
  for (const std::string& line : script_lines(result)) {
    const std::size_t head = line.find(": ") + 2;
    text.line(line.substr(0, head), line.substr(head));
  }
  for (const std::string& line : devices_lines(run)) {
    text.line("devices: ", line);
  }
  if (run.directory != nullptr) {
    if (const std::string audit = audit_text(run.result); !audit.empty()) {
      text.line("audit: ", audit);
    }
    for (const std::string& line : latency_lines(*run.directory)) {
      text.line("", one_line(line));
    }
  }
  if (were_rules_asked(run)) {
    text.add(advice(result, look));
  }
  if (run.directory == nullptr) {
    text.line("", what_is_missing(result));
  }
  text.add("\n");
  add_answer(result, text);
  return text.text();
}

}  // namespace tune::report
