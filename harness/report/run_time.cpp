// Where the time of a step goes, by the host's clock.

#include "base/text.h"
#include "base/units.h"
#include "measure/campaign/measured_facts.h"
#include "report/cell_times.h"
#include "report/headline.h"
#include "report/latency_text.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/run_sections.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using Align = Table::Align;

/// For the baseline, and for the best setting where it was measured.
struct Split {
  PhaseSplit now;
  std::optional<PhaseBar> best;
  std::string best_cell, window;
};

// "8 fresh pairs", "3 rounds of the search".
std::string window_words(const CampaignResult& run, const campaign::CellResult& cell) {
  const auto trials = campaign::window_trials(run, cell);
  const bool is_fresh = !trials.empty() && trials.front()->stage == "confirm";
  const auto count = trials.empty() ? cell.rounds : static_cast<std::int64_t>(trials.size());
  return is_fresh ? counted(count, "fresh pair")
                  : counted(count, "round") + " of the " + cell.stage;
}

std::optional<Split> split_of(const CampaignResult& run) {
  const Conclusion conclusion = conclude(run);
  const auto now =
      conclusion.baseline == nullptr ? std::nullopt : phase_split(run, *conclusion.baseline);
  if (!now) {
    return std::nullopt;
  }
  Split split{
      .now = *now, .best = {}, .best_cell = {}, .window = window_words(run, *conclusion.baseline)};
  const auto best = conclusion.best == nullptr ? std::nullopt : phase_split(run, *conclusion.best);
  if (best) {
    split.best_cell = "the best setting";
    split.best = PhaseBar{one_line(split.best_cell), *best};
    if (const std::string own = window_words(run, *conclusion.best); own != split.window) {
      split.window += ", of the best setting over " + own;
    }
  }
  return split;
}

std::vector<std::string> row_of(const Split& split, std::size_t part) {
  const PhaseShare& before = split.now.parts[part];
  std::vector<std::string> row = {
      std::string(before.label), number_text(before.ms_per_sample), share_text(before.ratio)};
  if (split.best) {
    const PhaseShare& after = split.best->split.parts[part];
    row.push_back(number_text(after.ms_per_sample));
    row.push_back(share_text(after.ratio));
    row.push_back(number_text(after.ms_per_sample - before.ms_per_sample));
  }
  return row;
}

Table table_of(const Split& split) {
  Table table{
      .caption = "Time of one sample in ms, by the host's clock, over " + split.window,
      .columns = {{"part"}, {"baseline, ms", Align::right}, {"baseline, share", Align::right}}};
  std::vector<std::string> total = {"sum", number_text(split.now.ms_per_sample), "100.0 %"};
  if (split.best) {
    const double after = split.best->split.ms_per_sample;
    table.columns.push_back({split.best->label + ", ms", Align::right});
    table.columns.push_back({split.best->label + ", share", Align::right});
    table.columns.push_back({"difference, ms", Align::right});
    total.insert(total.end(),
                 {number_text(after), "100.0 %", number_text(after - split.now.ms_per_sample)});
  }
  for (std::size_t i = 0; i < split.now.parts.size(); ++i) {
    table.rows.push_back(row_of(split, i));
  }
  table.rows.push_back(std::move(total));
  return table;
}

// Narrow enough for a comment.
Table short_table_of(const Split& split) {
  const auto entry = [](const PhaseShare& part) {
    return format_seconds(part.ms_per_sample * 1e-3) + " (" + share_text(part.ratio) + ")";
  };
  Table table{.columns = {{"part of a step"}, {"baseline", Align::right}}};
  if (split.best) {
    table.columns.push_back({split.best_cell, Align::right});
  }
  for (std::size_t i = 0; i < split.now.parts.size(); ++i) {
    const PhaseShare& part = split.now.parts[i];
    std::vector<std::string> row = {std::string(part.label), entry(part)};
    if (split.best) {
      row.push_back(entry(split.best->split.parts[i]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Figure drawing_of(const Split& split) {
  std::vector<PhaseBar> bars = {{"baseline", split.now}};
  if (split.best) {
    bars.push_back(*split.best);
  }
  return {{phase_bars(bars)},
          "Parts of a step by the host's clock, per sample, because batch sizes differ. They sum "
          "to the whole step."};
}

}  // namespace

Section run_time_section(const Run& run) {
  Section section{.title = "Where the time goes"};
  if (run.directory == nullptr) {
    return section;
  }
  const std::optional<Split> split = split_of(*run.directory);
  if (!split) {
    return section.add(Sentence{"The phases of the baseline were not measured."}, kInHtml);
  }
  section.add(drawing_of(*split), kInHtml)
      .add(Folded{"The parts in numbers", {{table_of(*split)}}}, kInHtml)
      .add(short_table_of(*split), kInMarkdown)
      .add(Sentence{"Time of one sample, over " + split->window + "."}, kInMarkdown);
  const std::vector<std::string> latencies = latency_lines(*run.directory);
  for (const std::string& line : latencies) {
    section.add(Sentence{"- " + line}, kInMarkdown);  // long ones, so each with space around it
  }
  return section.add(List{latencies}, kInHtml);
}

}  // namespace tune::report
