#include "report/analysis_json.h"

#include "base/text.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tune::report {

std::string to_analysis_json(const AnalysisRecord& record, nlohmann::ordered_json trace) {
  constexpr const char* kWhy = "a trace shows one setting, and no throughput";
  result::Result result;
  result.kind = "analyze";
  result.has_summary = true;
  result.summary = {.headline = record.headline,
                    .standing = "analyzed",
                    .baseline_reason = kWhy,
                    .best_reason = kWhy};
  result.warnings = record.warnings;
  for (const metric::Metric& metric : record.metrics) {
    result.metrics.push_back(metric_of(metric, ""));
  }
  fill_diagnosis(record.diagnosis, result);
  if (record.script != nullptr) {
    result.script = *record.script;
  }
  result.gate_reason = "an analysis judges nothing";
  result.environment_reason = "a trace does not describe the machine it comes from";
  result.scenario_reason = "a trace has none";
  result.provenance = {.tune_version = record.tune_version,
                       .commit = {record.commit, "not built from a repository"},
                       .command = record.command,
                       .directory = record.directory,
                       .started = record.started_utc,
                       .elapsed = static_cast<double>(record.elapsed_ns) * 1e-9,
                       .is_of_trials = false};
  result.part_name = "trace";
  result.part = std::make_shared<const nlohmann::ordered_json>(std::move(trace));
  return result::to_json(result);
}

}  // namespace tune::report
