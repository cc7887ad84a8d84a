#include "cli/recorded_facts.h"

#include "advice/rule/known_name.h"
#include "advice/rule/trace_facts.h"
#include "base/error.h"
#include "base/file.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/read_trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

using expression::Result;
using expression::Unknown;
using expression::Value;
using nlohmann::json;
using rule::FactTable;

std::string text_in(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Null and what has no counterpart are nothing.
std::optional<Value> to_value(const json& value, const expression::Dimension& dimension) {
  if (value.is_boolean()) {
    return Value::of(value.get<bool>());
  }
  if (value.is_number()) {
    return Value::of(value.get<double>(), dimension);
  }
  if (value.is_string()) {
    return Value::of(value.get<std::string>());
  }
  return std::nullopt;
}

// {id or metric, value, unit, reason, window}: of `metrics` and of `facts`.
void add_recorded(const json& entry, const char* key, FactTable& facts) {
  const std::string name = text_in(entry, key);
  if (rule::find_known_name(name) == nullptr || !entry.contains("value")) {
    return;
  }
  const auto value = to_value(entry["value"], rule::dimension_of_unit(text_in(entry, "unit")));
  rule::Fact fact;
  if (value) {
    fact.result = *value;
  } else {
    const std::string reason = text_in(entry, "reason");
    fact.result = Unknown{reason.empty() ? "not recorded" : reason};
  }
  fact.source = "result.json";
  fact.window = text_in(entry, "window");
  const auto warnings = entry.find("warnings");
  if (warnings != entry.end() && warnings->is_array()) {
    for (const json& warning : *warnings) {
      if (warning.is_string()) {
        fact.warnings.push_back(warning.get<std::string>());
      }
    }
  }
  facts.set(name, std::move(fact));
}

void set_value(const std::string& name, const json& value, const char* source, FactTable& facts) {
  const rule::KnownName* const known = rule::find_known_name(name);
  const auto read = known != nullptr ? to_value(value, known->type.dimension) : std::nullopt;
  if (read) {
    facts.set(name, {.result = *read, .source = source});
  }
}

const json& member(const json& object, const char* key) {
  static const json kNothing;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? *found : kNothing;
}

// For a run, whose facts leave out what its profiles say.
void add_recorded_steps(const json& result, FactTable& facts) {
  for (const json& profile : member(result, "profiles")) {
    if (text_in(profile, "cell") != "baseline") {
      continue;
    }
    for (const json& metric : member(profile, "metrics")) {
      add_recorded(metric, "id", facts);
    }
  }
}

// The knobs of the baseline, as they ran.
void add_knobs(const json& result, FactTable& facts) {
  for (const json& cell : member(result, "cells")) {
    if (text_in(cell, "id") != "baseline") {
      continue;
    }
    for (const auto& [name, value] : member(cell, "knobs").items()) {
      set_value(name, value, "baseline", facts);
    }
  }
}

void add_machine(const json& result, FactTable& facts) {
  constexpr const char* kMachine = "machine";
  const json& environment = member(result, "environment");
  for (const char* const name : {"device", "cpus", "logical_cpus", "physical_cores", "governor"}) {
    set_value(name, member(environment, name), kMachine, facts);
  }
  set_value("usable_cores", member(environment, "cpus"), kMachine, facts);
  set_value("memory", member(environment, "memory_limit_bytes"), kMachine, facts);
  const json& flags = member(environment, "cpu_flags");
  for (const char* const flag : {"avx2", "avx512_bf16", "amx_bf16"}) {
    if (flags.is_array()) {
      set_value(
          flag, std::find(flags.begin(), flags.end(), json(flag)) != flags.end(), kMachine, facts);
    }
  }
  // 0 is LibTorch's choice: the worker says what it chose.
  const json& worker = member(environment, "worker");
  set_value("cpu_capability", member(worker, "cpu_capability"), "worker", facts);
  set_value("intra_op_threads", member(worker, "intra_op_threads"), "worker", facts);
}

FactTable facts_of_result(const json& result) {
  FactTable facts;
  for (const json& metric : member(result, "metrics")) {
    const std::string cell = text_in(metric, "cell");
    if (cell.empty() || cell == "baseline") {
      add_recorded(metric, "id", facts);
    }
  }
  add_recorded_steps(result, facts);
  add_knobs(result, facts);
  add_machine(result, facts);
  for (const json& fact : member(result, "facts")) {
    add_recorded(fact, "metric", facts);
  }
  const json& steps = member(member(result, "trace"), "steps");
  const json& list = member(steps, "list");
  if (member(steps, "marked") == true && list.is_array()) {
    facts.step_count = static_cast<std::int64_t>(list.size());
  }
  return facts;
}

}  // namespace

FactTable recorded_facts(const fs::path& path) {
  std::error_code failed;
  const fs::path file = fs::is_directory(path, failed) ? path / "result.json" : path;
  if (!fs::exists(file, failed)) {
    throw Error(Error::Parts{path.string(),
                             file == path ? "there is no such file" : "holds no result.json",
                             "a run, an analysis or a trace",
                             ""});
  }
  if (file.filename() == "result.json") {
    const json result = json::parse(read_file(file), nullptr, false);
    if (text_in(result, "schema") != "tune-result/1") {
      throw Error(
          Error::Parts{file.string(), "is not a result of tune", "schema tune-result/1", ""});
    }
    return facts_of_result(result);
  }
  const profile::Timeline timeline = profile::read_trace(file.string(), {});
  const metric::TraceInput input = metric::examine(timeline);
  return rule::facts_of_trace(input, metric::trace_metrics(input));
}

}  // namespace tune::cli
