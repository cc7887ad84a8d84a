#pragma once

#include "machine/telemetry/summary.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tune {
class Fields;
}

namespace tune::telemetry {

constexpr std::string_view kTelemetrySchema = "tune-telemetry/1";
constexpr const char* kTelemetryFile = "telemetry.json";  ///< in a trial's folder

/// Numbers have five digits, more than any of them deserves; NaN becomes null.
nlohmann::ordered_json number_or_null(std::optional<double> value);

void fields_of(Fields& fields, TrialTelemetry& telemetry);
std::string to_json(const TrialTelemetry& telemetry);

/// Throws tune::Error naming `where` when the text is not telemetry of this schema.
TrialTelemetry parse_trial_telemetry(std::string_view text, const std::string& where);

}  // namespace tune::telemetry
