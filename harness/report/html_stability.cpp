// The section of report.html about how steady the measurement was.

#include "base/units.h"
#include "campaign/taint.h"
#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/noise_text.h"
#include "report/number_text.h"
#include "report/spread_plot.h"
#include "report/step_sequence.h"
#include "report/trial_rates_plot.h"
#include "report/trial_steps.h"
#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::TrialRecord;
using Align = RankedTable::Align;

constexpr double kNano = 1e-9;

std::string time_text(double seconds) {
  return std::isfinite(seconds) ? format_seconds(seconds) : "not measured";
}

// The last of the telling trials that has its steps.
std::optional<StepSequence> sequence_of(const CampaignResult& result, const CellResult& cell) {
  std::optional<StepSequence> sequence;
  for (const TrialRecord* const trial : telling_trials(result, cell)) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    if (reply.step_ns.size() > 1) {
      const auto warmup = static_cast<std::size_t>(std::max<std::int64_t>(0, reply.warmup_steps));
      sequence = StepSequence{.label = cell.cell.id + ", trial " + trial->spec.id,
                              .step_ns = reply.step_ns,
                              .warmup_steps = std::min(warmup, reply.step_ns.size())};
    }
  }
  return sequence;
}

// "12.3 ms", of one that does not count "12.3 ms, warm-up"; "" behind the last.
std::string step_text(const StepSequence& sequence, std::size_t step) {
  if (step >= sequence.step_ns.size()) {
    return "";
  }
  return format_time(sequence.step_ns[step]) + (step < sequence.warmup_steps ? ", warm-up" : "");
}

// What the drawing shows, in numbers.
Markup sequence_table(const std::vector<StepSequence>& sequences) {
  constexpr std::size_t kMostSteps = 300;
  HtmlTable table{.caption = "Time of each step, from the first of the process",
                  .columns = {{"step", Align::right}}};
  std::size_t steps = 0;
  for (const StepSequence& sequence : sequences) {
    table.columns.push_back({one_line(sequence.label), Align::right});
    steps = std::max(steps, sequence.step_ns.size());
  }
  for (std::size_t step = 0; step < std::min(steps, kMostSteps); ++step) {
    std::vector<std::string> row = {std::to_string(step + 1)};
    for (const StepSequence& sequence : sequences) {
      row.push_back(step_text(sequence, step));
    }
    table.rows.push_back(std::move(row));
  }
  Markup html = html_table(table);
  if (steps > kMostSteps) {
    html.append(paragraph("The first " + std::to_string(kMostSteps) + " of " +
                          grouped(static_cast<std::int64_t>(steps)) +
                          " steps; all are in the reply.json of each trial."));
  }
  return folded("The steps one by one", html);
}

Markup sequence_part(const CampaignResult& result) {
  std::vector<StepSequence> sequences;
  for (const CellResult* const cell : baseline_and_best(result)) {
    if (auto sequence = sequence_of(result, *cell)) {
      sequences.push_back(std::move(*sequence));
    }
  }
  const auto drawing = step_sequences(sequences);
  if (!drawing) {
    return paragraph("The times of single steps are not known.");
  }
  return figure({*drawing},
                "The steps of one trial in the order run. Shaded: the warm-up, which does not "
                "count. A column may hold several steps, from the shortest to the longest; a "
                "triangle marks what is longer than the scale.")
      .append(sequence_table(sequences));
}

std::vector<NamedSpread> spreads_of(const CampaignResult& result) {
  std::vector<NamedSpread> spreads;
  for (const CellResult* const cell : baseline_and_best(result)) {
    if (auto spread = step_spread(result, *cell)) {
      spreads.push_back({one_line(cell->cell.id), std::move(*spread)});
    }
  }
  return spreads;
}

