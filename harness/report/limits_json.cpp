#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  const auto known = value ? finite(*value) : std::nullopt;
  return known ? Json(*known) : Json(nullptr);
}

}  // namespace

void add_limits(Json& json, const campaign::CampaignResult& result) {
  const bool is_known = result.diagnosis && result.diagnosis->limits;
  const campaign::LimitUse nothing{.reason = "no rule was asked"};
  const campaign::LimitUse& limits = is_known ? *result.diagnosis->limits : nothing;
  if (!limits.reason.empty()) {
    put_or_reason(json, "limits", nullptr, limits.reason);
    return;
  }
  Json rows = Json::array();
  for (const campaign::LimitRow& row : limits.rows) {
    Json entry = {{"id", row.id}, {"label", text_or_null(row.label)}, {"unit", row.unit}};
    entry["reached"] = number(row.reached);
    entry["limit"] = number(row.limit);
    entry["ratio"] = number(row.ratio);
    entry["reason"] = text_or_null(row.reason);
    rows.push_back(std::move(entry));
  }
  Json found = {{"trial", result.diagnosis->trial}, {"probed_utc", limits.probed_utc}};
  found["quick"] = limits.is_quick;
  found["rows"] = std::move(rows);
  put_or_reason(json, "limits", std::move(found), "");
}

}  // namespace tune::report
