#include "report/json_parts.h"
#include "report/metric_json.h"
#include "report/number_text.h"
#include "report/role_times_json.h"
#include "report/table_json.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using campaign::ProfiledCell;
using campaign::TraceNumbers;

constexpr std::size_t kMostRows = 50;  // of a table: the trace itself has the rest

Json number(const std::optional<double>& value) {
  const auto known = value ? finite(*value) : std::nullopt;
  return known ? Json(*known) : Json(nullptr);
}

Json recording_json(const ProfiledCell& cell) {
  const trial::ProfileOutcome& outcome = cell.outcome;
  Json refused = Json::array();
  for (const trial::RefusedOption& option : outcome.refused) {
    refused.push_back({{"option", option.option}, {"reason", option.reason}});
  }
  return {{"steps", outcome.step_ns.size()},
          {"events", outcome.events},
          {"memory_events", outcome.memory_events},
          {"lost_events", outcome.lost_events},
          {"lost_inputs", outcome.lost_inputs},
          {"cap_reached", outcome.cap_reached},
          {"peak_bytes", outcome.peak_bytes},
          {"file_bytes", outcome.file_bytes},
          {"refused", std::move(refused)}};
}

Json partition_json(const TraceNumbers& trace) {
  if (!trace.partition) {
    return nullptr;
  }
  return {{"total_ns", trace.partition->total_ns()},
          {"exposed_ns", to_json(trace.partition->total.exposed_ns)},
          {"overlapped_ns", to_json(trace.partition->total.overlapped_ns)}};
}

Json tables_json(const TraceNumbers& trace) {
  Json tables = Json::array();
  for (table::Table table : trace.tables) {
    if (table.id != "memory-timeline") {
      table::keep_top(table, kMostRows);
      tables.push_back(to_json(table));
    }
  }
  return tables;
}

Json profile_json(const ProfiledCell& cell) {
  Json json = {{"cell", cell.cell}, {"trial", cell.trial}};
  put_or_reason(json, "file", text_or_null(cell.file.string()), cell.reason);
  json["recording"] = recording_json(cell);
  json["measured_step"] = number(cell.measured_step_s);
  json["profiled_step"] = number(cell.profiled_step_s);
  put_or_reason(json,
                "dilation_ratio",
                number(cell.dilation),
                "measured or recorded steps are missing");
  const std::string unread = cell.reason.empty() ? "the trace was not read" : cell.reason;
  put_or_reason(json,
                "partition",
                cell.trace ? partition_json(*cell.trace) : Json(nullptr),
                cell.trace ? cell.trace->partition_reason : unread);
  json["metrics"] = Json::array();
  json["tables"] = Json::array();
  json["warnings"] = Json::array();
  if (cell.trace) {
    for (const metric::Metric& metric : cell.trace->metrics) {
      json["metrics"].push_back(to_json(metric, cell.cell));
    }
    json["tables"] = tables_json(*cell.trace);
    json["warnings"] = cell.trace->warnings;
  }
  return json;
}

}  // namespace

Json profiles_json(const campaign::CampaignResult& result) {
  Json profiles = Json::array();
  for (const ProfiledCell& cell : result.profiles) {
    profiles.push_back(profile_json(cell));
  }
  return profiles;
}

}  // namespace tune::report
