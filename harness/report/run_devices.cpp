// Settings that train on several devices: what the others add, and what they wait for.

#include "base/units.h"
#include "measure/campaign/measured_facts.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/rank_numbers.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/trial_steps.h"
#include "trial/rank_report.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;
using result::Cell;

std::int64_t devices_of(const Cell& cell) {
  const auto found = std::find_if(cell.knobs.begin(), cell.knobs.end(), [](const auto& knob) {
    return knob.first == "devices";
  });
  const auto* const devices =
      found == cell.knobs.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return devices == nullptr ? 1 : *devices;
}

Table settings_of(const Run& run) {
  const MetricByCell efficiency(run.result, "scaling_efficiency");
  const MetricByCell exposed(run.result, "communication_exposed_ratio");
  const MetricByCell late(run.result, "straggler_ratio");
  Table table{.caption = "Settings with several devices",
              .columns = {{"setting"},
                          {"devices", Align::right},
                          {"samples/s, all", Align::right},
                          {"each", Align::right},
                          {"scaling efficiency", Align::right},
                          {"exposed communication", Align::right},
                          {"slowest rank late by", Align::right}}};
  for (const Cell& cell : run.result.cells) {
    const std::int64_t devices = devices_of(cell);
    if (devices == 1 || !cell.throughput.value) {
      continue;
    }
    if (table.rows.size() == kMostListed) {
      ++table.left_out;
      continue;
    }
    table.rows.push_back({setting_words(cell),
                          std::to_string(devices),
                          number_text(*cell.throughput.value),
                          number_text(*cell.throughput.value / static_cast<double>(devices)),
                          efficiency.text(cell.id, "not measured"),
                          exposed.text(cell.id, "not measured"),
                          late.text(cell.id, "not measured")});
  }
  return table;
}

std::string share_of_step(std::int64_t ns, const trial::RankReport& rank) {
  return share_text(static_cast<double>(ns) / static_cast<double>(rank.wall_ns()));
}

// One trial of the setting: the last that counts.
Table ranks_of(const std::string& name, const campaign::TrialRecord& trial) {
  Table table{.caption = "Each rank of " + name + ", trial " + trial.spec.id,
              .columns = {{"rank"},
                          {"samples/s", Align::right},
                          {"own part of a step", Align::right},
                          {"waiting for data", Align::right},
                          {"exposed communication", Align::right},
                          {"peak memory", Align::right}}};
  for (const trial::RankReport& rank : trial.outcome.reply->ranks) {
    if (rank.steps == 0 || rank.wall_ns() == 0) {
      continue;
    }
    const std::string gpu = rank.gpu.empty() ? "" : " (" + one_line(rank.gpu) + ")";
    table.rows.push_back(
        {std::to_string(rank.rank) + gpu,
         number_text(static_cast<double>(rank.samples) * 1e9 / static_cast<double>(rank.wall_ns())),
         format_time(rank.own.total_ns() / rank.steps),
         share_of_step(rank.own.data_wait_ns, rank),
         share_of_step(rank.communication_ns, rank),
         format_bytes(rank.peak_memory_bytes)});
  }
  return table;
}

void add_ranks(const campaign::CampaignResult& result, Section& section) {
  const Conclusion conclusion = conclude(result);
  std::vector<std::string> late;
  std::vector<const campaign::CellResult*> cells = {conclusion.baseline};
  if (conclusion.best != conclusion.baseline) {
    cells.push_back(conclusion.best);
  }
  for (const campaign::CellResult* const cell : cells) {
    if (cell == nullptr || trial::rank_count(cell->cell.knobs) == 1) {
      continue;
    }
    const auto trials = campaign::window_trials(result, *cell);
    if (trials.empty() || trials.back()->outcome.reply->ranks.empty()) {
      continue;
    }
    const std::string name = drawn_name(result, cell->cell.id);
    section.add(ranks_of(name, *trials.back()));
    for (const trial::Straggler& rank : trial::stragglers(trials.back()->outcome.reply->ranks)) {
      late.push_back(name + ": " + rank.sentence + ".");
    }
  }
  if (!late.empty()) {
    section.add(List{late});
  }
}

}  // namespace

std::vector<std::string> devices_lines(const Run& run) {
  constexpr std::size_t kMost = 4;
  const MetricByCell efficiency(run.result, "scaling_efficiency");
  const MetricByCell exposed(run.result, "communication_exposed_ratio");
  const MetricByCell late(run.result, "straggler_ratio");
  std::vector<std::string> lines;
  for (const Cell& cell : run.result.cells) {
    const std::int64_t devices = devices_of(cell);
    if (devices == 1 || !cell.throughput.value || lines.size() == kMost) {
      continue;
    }
    std::string line = setting_words(cell) + ": " + number_text(*cell.throughput.value) +
                       " samples/s of " + std::to_string(devices);
    if (efficiency.find(cell.id) != nullptr) {
      line += ", " + efficiency.text(cell.id) + " of as many alone";
    }
    if (exposed.find(cell.id) != nullptr) {
      line += ", exposed communication " + exposed.text(cell.id);
    }
    if (const result::Number* const ratio = late.find(cell.id);
        ratio != nullptr && ratio->value.value_or(0) > 0) {
      line += ", the slowest rank late by " + late.text(cell.id) + " of a step";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Section run_devices_section(const Run& run) {
  Section section{.title = "Several devices"};
  Table settings = settings_of(run);
  if (settings.rows.empty()) {
    return section;
  }
  section.add(std::move(settings));
  if (run.directory != nullptr) {
    add_ranks(*run.directory, section);
  }
  return section.add(
      Sentence{.text = "Samples/s are those of all devices together; batch_size is that of each. "
                       "Scaling efficiency: what they do of as many devices alone, each as fast as "
                       "the setting with one that is otherwise equal. Exposed communication: the "
                       "time in which a rank only waited for the others, late ones included.",
               .is_quiet = true});
}

}  // namespace tune::report
