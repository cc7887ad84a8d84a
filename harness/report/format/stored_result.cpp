#include "report/format/stored_result.h"

#include "base/error.h"
#include "report/format/json_value.h"
#include "report/format/stored_text.h"
#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tune::report {

namespace {

using nlohmann::json;

const json& at(const json& object, const char* key) {
  return json_member(object, key);
}

std::string clean(const std::string& text) {
  return shortened(text, kLongestJsonText);
}

std::string text_at(const json& object, const char* key) {
  return json_text(at(object, key));
}

std::optional<double> number_at(const json& object, const char* key) {
  return json_number(at(object, key));
}

std::int64_t count_at(const json& object, const char* key) {
  return json_count(at(object, key));
}

bool flag_at(const json& object, const char* key, bool otherwise) {
  const json& value = at(object, key);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

template <class Read>
auto read_list(const json& list, Read read) {
  std::vector<decltype(read(list))> items;
  if (list.is_array()) {
    for (const json& item : list) {
      items.push_back(read(item));
    }
  }
  return items;
}

// `reason` where there is no such object: <field>_reason.
StoredNumber read_number(const json& object, const std::string& reason = "") {
  StoredNumber number{.value = number_at(object, "value"),
                      .confidence = number_at(object, "confidence"),
                      .n = count_at(object, "n"),
                      .unit = text_at(object, "unit"),
                      .reason = object.is_object() ? text_at(object, "reason") : reason};
  const auto lower = number_at(object, "lower"), upper = number_at(object, "upper");
  if (number.value && lower && upper && *lower <= *upper) {
    number.lower = lower;
    number.upper = upper;
  }
  return number;
}

// Of any length. What is nested has no meaning here, and may be nested without end.
std::string value_text(const json& value) {
  return value.is_string()       ? one_line(value.get_ref<const std::string&>())
         : value.is_null()       ? ""
         : value.is_structured() ? "..."
                                 : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

StoredSetting read_setting(const json& knobs) {
  StoredSetting setting;
  if (knobs.is_object()) {
    for (const auto& [name, value] : knobs.items()) {
      setting.emplace_back(clean(name), clean(value_text(value)));
    }
  }
  return setting;
}

StoredCell read_cell(const json& object) {
  StoredCell cell{.id = text_at(object, "id"),
                  .outcome = text_at(object, "outcome"),
                  .reason = text_at(object, "reason"),
                  .window = text_at(object, "window"),
                  .rounds = count_at(object, "rounds")};
  const json& changed = at(object, "changed");
  if (changed.is_object()) {
    for (const auto& [name, value] : changed.items()) {
      cell.knobs.push_back(clean(name));
      cell.setting += (cell.setting.empty() ? "" : " ") + one_line(name) + "=" + value_text(value);
    }
  }
  cell.whole_setting = read_setting(at(object, "knobs"));
  cell.setting =
      shortened_distinctly(cell.setting.empty() ? cell.id : cell.setting, kLongestJsonText);
  cell.throughput = read_number(at(object, "throughput"), text_at(object, "throughput_reason"));
  cell.gain = read_number(at(object, "gain"), text_at(object, "gain_reason"));
  return cell;
}

StoredMetric read_metric(const json& object) {
  return {.id = text_at(object, "id"),
          .cell = text_at(object, "cell"),
          .window = text_at(object, "window"),
          .number = read_number(object)};
}

StoredSlice read_slice(const json& object) {
  return {.steps = count_at(object, "steps"),
          .samples = count_at(object, "samples"),
          .seconds = number_at(object, "seconds").value_or(0),
          .counts = flag_at(object, "counts", true)};
}

StoredTrial read_trial(const json& object) {
  const json& measured = at(object, "measured");
  return {.id = text_at(object, "id"),
          .cell = text_at(object, "cell"),
          .stage = text_at(object, "stage"),
          .outcome = text_at(object, "outcome"),
          .reason = text_at(object, "reason"),
          .round = count_at(object, "round"),
          .seconds = number_at(object, "seconds"),
          .throughput = number_at(measured, "throughput"),
          .samples = count_at(measured, "samples"),
          .cpu_seconds = number_at(measured, "cpu_seconds"),
          .slices = read_list(at(measured, "slices"), read_slice)};
}

StoredRecommendation read_recommendation(const json& object) {
  StoredRecommendation read{
      .id = text_at(object, "id"),
      .rule = text_at(object, "rule"),
      .title = text_at(object, "title"),
      .severity = text_at(object, "severity"),
      .verdict = text_at(object, "verdict"),
      .predicted = read_number(at(object, "predicted")),
      .measured = read_number(at(object, "measured"), text_at(object, "measured_reason"))};
  read.measured.n = std::max(read.measured.n, count_at(at(object, "measured"), "pairs"));
  const json& change = at(object, "change");
  for (const auto& [name, words] : read_list(at(change, "knobs"), [](const json& knob) {
         const std::string from = text_at(knob, "from"), to = value_text(at(knob, "to"));
         return std::pair(text_at(knob, "name"),
                          to.empty()     ? std::string()
                          : from.empty() ? "= " + to
                                         : std::string(from).append(" -> ").append(to));
       })) {
    read.knobs.push_back(name);
    if (!words.empty()) {
      read.change.append(read.change.empty() ? "" : ", ").append(name).append(" ").append(words);
    }
  }
  read.change = clean(read.change.empty() ? text_at(change, "text") : read.change);
  const json& links = at(object, "links");
  if (links.is_array() && !links.empty() && links.front().is_string()) {
    read.link = clean(links.front().get_ref<const std::string&>());
  }
  return read;
}

StoredRange read_range(const json& value) {
  if (value.is_array() && value.size() == 2) {
    const auto low = json_number(value[0]), high = json_number(value[1]);
    return low && high ? StoredRange{low, high} : StoredRange{};
  }
  const auto number = json_number(value);
  return {number, number};
}

StoredGateRow read_row(const json& object) {
  return {.metric = text_at(object, "metric"),
          .unit = text_at(object, "unit"),
          .is_measured = text_at(object, "kind") != "counted",
          .is_gated = flag_at(object, "gated", true),
          .baseline = read_range(at(object, "baseline")),
          .candidate = read_range(at(object, "candidate")),
          .delta = read_number(at(object, "delta")),
          .budget = number_at(object, "budget"),
          .mde = number_at(object, "mde"),
          .pairs = count_at(object, "pairs"),
          .verdict = text_at(object, "verdict"),
          .why = text_at(object, "why")};
}

StoredSide read_side(const json& gate, const char* side) {
  const json& object = at(at(gate, "sides"), side);
  return {.words = text_at(object, "words"), .whole_setting = read_setting(at(object, "knobs"))};
}

std::optional<StoredAnchor> read_anchor(const json& object) {
  if (!object.is_object()) {
    return std::nullopt;
  }
  return StoredAnchor{.words = text_at(object, "words"),
                      .skipped = text_at(object, "skipped"),
                      .verdict = text_at(object, "verdict"),
                      .why = text_at(object, "why"),
                      .end = text_at(object, "end"),
                      .end_reason = text_at(object, "end_reason"),
                      .rows = read_list(at(object, "rows"), read_row),
                      .move = text_at(object, "move"),
                      .directory = text_at(object, "directory"),
                      .warnings = read_list(at(object, "warnings"),
                                            [](const json& text) { return json_text(text); })};
}

std::optional<StoredGate> read_gate(const json& object) {
  if (!object.is_object()) {
    return std::nullopt;
  }
  return StoredGate{.verdict = text_at(object, "verdict"),
                    .why = text_at(object, "why"),
                    .mode = text_at(object, "mode"),
                    .inconclusive = text_at(object, "inconclusive"),
                    .end = text_at(object, "end"),
                    .end_reason = text_at(object, "end_reason"),
                    .rows = read_list(at(object, "rows"), read_row),
                    .baseline = read_side(object, "baseline"),
                    .candidate = read_side(object, "candidate"),
                    .anchor = read_anchor(at(object, "anchor")),
                    .is_after_the_fact = at(object, "after_the_fact").is_object()};
}

StoredScenario read_scenario_part(const json& result) {
  const json& object = at(result, "scenario");
  if (!object.is_object()) {
    return {.name = "trace", .file = text_at(at(result, "trace"), "file")};
  }
  const json& text = at(object, "text");
  return {.name = text_at(object, "name"),
          .file = text_at(object, "file"),
          .text = text.is_string() ? text.get<std::string>() : "",
          .sha256 = text_at(object, "sha256")};
}

StoredEnvironment read_environment(const json& environment, const json& provenance) {
  const json& data = at(environment, "data");
  StoredEnvironment read{.cpu_capability = text_at(at(environment, "worker"), "cpu_capability"),
                         .data_source = text_at(data, "source"),
                         .data_sha256 = text_at(data, "manifest_sha256"),
                         .worker_sha256 = text_at(provenance, "worker_sha256")};
  for (const json& gpu : at(environment, "gpus")) {
    if (gpu.is_string()) {
      read.gpus.push_back(clean(gpu.get_ref<const std::string&>()));
    }
  }
  return read;
}

void read_provenance(const json& result, StoredResult& stored) {
  const json& provenance = at(result, "provenance");
  stored.version = text_at(provenance, "tune_version");
  stored.commit = text_at(provenance, "commit");
  stored.started = text_at(provenance, "started");
  stored.elapsed_s = number_at(provenance, "elapsed");
  stored.incomplete_reason = text_at(provenance, "incomplete_reason");
  stored.trials = read_list(at(provenance, "trials"), read_trial);
  const json& environment = at(result, "environment");
  stored.device = text_at(environment, "device");
  stored.cpu_model = text_at(environment, "cpu_model");
  stored.torch_version = text_at(at(environment, "worker"), "torch_version");
  stored.cpus = count_at(environment, "cpus");
  stored.load1 = number_at(environment, "load1");
  stored.environment = read_environment(environment, provenance);
  stored.is_complete = flag_at(provenance, "complete", true);
}

void read_best(const json& result, StoredResult& stored) {
  const json& best = at(at(result, "summary"), "best");
  stored.best_cell = text_at(best, "cell");
  stored.best_gain = read_number(at(best, "gain"), text_at(best, "gain_reason"));
  stored.best_gain.n = std::max(stored.best_gain.n, count_at(at(best, "gain"), "pairs"));
}

}  // namespace

const std::string& StoredResult::setting_of(const std::string& cell) const {
  for (const StoredCell& each : cells) {
    if (each.id == cell) {
      return each.setting;
    }
  }
  return cell;
}

StoredResult read_stored_result(std::string_view text, const std::string& where) {
  const json result = json::parse(text, nullptr, false);
  if (result.is_discarded() || !result.is_object()) {
    throw Error(Error::Parts{where, "is no result of tune", "it is no JSON object", ""});
  }
  const std::string schema = text_at(result, "schema");
  if (schema != "tune-result/1") {
    throw Error(Error::Parts{
        where,
        "is no result of this version of tune",
        schema.empty() ? "it names no schema" : "its schema is " + shortened(schema, 40),
        schema.empty() ? "the result.json of a run" : "a newer tune"});
  }
  StoredResult stored{
      .kind = text_at(result, "kind"),
      .headline = text_at(at(result, "summary"), "headline"),
      .scenario = read_scenario_part(result),
      .cells = read_list(at(result, "cells"), read_cell),
      .metrics = read_list(at(result, "metrics"), read_metric),
      .recommendations = read_list(at(result, "recommendations"), read_recommendation),
      .gate = read_gate(at(result, "gate"))};
  for (const json& warning : at(result, "warnings")) {
    if (warning.is_string()) {
      stored.warnings.push_back(clean(warning.get_ref<const std::string&>()));
    }
  }
  read_provenance(result, stored);
  read_best(result, stored);
  return stored;
}

}  // namespace tune::report
