#pragma once

#include "advice/diagnosis.h"
#include "result/script.h"
#include "trace/metric/metric.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tune::report {

/// What result.json of `tune analyze` says whatever was analysed.
struct AnalysisRecord {
  std::string headline;
  std::vector<metric::Metric> metrics;
  const advice::Diagnosis* diagnosis = nullptr;  ///< null: no rule was asked
  const result::Script* script = nullptr;        ///< whose steps were recorded; null: unknown
  std::vector<std::string> warnings;
  std::string tune_version, commit;
  std::vector<std::string> command;
  std::string directory;    ///< where the reports are written; "" when nowhere
  std::string started_utc;  ///< ISO 8601
  std::int64_t elapsed_ns = 0;
};

/// result.json as text: kind "analyze" of schema "tune-result/1" around its member `trace`.
std::string to_analysis_json(const AnalysisRecord& record, nlohmann::ordered_json trace);

}  // namespace tune::report
