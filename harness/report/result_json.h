#pragma once

#include "measure/campaign/campaign_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace tune {

/// reports/schema/result.schema.json, embedded.
extern const std::string_view kResultSchemaText;

}  // namespace tune

namespace tune::report {

/// The product of a run as JSON text, schema "tune-result/1" (reports/schema/result.schema.json).
///
/// Gains are relative (0.184 = +18.4 %), ratios 0-1, times in seconds, sizes in bytes. Every field
/// is present in every version; what is not known is null, with a reason next to it: in `reason` of
/// the same object, or in `<field>_reason`.
std::string to_result_json(const campaign::CampaignResult& result);
nlohmann::ordered_json result_value(const campaign::CampaignResult& result);

}  // namespace tune::report
