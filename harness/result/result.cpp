#include "result/result.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tune::result {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kSchema = "tune-result/1";

// Different versions wrote the kinds first, each in its own order.
void diagnosis_of(Fields& fields, Result& result) {
  const auto findings = [&] { fields.list("findings", result.findings); };
  const auto recommendations = [&] { fields.list("recommendations", result.recommendations); };
  const auto why_no_findings = [&] {
    fields.text_or_null("findings_reason", result.findings_reason);
  };
  findings();
  if (result.kind != "run" && result.kind != "analyze") {
    why_no_findings();
    recommendations();
  } else {
    recommendations();
    why_no_findings();
  }
  fields.text_or_null("recommendations_reason", result.recommendations_reason);
  if (fields.has("rank_formula", !result.rank_formula.empty())) {
    fields.text("rank_formula", result.rank_formula);
    fields.list("facts", result.facts);
  }
}

void search_of(Fields& fields, Result& result) {
  fields.list("confirmations", result.confirmations);
  fields.record("method", result.method);
}

void recorded_of(Fields& fields, Result& result) {
  fields.list("profiles", result.profiles);
  fields.list_or_reason("telemetry", result.telemetry, result.telemetry_reason);
  fields.record_or_reason("limits", result.limits, result.limits_reason);
}

void predictions_of(Fields& fields, Result& result) {
  fields.list_or_reason("proposals", result.proposals, result.proposals_reason);
  fields.list("ladder", result.ladder);
  fields.record_or_reason(
      "prediction_quality", result.prediction_quality, result.prediction_reason);
}

std::int64_t marked_steps_of(const json& trace) {
  const auto steps = trace.is_object() ? trace.find("steps") : trace.end();
  if (steps == trace.end() || !steps->is_object() || steps->value("marked", json()) != true) {
    return 0;
  }
  const auto list = steps->find("list");
  return list != steps->end() && list->is_array() ? static_cast<std::int64_t>(list->size()) : 0;
}

// What an analysis found in its traces, or a calibration in its processes: written, and not read
// but for the steps.
void part_of(Fields& fields, Result& result) {
  if (fields.output() != nullptr && result.part) {
    (*fields.output())[result.part_name] = *result.part;
  }
  if (const json* const trace = fields.stored("trace")) {
    result.marked_steps = marked_steps_of(*trace);
  }
}

}  // namespace

void fields_of(Fields& fields, Result& result) {
  std::string schema = kSchema;
  fields.text("schema", schema);
  fields.text("kind", result.kind);
  const bool reads = fields.output() == nullptr;
  const bool is_run = reads || result.kind == "run";
  const bool is_analysis = result.kind == "analyze";
  fields.object_or_null(
      "summary", result.has_summary, [&](Fields& summary) { fields_of(summary, result.summary); });
  if (fields.has("summary_reason", !result.has_summary)) {
    fields.text_or_null("summary_reason", result.summary_reason);
  }
  fields.text_list("warnings", result.warnings);
  fields.list("cells", result.cells);
  if (is_run) {
    search_of(fields, result);
  }
  fields.list("collapsed", result.collapsed);
  fields.list("forbidden", result.forbidden);
  fields.list("metrics", result.metrics);
  if (is_run) {
    recorded_of(fields, result);
  }
  diagnosis_of(fields, result);
  if (is_run) {
    predictions_of(fields, result);
  }
  fields.record_or_reason("gate", result.gate, result.gate_reason);
  if (!is_analysis) {
    part_of(fields, result);
  }
  fields.object_or_null("environment", result.has_environment, [&](Fields& environment) {
    fields_of(environment, result.environment);
  });
  if (fields.has("environment_reason", is_analysis)) {
    fields.text_or_null("environment_reason", result.environment_reason);
  }
  fields.object_or_null("scenario", result.has_scenario, [&](Fields& scenario) {
    fields_of(scenario, result.scenario);
  });
  if (fields.has("scenario_reason", is_analysis)) {
    fields.text_or_null("scenario_reason", result.scenario_reason);
  }
  fields.record("provenance", result.provenance);
  if (is_run || is_analysis) {
    fields.record_if_any("script", result.script);
  }
  if (is_analysis) {
    part_of(fields, result);
  }
}

static json parsed(std::string_view text, const std::string& where) {
  json stored = json::parse(text, nullptr, false);
  if (stored.is_discarded() || !stored.is_object()) {
    throw NotAResult(Error::Parts{where, "is not a result of tune", "it is not a JSON object", ""},
                     !stored.is_discarded(),
                     "");
  }
  std::string schema;
  Fields(std::as_const(stored)).text("schema", schema);
  if (schema != kSchema) {
    throw NotAResult(Error::Parts{where,
                                  "is not a result of this version of tune",
                                  schema.empty() ? "it names no schema"
                                                 : "its schema is " + shortened(schema, 40),
                                  schema.empty() ? "the result.json of a run" : "a newer tune"},
                     true,
                     schema);
  }
  return stored;
}

NotAResult::NotAResult(const Parts& parts, bool was_json, std::string named_schema)
    : Error(parts), is_json(was_json), schema(std::move(named_schema)) {}

void Result::complete() {
  for (Cell& cell : cells) {
    cell.setting = setting_text(cell);
  }
}

const Cell* Result::find_cell(const std::string& id) const {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.id == id; });
  return found == cells.end() ? nullptr : &*found;
}

const std::string& Result::setting_of(const std::string& cell) const {
  const Cell* const found = find_cell(cell);
  return found == nullptr ? cell : found->setting;
}

std::string to_json(const Result& result) {
  // Paths and messages may contain any bytes: invalid UTF-8 becomes U+FFFD.
  return escaped(to_value(result).dump(1, ' ', false, json::error_handler_t::replace)) + "\n";
}

Result read_result(std::string_view text, const std::string& where) {
  const json stored = parsed(text, where);
  auto result = read_leniently<Result>(stored);
  std::erase(result.warnings, "");  // not a text
  result.complete();
  if (!result.has_scenario) {
    result.scenario.name = "trace";
    Fields(stored).object("trace",
                          [&result](Fields& trace) { trace.text("file", result.scenario.file); });
  }
  return result;
}

Result read_result_of_run(std::string_view text, const std::string& run, const std::string& again) {
  try {
    return read_result(text, run);
  } catch (const NotAResult& none) {
    if (!none.is_json) {
      throw Error(Error::Parts{run, "result.json is damaged", "no JSON", "tune report " + again});
    }
    throw Error(Error::Parts{run,
                             "result.json is from another version",
                             none.schema.empty() ? "no schema" : none.schema,
                             ""});
  }
}

}  // namespace tune::result
