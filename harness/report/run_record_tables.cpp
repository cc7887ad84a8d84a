#include "report/run_record_tables.h"

#include "base/units.h"
#include "report/diagnosis_text.h"
#include "report/format/stored_text.h"
#include "report/number_text.h"
#include "report/run_record_text.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace tune::report {

namespace {

constexpr const char* kUnknown = "not known";

/// Value of a metric by cell, of the first window that says it.
using ByCell = std::map<std::string, const result::Number*>;

ByCell metric_by_cell(const result::Result& record, const char* id) {
  ByCell found;
  for (const result::Metric& metric : record.metrics) {
    if (metric.id == id && metric.number.value) {
      found.emplace(metric.cell, &metric.number);
    }
  }
  return found;
}

std::string text_of(const ByCell& numbers, const std::string& cell) {
  const auto found = numbers.find(cell);
  return found == numbers.end()
             ? ""
             : number_words({.value = found->second->value, .unit = found->second->unit});
}

std::string rate_text(const result::Number& rate) {
  return rate.value ? number_text(*rate.value) : "";
}

// "[+12.0, +20.1] %"
std::string interval_of(const result::Number& gain) {
  if (!gain.lower) {
    return "";
  }
  campaign::Estimate estimate;
  estimate.value = gain.value.value_or(0);
  estimate.lower = gain.lower;
  estimate.upper = gain.upper;
  estimate.n = gain.n;
  return gain_interval_text(estimate);
}

const result::Confirmation* pairs_of(const result::Result& record, const std::string& cell) {
  const auto found =
      std::find_if(record.confirmations.begin(),
                   record.confirmations.end(),
                   [&](const result::Confirmation& row) { return row.cell == cell; });
  return found == record.confirmations.end() ? nullptr : &*found;
}

// Results before `confirmations` was say of the best cell alone.
std::string verdict_of(const result::Result& record, const result::Cell& cell) {
  if (const result::Confirmation* const pairs = pairs_of(record, cell.id)) {
    return both(pairs->verdict.empty() ? "not decided" : pairs->verdict,
                " ",
                pairs->gain.value ? gain_text(*pairs->gain.value) : "");
  }
  const bool is_best = cell.id == record.summary.best.side.cell && record.summary.best.gain.value;
  return is_best
             ? both(record.summary.best.verdict, " ", gain_text(*record.summary.best.gain.value))
             : "";
}

std::string remark_on(const result::Cell& cell) {
  const std::string outcome = cell.outcome == "completed" ? "" : cell.outcome;
  return short_text(both(cell.setting, "; ", both(outcome, ": ", cell.reason)));
}

// What an older version did not write, or nobody can take, is 0.
profile::RoleTimes role_times_of(const result::RoleTimes& stored) {
  profile::RoleTimes times{};
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    for (const auto& [name, ns] : stored) {
      if (name == profile::role_name(static_cast<profile::Role>(role))) {
        times[role] = std::max<std::int64_t>(ns, 0);
      }
    }
  }
  return times;
}

}  // namespace

TextTable settings_table(const result::Result& record, std::size_t most) {
  TextTable table{.heading = {"cell",
                              "samples/s",
                              "in search",
                              "interval",
                              "rounds",
                              "fresh pairs",
                              "peak memory",
                              "data wait",
                              "setting, remarks"},
                  .rows = {},
                  .last_is_text = true};
  const ByCell memory = metric_by_cell(record, "peak_memory_bytes");
  const ByCell wait = metric_by_cell(record, "data_wait_ratio");
  for (const result::Cell& cell : record.cells) {
    if (table.rows.size() == most) {
      break;
    }
    table.rows.push_back({short_text(cell.id),
                          rate_text(cell.throughput),
                          cell.gain.value ? gain_text(*cell.gain.value) : "",
                          interval_of(cell.gain),
                          std::to_string(cell.rounds),
                          verdict_of(record, cell),
                          text_of(memory, cell.id),
                          text_of(wait, cell.id),
                          remark_on(cell)});
  }
  return table;
}

TextTable failures_table(const result::Result& record, std::size_t most) {
  TextTable table{
      .heading = {"cell", "outcome", "trial", "setting, reason"}, .rows = {}, .last_is_text = true};
  std::map<std::string, const result::Trial*> trials;
  for (const result::Trial& trial : record.provenance.trials) {
    if (!trial.outcome.empty() && trial.outcome != "completed") {
      trials.emplace(trial.cell, &trial);
    }
  }
  for (const result::Cell& cell : record.cells) {
    const auto trial = trials.find(cell.id);
    const bool is_complete = !has_failed(cell);
    if (table.rows.size() == most || (is_complete && trial == trials.end())) {
      continue;
    }
    const result::Trial* const failed = trial == trials.end() ? nullptr : trial->second;
    const std::string reason =
        cell.reason.empty() && failed != nullptr ? failed->reason : cell.reason;
    table.rows.push_back(
        {short_text(cell.id),
         short_text(is_complete && failed != nullptr ? failed->outcome : cell.outcome),
         failed == nullptr ? "not told" : short_text(failed->id),
         short_text(both(cell.setting, "; ", reason))});
  }
  return table;
}

TextTable pairs_table(const result::Result& record) {
  constexpr std::size_t kMostPairs = 200;  // a run confirms three cells
  std::map<std::string_view, std::string_view> settings;
  for (const result::Cell& cell : record.cells) {
    settings.emplace(cell.id, cell.setting);
  }
  TextTable table{.heading = {"cell", "pairs", "verdict", "gain", "interval", "setting, why"},
                  .rows = {},
                  .last_is_text = true};
  for (const result::Confirmation& row : record.confirmations) {
    if (table.rows.size() == kMostPairs) {
      break;
    }
    const auto setting = settings.find(row.cell);
    table.rows.push_back(
        {short_text(row.cell),
         std::to_string(row.pairs),
         row.verdict.empty() ? "not decided" : short_text(row.verdict),
         row.gain.value ? gain_text(*row.gain.value) : kUnknown,
         interval_of(row.gain),
         short_text(both(
             std::string(setting == settings.end() ? row.cell : setting->second), "; ", row.why))});
  }
  return table;
}

