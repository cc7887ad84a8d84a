#include "cli/recorded_facts.h"

#include "advice/rule/known_name.h"
#include "advice/rule/trace_facts.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/answer.h"
#include "cli/kept_report.h"
#include "measure/campaign/ledger.h"
#include "result/result.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/read_trace.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

using expression::Unknown;
using expression::Value;
using rule::FactTable;

// Nothing for what has no counterpart.
std::optional<Value> to_value(const trial::KnobValue& value, const expression::Dimension& unit) {
  if (const auto* const flag = std::get_if<bool>(&value)) {
    return Value::of(*flag);
  }
  if (const auto* const text = std::get_if<std::string>(&value)) {
    return Value::of(*text);
  }
  const auto* const whole = std::get_if<std::int64_t>(&value);
  return Value::of(whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value), unit);
}

std::optional<Value> to_value(const result::Value& value, const expression::Dimension& unit) {
  return std::visit(
      [&](const auto& plain) -> std::optional<Value> {
        if constexpr (std::is_constructible_v<trial::KnobValue, decltype(plain)>) {
          return to_value(trial::KnobValue(plain), unit);
        } else {
          return std::nullopt;
        }
      },
      value.data);
}

void set_value(const std::string& name,
               const trial::KnobValue& value,
               const char* source,
               FactTable& facts) {
  if (const rule::KnownName* const known = rule::find_known_name(name)) {
    facts.set(name, {.result = *to_value(value, known->type.dimension), .source = source});
  }
}

void set_recorded(const std::string& name,
                  const std::optional<Value>& value,
                  const std::string& reason,
                  rule::Fact fact,
                  FactTable& facts) {
  if (rule::find_known_name(name) == nullptr) {
    return;
  }
  if (value) {
    fact.result = *value;
  } else {
    fact.result = Unknown{reason.empty() ? "not recorded" : reason};
  }
  fact.source = "result.json";
  facts.set(name, std::move(fact));
}

void add_metric(const result::Metric& metric, FactTable& facts) {
  const result::Number& number = metric.number;
  const auto value =
      number.value ? std::optional(Value::of(*number.value, rule::dimension_of_unit(number.unit)))
                   : std::nullopt;
  set_recorded(metric.id,
               value,
               number.reason,
               {.window = metric.window, .warnings = metric.warnings},
               facts);
}

// For a run, whose facts leave out what its profiles say.
void add_recorded_steps(const result::Result& result, FactTable& facts) {
  for (const result::Profile& profile : result.profiles) {
    if (profile.cell == "baseline") {
      for (const result::Metric& metric : profile.metrics) {
        add_metric(metric, facts);
      }
    }
  }
}

// The knobs of the baseline, as they ran.
void add_knobs(const result::Result& result, FactTable& facts) {
  if (const result::Cell* const baseline = result.find_cell("baseline")) {
    for (const auto& [name, value] : baseline->knobs) {
      set_value(name, value, "baseline", facts);
    }
  }
}

void add_machine(const result::Environment& environment, FactTable& facts) {
  const auto set_count = [&](const char* name, std::int64_t count, const char* source) {
    if (count > 0) {
      set_value(name, count, source, facts);
    }
  };
  const auto set_text = [&](const char* name, const std::string& text, const char* source) {
    if (!text.empty()) {
      set_value(name, text, source, facts);
    }
  };
  constexpr const char* kMachine = "machine";
  set_text("device", environment.device, kMachine);
  set_text("governor", environment.governor.text, kMachine);
  set_count("cpus", environment.cpus, kMachine);
  set_count("usable_cores", environment.cpus, kMachine);
  set_count("logical_cpus", environment.logical_cpus, kMachine);
  set_count("physical_cores", environment.physical_cores, kMachine);
  set_count("memory", environment.memory_limit_bytes.count.value_or(0), kMachine);
  const std::vector<std::string>& flags = environment.cpu_flags;
  for (const char* const flag : {"avx2", "avx512_bf16", "amx_bf16"}) {
    set_value(flag, std::find(flags.begin(), flags.end(), flag) != flags.end(), kMachine, facts);
  }
  // 0 is LibTorch's choice: the worker says what it chose.
  set_text("cpu_capability", environment.worker.cpu_capability, "worker");
  set_count("intra_op_threads", environment.worker.intra_op_threads, "worker");
}

FactTable facts_of_result(const result::Result& result) {
  FactTable facts;
  for (const result::Metric& metric : result.metrics) {
    if (metric.cell.empty() || metric.cell == "baseline") {
      add_metric(metric, facts);
    }
  }
  add_recorded_steps(result, facts);
  add_knobs(result, facts);
  if (result.has_environment) {
    add_machine(result.environment, facts);
  }
  for (const result::Evidence& fact : result.facts) {
    set_recorded(fact.metric,
                 to_value(fact.value, rule::dimension_of_unit(fact.unit)),
                 fact.reason,
                 {.window = fact.window},
                 facts);
  }
  facts.step_count = result.marked_steps;
  return facts;
}

}  // namespace

FactTable recorded_facts(const fs::path& path) {
  const bool is_folder = type_of(path) == fs::file_type::directory;
  const fs::path file = is_folder ? path / "result.json" : path;
  if (type_of(file) == fs::file_type::not_found) {
    throw Error(Error::Parts{
        path.string(),
        file == path ? "there is no such file" : "holds no result.json",
        "a run, an analysis or a trace",
        is_file(campaign::ledger_file(path)) ? "tune report " + typed_path(path) : ""});
  }
  if (file.filename() == "result.json") {
    return facts_of_result(result::read_result(read_file(file), file.string()));
  }
  const profile::Timeline timeline = profile::read_trace(file.string(), {});
  const metric::TraceInput input = metric::examine(timeline);
  return rule::facts_of_trace(input, metric::trace_metrics(input));
}

}  // namespace tune::cli
