#pragma once

#include "campaign/campaign_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune::report {

// Parts of result.json, one file each.

/// {value, lower, upper, confidence, n, <count>, unit, reason}.
nlohmann::ordered_json to_json(const campaign::Estimate& estimate, const std::string& unit);

/// {"amp": "bf16", "batch_size": 32}.
nlohmann::ordered_json to_json(const trial::KnobSettings& knobs);

/// {trials, weak, not_steady, label, why}.
nlohmann::ordered_json to_json(const campaign::SteadyTally& tally);

/// The text, or null when it is empty.
nlohmann::ordered_json text_or_null(const std::string& text);

/// Puts `value`, and its reason beside it when it is null: <name>_reason.
void put_or_reason(nlohmann::ordered_json& object,
                   const std::string& name,
                   nlohmann::ordered_json value,
                   const std::string& reason);

nlohmann::ordered_json summary_json(const campaign::CampaignResult& result);
nlohmann::ordered_json confirmations_json(const campaign::CampaignResult& result);
nlohmann::ordered_json method_json(const campaign::CampaignResult& result);
nlohmann::ordered_json cells_json(const campaign::CampaignResult& result);
nlohmann::ordered_json metrics_json(const campaign::CampaignResult& result);
nlohmann::ordered_json profiles_json(const campaign::CampaignResult& result);
nlohmann::ordered_json telemetry_json(const campaign::CampaignResult& result);
/// What the slices of a trial say: {throughput, steps, samples, seconds, cpu_seconds, slices}, sums
/// over those that count; null where nothing was measured.
nlohmann::ordered_json measured_json(const campaign::TrialRecord& record);
/// Puts "limits" and "limits_reason".
void add_limits(nlohmann::ordered_json& json, const campaign::CampaignResult& result);
nlohmann::ordered_json environment_json(const campaign::CampaignResult& result);
nlohmann::ordered_json provenance_json(const campaign::CampaignResult& result);

}  // namespace tune::report
