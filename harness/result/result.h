#pragma once

#include "base/error.h"
#include "result/answer.h"
#include "result/diagnosis.h"
#include "result/gate.h"
#include "result/measurement.h"
#include "result/provenance.h"
#include "result/script.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::result {

/// Why there are no findings, limits or predictions when no rule was asked.
inline constexpr const char* kNoRuleAsked = "no rule was asked";

/// What a run, a gate, an analysis or a calibration found: a result.json.
///
/// Any version of the schema "tune-result/1" may have written it, and anybody may have changed it
/// since: what is missing, or of another type, reads as nothing, "" or 0. After reading, texts are
/// one line of valid UTF-8 without control characters, at most 10,000 characters long; numbers are
/// finite.
struct Result {
  std::string kind;  ///< run, analyze, gate, calibrate
  Summary summary;
  bool has_summary = false;
  std::string summary_reason;  ///< of a gate: why there is none
  std::vector<std::string> warnings;
  std::vector<Cell> cells;  ///< baseline first
  std::vector<Confirmation> confirmations;
  std::optional<Method> method;
  std::vector<Collapsed> collapsed;
  std::vector<Forbidden> forbidden;
  std::vector<Metric> metrics;
  std::vector<Profile> profiles;
  std::vector<Telemetry> telemetry;
  std::string telemetry_reason;
  std::optional<Limits> limits;
  std::string limits_reason;
  std::vector<Finding> findings;
  std::vector<Recommendation> recommendations;
  std::string findings_reason, recommendations_reason;  ///< why there are none
  std::string rank_formula;
  std::vector<Evidence> facts;
  std::vector<Proposal> proposals;
  std::string proposals_reason;
  std::vector<Rung> ladder;
  std::optional<PredictionQuality> prediction_quality;
  std::string prediction_reason;
  std::optional<Gate> gate;
  std::string gate_reason;
  Environment environment;
  bool has_environment = false;
  std::string environment_reason;
  Scenario scenario;  ///< for an analysis, its trace
  bool has_scenario = false;
  std::string scenario_reason;
  Provenance provenance;
  std::optional<Script> script;  ///< of a run of one
  /// What an analysis found in its traces ("trace"), or a calibration in its processes
  /// ("calibration"): written, not read back.
  std::string part_name;
  std::shared_ptr<const nlohmann::ordered_json> part;
  /// How many steps are marked in the trace of an analysis: read of that part, not written.
  std::int64_t marked_steps = 0;

  /// Computes the members that are not stored.
  void complete();

  /// The cell with that id; null when there is none.
  const Cell* find_cell(const std::string& id) const;

  /// The cell's setting; its id when it has none (the sides of a gate).
  const std::string& setting_of(const std::string& cell) const;
};

void fields_of(Fields& fields, Result& result);

/// The file: JSON of the schema "tune-result/1", valid UTF-8 without control characters.
std::string to_json(const Result& result);

/// The text is not a JSON object, or not of the schema "tune-result/1".
class NotAResult : public Error {
 public:
  NotAResult(const Parts& parts, bool is_json, std::string schema);

  bool is_json;        ///< false: not even JSON
  std::string schema;  ///< that it names, or ""
};

/// Reads a result.json of any kind. Unknown members are ignored, and members that were added to the
/// schema later may be missing. Throws NotAResult naming `where`.
Result read_result(std::string_view text, const std::string& where);

/// The same for a run's directory; `again` is the argument of tune report for it. Throws
/// tune::Error "<run>: result.json is damaged ...".
Result read_result_of_run(std::string_view text, const std::string& run, const std::string& again);

}  // namespace tune::result
