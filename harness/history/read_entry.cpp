#include "history/read_entry.h"

#include "advice/prediction_history.h"
#include "base/error.h"
#include "base/sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

namespace tune::history {

namespace {

using nlohmann::json;

// What results without `own_setting` call a side that is the scenario's baseline as it is written.
constexpr const char* kOwnWords = "the scenario's baseline setting";
constexpr const char* kBaseline = "baseline";
constexpr const char* kCandidate = "candidate";
constexpr const char* kConfirm = "confirm";
constexpr std::array<const char*, 4> kFollowed = {
    "epoch_time", "step_time", "data_wait_ratio", "peak_memory_bytes"};
constexpr double kLargest = 1e18;
constexpr double kMostSeconds = 1e10;  // three centuries
constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::size_t kSubjectDigits = 16;

const json* find(const json& from, std::initializer_list<const char*> path) {
  const json* at = &from;
  for (const char* const key : path) {
    if (!at->is_object()) {
      return nullptr;
    }
    const auto found = at->find(key);
    if (found == at->end()) {
      return nullptr;
    }
    at = &*found;
  }
  return at;
}

std::string text_at(const json& from, std::initializer_list<const char*> path) {
  const json* const found = find(from, path);
  return found != nullptr && found->is_string() ? bounded_text(found->get_ref<const std::string&>())
                                                : "";
}

std::optional<double> number_at(const json& from, std::initializer_list<const char*> path) {
  const json* const found = find(from, path);
  if (found == nullptr || !found->is_number()) {
    return std::nullopt;
  }
  const auto value = found->get<double>();
  return std::isfinite(value) && std::fabs(value) <= kLargest ? std::optional(value) : std::nullopt;
}

std::int64_t count_at(const json& from, std::initializer_list<const char*> path) {
  const auto value = number_at(from, path);
  return value && *value >= 0 && *value <= static_cast<double>(kMost)
             ? static_cast<std::int64_t>(*value)
             : 0;
}

const json& empty_list() {
  static const json none = json::array();
  return none;
}

const json& list_at(const json& from, std::initializer_list<const char*> path) {
  const json* const found = find(from, path);
  return found != nullptr && found->is_array() ? *found : empty_list();
}

// {value, lower, upper, n, unit}; nothing without a value.
void add_measure(std::string name, const json* estimate, std::vector<Measure>& measures) {
  if (estimate == nullptr) {
    return;
  }
  const auto value = number_at(*estimate, {"value"});
  if (!value) {
    return;
  }
  Measure measure;
  measure.name = std::move(name);
  measure.unit = text_at(*estimate, {"unit"});
  measure.value = *value;
  measure.lower = number_at(*estimate, {"lower"});
  measure.upper = number_at(*estimate, {"upper"});
  measure.n = count_at(*estimate, {"n"});
  measures.push_back(std::move(measure));
}

// A GPU that trained nothing makes no difference.
std::string machine_class(const json& result) {
  const std::int64_t cpus = count_at(result, {"environment", "cpus"});
  const std::string model = text_at(result, {"environment", "cpu_model"});
  std::string text = std::to_string(cpus);
  text += cpus == 1 ? " CPU " : " CPUs ";
  text += model.empty() ? "of unknown model" : model;
  if (text_at(result, {"environment", "device"}) == "cuda") {
    for (const json& gpu : list_at(result, {"environment", "gpus"})) {
      text += ", " + (gpu.is_string() ? gpu.get<std::string>() : std::string("unknown GPU"));
    }
  }
  return bounded_text(text);
}

// The settings of the baseline that came from the command line; not how often it was measured.
std::string knob_overrides(const json& result) {
  const json* const knobs = find(result, {"summary", kBaseline, "knobs"});
  std::string text;
  for (const json& entry : list_at(result, {"provenance", "overrides"})) {
    if (knobs == nullptr || !knobs->is_object() || !entry.is_string()) {
      continue;
    }
    const auto& assignment = entry.get_ref<const std::string&>();
    if (knobs->contains(assignment.substr(0, assignment.find('=')))) {
      text += assignment + "\n";
    }
  }
  return text;
}

std::string subject_of(const json& result, const std::string& kind) {
  std::string text = text_at(result, {"scenario", "sha256"});
  text += "\n" + text_at(result, {"environment", "data", "manifest_sha256"}) + "\n";
  // Those of a gate change its candidate, which is followed only where there are none.
  text += kind == "run" ? knob_overrides(result) : "";
  return sha256_hex(text).substr(0, kSubjectDigits);
}

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// "amp=bf16 num_workers=2"
std::string setting_text(const json* changed) {
  std::string text;
  if (changed != nullptr && changed->is_object()) {
    for (const auto& field : changed->items()) {
      text += text.empty() ? "" : " ";
      text += field.key();
      text += "=" + value_text(field.value());
    }
  }
  return bounded_text(text);
}

// Fresh pairs say more than the search, which says it first.
const json* baseline_metric(const json& result, const std::string& id) {
  const json* chosen = nullptr;
  for (const json& metric : list_at(result, {"metrics"})) {
    if (text_at(metric, {"id"}) != id || text_at(metric, {"cell"}) != kBaseline ||
        !number_at(metric, {"value"})) {
      continue;
    }
    if (chosen == nullptr || text_at(metric, {"window"}) == kConfirm) {
      chosen = &metric;
    }
  }
  return chosen;
}

void read_run(const json& result, Entry& entry) {
  entry.setting = setting_text(find(result, {"summary", "best", "changed"}));
  entry.verdict = text_at(result, {"summary", "standing"});
  entry.headline = text_at(result, {"summary", "headline"});
  add_measure("throughput", find(result, {"summary", kBaseline, "throughput"}), entry.measures);
  add_measure("best_throughput", find(result, {"summary", "best", "throughput"}), entry.measures);
  add_measure("gain", find(result, {"summary", "best", "gain"}), entry.measures);
  for (const char* const id : kFollowed) {
    add_measure(id, baseline_metric(result, id), entry.measures);
  }
}

bool is_own_setting(const json& gate, const char* side) {
  if (const json* const told = find(gate, {"sides", side, "own_setting"})) {
    return told->is_boolean() && told->get<bool>();
  }
  const bool is_kept = side == kBaseline && !text_at(gate, {"stored_baseline"}).empty();
  return !is_kept && text_at(gate, {"sides", side, "words"}) == kOwnWords;
}

// The side that ran what the scenario calls its baseline; "" where none did. Of two commits it is
// the candidate: a history follows HEAD.
std::string own_side(const json& gate) {
  return is_own_setting(gate, kBaseline)    ? kBaseline
         : is_own_setting(gate, kCandidate) ? kCandidate
                                            : "";
}

void read_gate(const json& gate, Entry& entry) {
  entry.setting = text_at(gate, {"sides", kCandidate, "words"});
  entry.verdict = text_at(gate, {"verdict"});
  const std::string why = text_at(gate, {"why"});
  entry.headline = bounded_text(why.empty() ? entry.verdict : entry.verdict + ": " + why);
  const std::string side = own_side(gate);
  for (const json& row : list_at(gate, {"rows"})) {
    const std::string metric = text_at(row, {"metric"});
    if (text_at(row, {"kind"}) != "measured" || metric.empty()) {
      continue;
    }
    if (const auto value = side.empty() ? std::nullopt : number_at(row, {side.c_str()})) {
      Measure measure;
      measure.name = metric;
      measure.unit = text_at(row, {"unit"});
      measure.value = *value;
      measure.n = count_at(row, {"pairs"});
      entry.measures.push_back(std::move(measure));
    }
    add_measure(bounded_text("delta_" + metric), find(row, {"delta"}), entry.measures);
  }
}

std::vector<advice::JudgedPrediction> predictions_of(const std::string& result_json,
                                                     const std::string& directory) {
  try {
    return advice::read_predictions(result_json, directory).predictions;
  } catch (const Error&) {  // older than the rules, or damaged in this part alone
    return {};
  }
}

// A part of the run that it will be joined to.
bool is_shard(const json& result) {
  const json* const overrides = find(result, {"provenance", "overrides"});
  return overrides != nullptr && overrides->is_array() &&
         std::any_of(overrides->begin(), overrides->end(), [](const json& word) {
           return word.is_string() && word.get<std::string>().starts_with("shard=");
         });
}

}  // namespace

std::optional<Entry> read_entry(const std::string& result_json, const std::string& where) {
  const json result = json::parse(result_json, nullptr, false);
  if (result.is_discarded()) {
    throw Error(Error::Parts{where, "result.json is damaged", "no JSON", "tune report " + where});
  }
  if (const std::string schema = text_at(result, {"schema"}); schema != "tune-result/1") {
    throw Error(Error::Parts{
        where, "result.json is of another version", schema.empty() ? "no schema" : schema, ""});
  }
  Entry entry;
  entry.kind = text_at(result, {"kind"});
  if ((entry.kind != "run" && entry.kind != "gate") || is_shard(result)) {
    return std::nullopt;
  }
  const json* const again = find(result, {"gate", "after_the_fact"});
  if (again != nullptr && again->is_object()) {  // what was measured is an entry already
    return std::nullopt;
  }
  entry.scenario = text_at(result, {"scenario", "name"});
  entry.started_utc = text_at(result, {"provenance", "started"});
  if (entry.scenario.empty() || entry.started_utc.empty()) {
    throw Error(Error::Parts{
        where, "result.json is damaged", "it lacks the scenario's name or the start", ""});
  }
  entry.machine = machine_class(result);
  entry.subject = subject_of(result, entry.kind);
  entry.elapsed_s =
      std::fmin(std::fabs(number_at(result, {"provenance", "elapsed"}).value_or(0)), kMostSeconds);
  entry.directory = text_at(result, {"provenance", "directory"});
  const json* const complete = find(result, {"provenance", "complete"});
  entry.complete = complete == nullptr || !complete->is_boolean() || complete->get<bool>();
  entry.tune_version = text_at(result, {"provenance", "tune_version"});
  entry.commit = text_at(result, {"provenance", "commit"});
  entry.torch_version = text_at(result, {"environment", "worker", "torch_version"});
  entry.worker_sha256 = text_at(result, {"provenance", "worker_sha256"});
  if (entry.kind == "run") {
    read_run(result, entry);
    entry.predictions = predictions_of(result_json, entry.directory);
  } else if (const json* const gate = find(result, {"gate"})) {
    read_gate(*gate, entry);
  }
  entry.key = entry_key(entry);
  return entry;
}

}  // namespace tune::history
