#include "measure/history/read_entry.h"

#include "advice/prediction_history.h"
#include "base/error.h"
#include "base/sha256.h"
#include "result/result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace tune::history {

namespace {

using result::Result;

// What results without `own_setting` call a side that is the scenario's baseline as it is written.
constexpr const char* kOwnWords = "the scenario's baseline setting";
constexpr const char* kBaseline = "baseline";
constexpr const char* kConfirm = "confirm";
constexpr std::array<const char*, 4> kFollowed = {
    "epoch_time", "step_time", "data_wait_ratio", "peak_memory_bytes"};
constexpr double kLargest = 1e18;
constexpr double kMostSeconds = 1e10;  // three centuries
constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::size_t kSubjectDigits = 16;

std::optional<double> bounded(const std::optional<double>& value) {
  return value && std::fabs(*value) <= kLargest ? value : std::nullopt;
}

std::int64_t bounded_count(std::int64_t count) {
  return count <= kMost ? count : 0;
}

// Nothing without a value.
void add_measure(std::string name, const result::Number& number, std::vector<Measure>& measures) {
  if (const auto value = bounded(number.value)) {
    measures.push_back({.name = std::move(name),
                        .unit = bounded_text(number.unit),
                        .value = *value,
                        .lower = bounded(number.lower),
                        .upper = bounded(number.upper),
                        .n = bounded_count(number.n)});
  }
}

// A GPU that trained nothing makes no difference.
std::string machine_class(const result::Environment& environment) {
  const std::int64_t cpus = bounded_count(environment.cpus);
  const std::string& model = environment.cpu_model.text;
  std::string text = std::to_string(cpus);
  text += cpus == 1 ? " CPU " : " CPUs ";
  text += model.empty() ? "of unknown model" : model;
  if (environment.device == "cuda") {
    for (const std::string& gpu : environment.gpus) {
      text += ", " + (gpu.empty() ? std::string("unknown GPU") : gpu);
    }
  }
  return bounded_text(text);
}

// The settings of the baseline that came from the command line; not how often it was measured.
std::string knob_overrides(const Result& result) {
  const result::Setting& knobs = result.summary.baseline.knobs;
  std::string text;
  for (const std::string& assignment : result.provenance.overrides) {
    const std::string name = assignment.substr(0, assignment.find('='));
    if (std::any_of(
            knobs.begin(), knobs.end(), [&](const auto& knob) { return knob.first == name; })) {
      text += assignment + "\n";
    }
  }
  return text;
}

std::string subject_of(const Result& result) {
  std::string text = result.scenario.sha256;
  text += "\n" + result.environment.data.manifest_sha256 + "\n";
  // Those of a gate change its candidate, which is followed only where there are none.
  text += result.kind == "run" ? knob_overrides(result) : "";
  return sha256_hex(text).substr(0, kSubjectDigits);
}

// Fresh pairs say more than the search, which says it first.
const result::Number* baseline_metric(const Result& result, const std::string& id) {
  const result::Metric* chosen = nullptr;
  for (const result::Metric& metric : result.metrics) {
    if (metric.id != id || metric.cell != kBaseline || !bounded(metric.number.value)) {
      continue;
    }
    if (chosen == nullptr || metric.window == kConfirm) {
      chosen = &metric;
    }
  }
  return chosen == nullptr ? nullptr : &chosen->number;
}

void read_run(const Result& result, Entry& entry) {
  const result::Summary& summary = result.summary;
  entry.setting = bounded_text(result::setting_text(summary.best.side.changed));
  entry.verdict = bounded_text(summary.standing);
  entry.headline = bounded_text(summary.headline);
  add_measure("throughput", summary.baseline.throughput, entry.measures);
  add_measure("best_throughput", summary.best.side.throughput, entry.measures);
  add_measure("gain", summary.best.gain, entry.measures);
  for (const char* const id : kFollowed) {
    if (const result::Number* const number = baseline_metric(result, id)) {
      add_measure(id, *number, entry.measures);
    }
  }
}

bool is_own_setting(const result::GateSide& side, bool is_kept) {
  return side.own_setting.value_or(!is_kept && side.words == kOwnWords);
}

// The side that ran what the scenario calls its baseline; null where none did. Of two commits it is
// the candidate: a history follows HEAD.
const result::Range* own_range(const result::Gate& gate, const result::GateRow& row) {
  return is_own_setting(gate.baseline, !gate.stored_baseline.empty()) ? &row.baseline
         : is_own_setting(gate.candidate, false)                      ? &row.candidate
                                                                      : nullptr;
}

void read_gate(const result::Gate& gate, Entry& entry) {
  entry.setting = bounded_text(gate.candidate.words);
  entry.verdict = bounded_text(gate.verdict);
  entry.headline = bounded_text(gate.why.empty() ? gate.verdict : gate.verdict + ": " + gate.why);
  for (const result::GateRow& row : gate.rows) {
    if (!row.is_measured || row.metric.empty()) {
      continue;
    }
    const result::Range* const own = own_range(gate, row);
    if (const auto value = own == nullptr ? std::nullopt : bounded(own->low)) {
      entry.measures.push_back({.name = bounded_text(row.metric),
                                .unit = bounded_text(row.unit),
                                .value = *value,
                                .n = bounded_count(row.pairs)});
    }
    add_measure(bounded_text("delta_" + row.metric), row.delta, entry.measures);
  }
}

std::vector<advice::JudgedPrediction> predictions_of(const Result& result,
                                                     const std::string& directory) {
  try {
    return advice::predictions_of(result, directory, directory).predictions;
  } catch (const Error&) {  // older than the rules, or damaged in this part alone
    return {};
  }
}

// A part of the run that it will be joined to.
bool is_shard(const Result& result) {
  const auto& overrides = result.provenance.overrides;
  return std::any_of(overrides.begin(), overrides.end(), [](const std::string& word) {
    return word.starts_with("shard=");
  });
}

}  // namespace

std::optional<Entry> read_entry(const std::string& result_json, const std::string& where) {
  const Result result = result::read_result_of_run(result_json, where, where);
  const bool is_kept = result.kind == "run" || result.kind == "gate";
  const bool is_judged_again =
      result.gate && result.gate->after_the_fact;  // it is an entry already
  if (!is_kept || is_shard(result) || is_judged_again) {
    return std::nullopt;
  }
  const result::Provenance& provenance = result.provenance;
  if (!result.has_scenario || result.scenario.name.empty() || provenance.started.empty()) {
    throw Error(Error::Parts{
        where, "result.json is damaged", "it lacks the scenario's name or the start", ""});
  }
  Entry entry;
  entry.kind = result.kind;
  entry.scenario = bounded_text(result.scenario.name);
  entry.started_utc = bounded_text(provenance.started);
  entry.machine = machine_class(result.environment);
  entry.subject = subject_of(result);
  entry.elapsed_s = std::fmin(std::fabs(provenance.elapsed.value_or(0)), kMostSeconds);
  entry.directory = bounded_text(provenance.directory);
  entry.complete = provenance.complete;
  entry.tune_version = bounded_text(provenance.tune_version);
  entry.commit = bounded_text(provenance.commit.text);
  entry.torch_version = bounded_text(result.environment.worker.torch_version);
  entry.worker_sha256 = bounded_text(provenance.worker_sha256);
  if (entry.kind == "run") {
    read_run(result, entry);
    entry.predictions = predictions_of(result, entry.directory);
  } else if (result.gate) {
    read_gate(*result.gate, entry);
  }
  entry.key = entry_key(entry);
  return entry;
}

}  // namespace tune::history
