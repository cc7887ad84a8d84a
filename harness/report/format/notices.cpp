#include "report/format/notices.h"

#include "base/sha256.h"
#include "report/format/scenario_lines.h"
#include "report/format/stored_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tune::report {

namespace {

using Level = Notice::Level;

Notice notice_of(const result::Recommendation& recommendation, const ScenarioLines& lines) {
  Notice notice{.level = recommendation.verdict == "CONFIRMED" ? Level::warning : Level::note,
                .rule = recommendation.rule.empty() ? "recommendation" : recommendation.rule,
                .subject = result::change_text(recommendation.change),
                .title = recommendation.title.empty() ? recommendation.rule : recommendation.title,
                .text = recommendation.id + ": " + sentence(recommendation),
                .link = recommendation.links.empty() ? "" : recommendation.links.front(),
                .line = lines.of_name()};
  if (!recommendation.change.knobs.empty()) {
    notice.line = lines.of_baseline(recommendation.change.knobs.front().name);
  }
  return notice;
}

Notice notice_of(const result::Cell& cell, const ScenarioLines& lines) {
  const bool is_baseline = cell.id == "baseline";
  return {
      .level = is_baseline ? Level::error : Level::warning,
      .rule = "cell/" + cell.outcome,
      .subject = cell.setting,
      .title = is_baseline ? "The baseline failed" : "A setting of the grid failed",
      .text = cell.setting + ": " + cell.outcome + (cell.reason.empty() ? "" : ": " + cell.reason),
      .line = is_baseline            ? lines.of_baseline("")
              : cell.changed.empty() ? lines.of_grid("")
                                     : lines.of_grid(cell.changed.front().first)};
}

Level at_most(Level level, const std::string& mode) {
  return mode == "shadow"                          ? Level::note
         : mode == "warn" && level == Level::error ? Level::warning
                                                   : level;
}

std::optional<Level> level_of(const result::Gate& gate, const std::string& verdict) {
  if (verdict == "REGRESSED") {
    return at_most(Level::error, gate.mode);
  }
  if (verdict == "INCONCLUSIVE") {
    return at_most(gate.inconclusive == "fail"   ? Level::error
                   : gate.inconclusive == "pass" ? Level::note
                                                 : Level::warning,
                   gate.mode);
  }
  return std::nullopt;
}

// `against`: what the row is compared with, where that is not the baseline.
void add_row(const result::Gate& gate,
             const result::GateRow& row,
             const std::string& against,
             const ScenarioLines& lines,
             std::vector<Notice>& found) {
  const auto level = row.is_gated ? level_of(gate, row.verdict) : std::nullopt;
  if (level) {
    const std::string title = row.metric + " " + row.verdict + against;
    found.push_back({.level = *level,
                     .rule = (against.empty() ? "gate/" : "gate/anchor/") + row.metric,
                     .title = title,
                     .text = title + ": " + sentence(row),
                     .line = lines.of_gate(row.metric)});
  }
}

void add_anchor(const result::Gate& gate, const ScenarioLines& lines, std::vector<Notice>& found) {
  const result::GateAnchor& anchor = *gate.anchor;
  for (const result::GateRow& row : anchor.rows) {
    add_row(gate, row, " against the anchor, " + anchor.words, lines, found);
  }
  const std::string rest = verdict_of_end(anchor.end, anchor.verdict);
  const auto level = anchor.end == "judged" ? std::nullopt : level_of(gate, rest);
  if (level) {
    found.push_back({.level = *level,
                     .rule = "gate/anchor/" + anchor.end,
                     .title = rest == anchor.verdict ? "Nothing was judged against the anchor"
                                                     : "The gate against the anchor ended early",
                     .text = anchor.words + ": " + anchor.end_reason,
                     .line = lines.of_gate("")});
  }
}

void add_gate(const result::Gate& gate, const ScenarioLines& lines, std::vector<Notice>& found) {
  for (const result::GateRow& row : gate.rows) {
    add_row(gate, row, "", lines, found);
  }
  const bool is_judged = gate.end == "judged" || (gate.end.empty() && !gate.rows.empty());
  const std::string rest = verdict_of_end(gate.end, gate.verdict);
  const auto level = is_judged ? std::nullopt : level_of(gate, rest);
  if (level) {
    found.push_back(
        {.level = *level,
         .rule = "gate/" + (gate.end.empty() ? "not-judged" : gate.end),
         .title = rest == gate.verdict ? "The gate judged nothing" : "The gate ended early",
         .text = rest + ": " + (gate.end_reason.empty() ? gate.why : gate.end_reason),
         .line = lines.of_gate("")});
  }
  if (gate.anchor && gate.anchor->skipped.empty()) {
    add_anchor(gate, lines, found);
  }
}

}  // namespace

std::vector<Notice> notices(const result::Result& result) {
  const ScenarioLines lines(result.scenario.text);
  std::vector<Notice> found;
  if (result.gate) {
    add_gate(*result.gate, lines, found);
  }
  for (const result::Cell& cell : result.cells) {
    if (has_failed(cell)) {
      found.push_back(notice_of(cell, lines));
    }
  }
  for (const result::Recommendation& recommendation : result.recommendations) {
    if (recommendation.verdict != "REFUTED") {
      found.push_back(notice_of(recommendation, lines));
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Notice& a, const Notice& b) {
    return a.level < b.level;
  });
  return found;
}

std::string fingerprint(const result::Result& result, const Notice& notice) {
  return sha256_hex(notice.rule + "\n" + result.scenario.name + "\n" + notice.subject)
      .substr(0, 32);
}

}  // namespace tune::report
