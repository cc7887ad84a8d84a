// How steady the measurement was.

#include "base/stats/quantile.h"
#include "base/units.h"
#include "measure/campaign/measured_facts.h"
#include "measure/campaign/taint.h"
#include "report/headline.h"
#include "report/noise_text.h"
#include "report/number_text.h"
#include "report/run_charts.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/trial_steps.h"

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
using Align = Table::Align;

constexpr double kNano = 1e-9;

std::string time_text(double seconds) {
  return std::isfinite(seconds) ? format_seconds(seconds) : "not measured";
}

// The last of the trials that count that has its steps.
std::optional<StepSequence> sequence_of(const CampaignResult& result, const CellResult& cell) {
  std::optional<StepSequence> sequence;
  for (const TrialRecord* const trial : campaign::window_trials(result, cell)) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    if (reply.step_ns.size() > 1) {
      const auto warmup = static_cast<std::size_t>(std::max<std::int64_t>(0, reply.warmup_steps));
      sequence =
          StepSequence{.label = drawn_name(result, cell.cell.id) + ", trial " + trial->spec.id,
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
Folded sequence_numbers(const std::vector<StepSequence>& sequences) {
  constexpr std::size_t kMostSteps = 300;
  Table table{.caption = "Time of each step, from the first of the process",
              .columns = {{"step", Align::right}}};
  std::size_t steps = 0;
  for (const StepSequence& sequence : sequences) {
    table.columns.push_back({one_line(sequence.label), Align::right});
    steps = std::max(steps, sequence.step_ns.size());
  }
  for (std::size_t step = 0; step < std::min(steps, kMostSteps); ++step) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(std::to_string(step + 1));
    for (const StepSequence& sequence : sequences) {
      row.push_back(step_text(sequence, step));
    }
  }
  Folded numbers{"The steps one by one", {{std::move(table)}}};
  if (steps > kMostSteps) {
    numbers.blocks.push_back({Sentence{"The first " + std::to_string(kMostSteps) + " of " +
                                       grouped(static_cast<std::int64_t>(steps)) +
                                       " steps; all are in the reply.json of each trial."}});
  }
  return numbers;
}

void add_sequences(const CampaignResult& result, Section& section) {
  std::vector<StepSequence> sequences;
  for (const CellResult* const cell : baseline_and_best(result)) {
    if (auto sequence = sequence_of(result, *cell)) {
      sequences.push_back(std::move(*sequence));
    }
  }
  const auto drawing = step_sequences(sequences);
  if (!drawing) {
    section.add(Sentence{"The times of single steps are not known."});
    return;
  }
  section
      .add(Figure{{*drawing},
                  "The steps of one trial in the order run. Shaded: the warm-up, which does not "
                  "count. A column may hold several steps, from the shortest to the longest; a "
                  "triangle marks what is longer than the scale."})
      .add(sequence_numbers(sequences));
}

std::vector<NamedSpread> spreads_of(const CampaignResult& result) {
  std::vector<NamedSpread> spreads;
  for (const CellResult* const cell : baseline_and_best(result)) {
    if (auto spread = step_spread(result, *cell)) {
      spreads.push_back({drawn_name(result, cell->cell.id), std::move(*spread)});
    }
  }
  return spreads;
}

Table spread_table(const std::vector<NamedSpread>& spreads) {
  Table table{.caption = "Time of a step in the measured windows",
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
  return table;
}

void add_spreads(const CampaignResult& result, Section& section) {
  const std::vector<NamedSpread> spreads = spreads_of(result);
  const auto drawing = spread_plot(spreads);
  if (!drawing) {
    return;
  }
  section
      .add(Figure{{*drawing},
                  "All steps that count. Line: 1st to 99th percentile. Box: quartiles. Tick: "
                  "median. Circles: the longest steps that lie far out, at most 20."})
      .add(spread_table(spreads))
      .add(Sentence{.text = "Spread: the robust standard deviation (MAD) over the median. Far "
                            "out: longer than the median by more than five of them and by more "
                            "than 5 %. None is left out of the throughput.",
                    .is_quiet = true});
}

// The rate of the clean slices, as the rounds use it.
std::optional<double> rate_of(const TrialRecord& trial) {
  const auto rate = campaign::clean_rate(*trial.outcome.reply).rate;
  return rate && std::isfinite(*rate) && *rate > 0 ? rate : std::nullopt;
}

RateLane lane_of(const CampaignResult& result, const CellResult& cell) {
  RateLane lane{.label = drawn_name(result, cell.cell.id), .rates = {}};
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

void add_rates(const CampaignResult& result, Section& section) {
  std::vector<RateLane> lanes;
  for (const CellResult* const cell : baseline_and_best(result)) {
    lanes.push_back(lane_of(result, *cell));
  }
  if (const auto drawing = trial_rates_plot(lanes)) {
    section.add(Figure{{*drawing},
                       "Every trial of search and confirmation at the time it began, against "
                       "the median of its setting. A slope is a machine that drifts; pairs and "
                       "random order keep it out of the gains."});
  }
}

// Which of them were not steady is known where their replies are.
std::string steadiness_line(const Run& run) {
  if (run.directory != nullptr) {
    const campaign::SteadyTally& tally = run.directory->steadiness;
    std::string text = tally.text("trials");
    const std::int64_t weak = run.result.summary.trials.weak.value_or(0);
    if (!text.empty() || tally.trials == 0) {
      return text;
    }
    return weak > 0 ? weakness_words(weak, tally.trials) + "."
                    : "All " + counted(tally.trials, "trial") +
                          " of search and confirmation measured a steady state.";
  }
  const std::int64_t not_steady = run.result.summary.trials.not_steady.value_or(0);
  return not_steady == 0 ? ""
                         : counted(not_steady, "trial") + (not_steady == 1 ? " was" : " were") +
                               " not steady: see the list of all trials.";
}

}  // namespace

Section run_stability_section(const Run& run, const PageDetail& detail) {
  Section section{.title = "How steady it was"};
  if (run.result.provenance.trials.empty()) {
    return section.add(Sentence{"No trial was run."});
  }
  if (run.directory != nullptr) {
    if (detail.has_single_steps) {
      add_sequences(*run.directory, section);
    } else {
      section.add(
          Sentence{left_out_sentence("The steps of single trials", "the reply.json of each")});
    }
    add_spreads(*run.directory, section);
    add_rates(*run.directory, section);
  }
  std::vector<std::string> lines;
  if (const std::string line = steadiness_line(run); !line.empty()) {
    lines.push_back(line);
  }
  lines.push_back(equal_sides_text(run.result));
  return section.add(List{lines});
}

}  // namespace tune::report