TextTable recommendations_table(const result::Result& record, std::size_t most) {
  TextTable table{.heading = {"", "what to do", "predicted", "measured, fresh pairs", "verdict"},
                  .rows = {},
                  .last_is_text = true};
  for (const result::Recommendation& each : record.recommendations) {
    if (table.rows.size() == most) {
      break;
    }
    const bool is_range = each.predicted.gain.lower.has_value();
    table.rows.push_back(
        {short_text(each.id),
         short_text(each.title),
         is_range ? range_text(*each.predicted.gain.lower, *each.predicted.gain.upper)
                  : short_text(predicted_words(each.predicted.gain)),
         each.measured.gain.value ? gain_words(each.measured.gain) : "not measured",
         each.verdict.empty() ? "-" : short_text(each.verdict)});
  }
  return table;
}

namespace {

std::string value_of(const result::Evidence& evidence) {
  if (evidence.value.is_null()) {
    return "not known" + (evidence.reason.empty() ? "" : ": " + evidence.reason);
  }
  result::Number number;
  number.unit = evidence.unit;
  if (const auto* const real = std::get_if<double>(&evidence.value.data)) {
    number.value = *real;
  } else if (const auto* const whole = std::get_if<std::int64_t>(&evidence.value.data)) {
    number.value = static_cast<double>(*whole);
  }
  return number.value ? number_words(number) : result::value_text(evidence.value);
}

std::string limit_of(const result::Evidence& evidence) {
  return evidence.limit.empty() || evidence.limit_source.empty()
             ? evidence.limit
             : evidence.limit + " (" + evidence.limit_source + ")";
}

}  // namespace

TextTable evidence_table(const result::Finding& finding) {
  TextTable table{.heading = {"metric", "value", "compared with", "source, window"},
                  .rows = {},
                  .last_is_text = true};
  for (const result::Evidence& each : finding.evidence) {
    table.rows.push_back({short_text(each.metric),
                          short_text(value_of(each)),
                          short_text(limit_of(each)),
                          short_text(both(each.source, ", ", each.window))});
  }
  return table;
}

TextTable metrics_table(const result::Result& record, std::size_t most) {
  TextTable table{.heading = {"metric", "value and interval", "n", "cell, window"},
                  .rows = {},
                  .last_is_text = true};
  for (const result::Metric& metric : record.metrics) {
    if (table.rows.size() == most) {
      break;
    }
    table.rows.push_back({short_text(metric.id),
                          short_text(number_words(metric.number)),
                          metric.number.n > 0 ? std::to_string(metric.number.n) : "",
                          short_text(both(metric.cell, ", ", metric.window))});
  }
  return table;
}

TextTable trials_table(const result::Result& record, std::size_t most) {
  TextTable table{
      .heading = {"trial", "stage", "round", "outcome", "duration", "samples/s", "cell, reason"},
      .rows = {},
      .last_is_text = true};
  for (const result::Trial& trial : record.provenance.trials) {
    if (table.rows.size() == most) {
      break;
    }
    table.rows.push_back({short_text(trial.id),
                          short_text(trial.stage),
                          std::to_string(trial.round),
                          short_text(trial.outcome),
                          trial.seconds ? format_seconds(*trial.seconds) : kUnknown,
                          trial.measured.throughput ? number_text(*trial.measured.throughput) : "",
                          short_text(both(trial.cell, ": ", trial.reason))});
  }
  return table;
}

std::vector<RecordedSteps> recorded_steps_of(const result::Result& record) {
  std::vector<RecordedSteps> all;
  for (const result::Profile& profile : record.profiles) {
    if (profile.partition) {
      all.push_back({.cell = profile.cell,
                     .exposed_ns = role_times_of(profile.partition->exposed_ns),
                     .overlapped_ns = role_times_of(profile.partition->overlapped_ns)});
    }
  }
  std::erase_if(all, [](const RecordedSteps& steps) {
    return std::all_of(
        steps.exposed_ns.begin(), steps.exposed_ns.end(), [](std::int64_t ns) { return ns == 0; });
  });
  return all;
}

TextTable steps_table(const result::Result& record) {
  TextTable table{.heading = {"part of the recorded steps"}, .rows = {}};
  const std::vector<RecordedSteps> all = recorded_steps_of(record);
  if (all.empty()) {
    return table;
  }
  for (const RecordedSteps& steps : all) {
    table.heading.push_back(short_text(steps.cell) + ", exposed");
    table.heading.push_back(short_text(steps.cell) + ", overlapped");
  }
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const auto has_time = [&](const RecordedSteps& steps) {
      return steps.exposed_ns[role] > 0 || steps.overlapped_ns[role] > 0;
    };
    if (std::none_of(all.begin(), all.end(), has_time)) {
      continue;  // what the rows could not show, as of a device, is no zero
    }
    std::vector<std::string> row = {
        std::string(profile::role_name(static_cast<profile::Role>(role)))};
    for (const RecordedSteps& steps : all) {
      double total = 0;
      for (const std::int64_t ns : steps.exposed_ns) {
        total += static_cast<double>(ns);
      }
      row.push_back(share_text(static_cast<double>(steps.exposed_ns[role]) / total));
      row.push_back(share_text(static_cast<double>(steps.overlapped_ns[role]) / total));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace tune::report