Markup spread_part(const CampaignResult& result) {
  const std::vector<NamedSpread> spreads = spreads_of(result);
  Markup html;
  const auto drawing = spread_plot(spreads);
  if (!drawing) {
    return html;
  }
  html.append(figure({*drawing},
                     "All steps that count. Line: 1st to 99th percentile. Box: quartiles. Tick: "
                     "median. Circles: the longest steps that lie far out, at most 20."));
  HtmlTable table{.caption = "Time of a step in the measured windows",
                  .columns = {{"cell"},
                              {"trials", Align::right},
                              {"steps", Align::right},
                              {"median", Align::right},
                              {"90 %", Align::right},
                              {"99 %", Align::right},
                              {"longest", Align::right},
                              {"spread", Align::right},
                              {"far out", Align::right}}};
  for (const NamedSpread& row : spreads) {
    const StepSpread& spread = row.spread;
    table.rows.push_back({row.label,
                          std::to_string(spread.trials),
                          std::to_string(spread.steps),
                          time_text(spread.median_s),
                          time_text(spread.p90_s),
                          time_text(spread.p99_s),
                          time_text(spread.max_s),
                          share_text(spread.deviation_ratio),
                          std::to_string(spread.outliers)});
  }
  html.append(html_table(table));
  return html.append(
      paragraph("Spread: the robust standard deviation (MAD) over the median. Far "
                "out: longer than the median by more than five of them and by more "
                "than 5 %. None is left out of the throughput.",
                "quiet"));
}

// Of the clean slices, as the rounds use it.
std::optional<double> rate_of(const TrialRecord& trial) {
  const auto rate = campaign::clean_rate(*trial.outcome.reply).rate;
  return rate && std::isfinite(*rate) && *rate > 0 ? rate : std::nullopt;
}

RateLane lane_of(const CampaignResult& result, const CellResult& cell) {
  RateLane lane{.label = one_line(cell.cell.id), .rates = {}};
  // Clocks of different machines say nothing about one another: each shard begins at 0.
  std::map<std::int64_t, std::int64_t> begin_ns;
  for (const TrialRecord& trial : result.trials) {
    begin_ns.emplace(trial.shard, trial.outcome.start_ns);
  }
  std::vector<double> rates;
  for (const TrialRecord& trial : result.trials) {
    const bool counts = trial.spec.cell == cell.cell.id && trial.outcome.reply &&
                        (trial.stage == cell.stage || trial.stage == "confirm") &&
                        trial.outcome.kind == runner::OutcomeKind::completed;
    const auto rate = counts ? rate_of(trial) : std::nullopt;
    if (rate) {
      rates.push_back(*rate);
      const auto since_ns = static_cast<double>(trial.outcome.start_ns) -
                            static_cast<double>(begin_ns.at(trial.shard));
      lane.rates.push_back({one_line(trial.spec.id), since_ns * kNano, *rate});
    }
  }
  const double middle = rates.empty() ? 1 : stats::median(rates);
  for (TrialRate& rate : lane.rates) {
    rate.ratio = rate.ratio / middle - 1;
  }
  return lane;
}

Markup rates_figure(const CampaignResult& result) {
  std::vector<RateLane> lanes;
  for (const CellResult* const cell : baseline_and_best(result)) {
    lanes.push_back(lane_of(result, *cell));
  }
  const auto drawing = trial_rates_plot(lanes);
  return drawing ? figure({*drawing},
                          "Every trial of search and confirmation at the time it began, against "
                          "the median of its setting. A slope is a machine that drifts; pairs and "
                          "random order keep it out of the gains.")
                 : Markup();
}

}  // namespace

Markup stability_section(const CampaignResult& result, const PageDetail& detail) {
  Markup html;
  html.section("How steady it was");
  if (result.trials.empty()) {
    return html.append(paragraph("No trial was run.")).close().line();
  }
  html.append(detail.has_single_steps ? sequence_part(result)
                                      : paragraph(left_out_sentence("The steps of single trials",
                                                                    "the reply.json of each")));
  html.append(spread_part(result));
  html.append(rates_figure(result));
  std::vector<std::string> lines;
  if (const std::string text = result.steadiness.text("trials"); !text.empty()) {
    lines.push_back(text);
  } else if (result.steadiness.trials > 0) {
    lines.push_back("All " + counted(result.steadiness.trials, "trial") +
                    " of search and confirmation measured a steady state.");
  }
  lines.push_back(equal_sides_text(result));
  return html.append(bullets(lines)).close().line();
}

}  // namespace tune::report
