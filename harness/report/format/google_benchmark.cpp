#include "report/format/formats.h"
#include "report/format/stored_text.h"
#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestName = 200;
constexpr const char* kCpuUnknown = "cpu_time is not known: it repeats real_time";

// Which trials of a cell say most: the first stage that has some.
constexpr std::array<std::string_view, 4> kStages = {"gate", "confirm", "audit", "search"};

struct Repetition {
  double real_ns = 0, cpu_ns = 0;  ///< of one sample
  bool has_cpu = false;
  double rate = 0;
  std::int64_t samples = 0;
};

// Nothing where a number is none that a benchmark can have.
std::optional<Repetition> repetition_of(double rate, std::int64_t samples, double cpu_seconds) {
  Repetition found{.real_ns = 1e9 / rate, .rate = rate, .samples = samples > 0 ? samples : 1};
  if (!(rate > 0) || !std::isfinite(found.real_ns) || !(found.real_ns > 0)) {
    return std::nullopt;
  }
  found.cpu_ns = cpu_seconds * 1e9 / static_cast<double>(found.samples);
  found.has_cpu = samples > 0 && found.cpu_ns > 0 && std::isfinite(found.cpu_ns);
  found.cpu_ns = found.has_cpu ? found.cpu_ns : found.real_ns;
  return found;
}

std::vector<Repetition> repetitions_of(const result::Result& result, const std::string& cell) {
  std::vector<Repetition> found;
  for (const std::string_view stage : kStages) {
    for (const result::Trial& trial : result.provenance.trials) {
      if (trial.cell == cell && trial.stage == stage && trial.measured.throughput) {
        const auto one = repetition_of(*trial.measured.throughput,
                                       trial.measured.samples,
                                       trial.measured.cpu_seconds.value_or(0));
        if (one) {
          found.push_back(*one);
        }
      }
    }
    if (!found.empty()) {
      break;
    }
  }
  return found;
}

Json entry(const std::string& name, std::size_t family, const Repetition& one) {
  Json json;
  json["name"] = name;
  json["family_index"] = family;
  json["per_family_instance_index"] = 0;
  json["run_name"] = name;
  json["run_type"] = "iteration";
  json["threads"] = 1;
  json["iterations"] = one.samples;
  json["real_time"] = one.real_ns;
  json["cpu_time"] = one.cpu_ns;
  json["time_unit"] = "ns";
  json["items_per_second"] = one.rate;
  if (!one.has_cpu) {
    json["label"] = kCpuUnknown;
  }
  return json;
}

// A result that does not tell its trials apart has one number a cell.
Json median(const std::string& name, std::size_t family, const result::Number& throughput) {
  const auto one = repetition_of(*throughput.value, 0, 0);
  if (!one) {
    return nullptr;
  }
  const std::int64_t n = throughput.n > 0 ? throughput.n : 1;
  Json json = entry(name, family, *one);
  json["name"] = name + "_median";
  json["run_type"] = "aggregate";
  json["aggregate_name"] = "median";
  json["aggregate_unit"] = "time";
  json["repetitions"] = n;
  json["iterations"] = n;
  return json;
}

void add_cell(const result::Result& result,
              const std::string& cell,
              const result::Number& throughput,
              Json& benchmarks) {
  const std::string name = series_name(result, result.setting_of(cell), kLongestName);
  const std::size_t family =
      benchmarks.empty() ? 0 : benchmarks.back()["family_index"].get<std::size_t>() + 1;
  const std::vector<Repetition> repetitions = repetitions_of(result, cell);
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    Json json = entry(name, family, repetitions[i]);
    json["repetitions"] = repetitions.size();
    json["repetition_index"] = i;
    benchmarks.push_back(std::move(json));
  }
  if (repetitions.empty() && throughput.value) {
    Json json = median(name, family, throughput);
    if (!json.is_null()) {
      benchmarks.push_back(std::move(json));
    }
  }
}

Json context_json(const result::Result& result) {
  Json context;
  context["date"] = shortened(result.provenance.started, 40);
  context["executable"] = "tune";
  context["num_cpus"] = result.environment.cpus;
  context["load_avg"] = Json::array();
  if (result.environment.load1) {
    context["load_avg"].push_back(*result.environment.load1);
  }
  context["library_build_type"] = "release";
  context["json_schema_version"] = 1;
  context["cpu_model"] = shortened(result.environment.cpu_model.text, kLongestName);
  context["tune_version"] = shortened(result.provenance.tune_version, kLongestName);
  context["iteration"] = "one training sample";
  std::string failed;
  for (const result::Cell& cell : result.cells) {
    if (!cell.throughput.value) {
      failed += (failed.empty() ? "" : "; ") + cell.setting + ": " + cell.outcome;
    }
  }
  if (!failed.empty()) {
    context["not_measured"] = shortened(failed, 10 * kLongestName);
  }
  return context;
}

}  // namespace

std::string to_google_benchmark(const result::Result& result, const FormatOptions& /*options*/) {
  Json benchmarks = Json::array();
  for (const result::Cell& cell : result.cells) {
    add_cell(result, cell.id, cell.throughput, benchmarks);
  }
  if (result.gate) {
    for (const char* side : {"baseline", "candidate"}) {
      result::Number throughput;
      for (const result::GateRow& row : result.gate->rows) {
        if (row.metric == "throughput") {
          throughput.value =
              std::string_view(side) == "baseline" ? row.baseline.low : row.candidate.low;
          throughput.n = row.pairs;
        }
      }
      add_cell(result, side, throughput, benchmarks);
    }
  }
  Json json;
  json["context"] = context_json(result);
  json["benchmarks"] = std::move(benchmarks);
  // In ASCII, for the readers of this format open it in whatever encoding the machine has.
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune::report
