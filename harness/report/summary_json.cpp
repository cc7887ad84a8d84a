#include "report/confirmation_text.h"
#include "report/headline.h"
#include "report/json_parts.h"
#include "report/method_text.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using campaign::CampaignResult;
using campaign::CellResult;

constexpr const char* kRateUnit = "samples/s";

bool has_pairs(const CampaignResult& result, const Conclusion& conclusion) {
  return result.confirmation &&
         (conclusion.standing == Standing::faster || conclusion.standing == Standing::not_faster ||
          conclusion.standing == Standing::undecided ||
          conclusion.standing == Standing::too_few_pairs);
}

// Fresh pairs where there are some, else the search or its audit; `window` says which.
void put_throughput(Json& side,
                    const CellResult& cell,
                    const campaign::Estimate* confirmed,
                    const std::string& reason) {
  const campaign::Estimate* source =
      confirmed != nullptr ? confirmed : (cell.throughput ? &*cell.throughput : nullptr);
  put_or_reason(
      side, "throughput", source == nullptr ? Json(nullptr) : to_json(*source, kRateUnit), reason);
  side["window"] = source == nullptr ? Json(nullptr) : Json(confirmed ? "confirm" : cell.stage);
}

Json side_json(const CellResult& cell,
               const campaign::Estimate* confirmed,
               const std::string& reason) {
  Json side;
  side["cell"] = cell.cell.id;
  side["knobs"] = to_json(cell.cell.knobs);
  side["changed"] = to_json(cell.cell.changed);
  put_throughput(side, cell, confirmed, reason);
  return side;
}

Json best_json(const CampaignResult& result, const Conclusion& conclusion) {
  if (conclusion.best == nullptr) {
    return nullptr;
  }
  const bool confirmed = has_pairs(result, conclusion);
  Json best = side_json(
      *conclusion.best, confirmed ? &result.confirmation->best : nullptr, conclusion.doubt);
  Json gain = nullptr;
  if (confirmed) {
    gain = to_json(result.confirmation->gain, "ratio");
    gain["pairs"] = result.confirmation->pairs;
    gain["pairs_wanted"] = result.confirmation->wanted;
  }
  put_or_reason(best, "gain", std::move(gain), "not confirmed: " + conclusion.doubt);
  const std::string verdict = confirmed ? verdict_word(*result.confirmation) : "";
  put_or_reason(best,
                "verdict",
                text_or_null(verdict),
                confirmed ? result.confirmation->why : "not confirmed: " + conclusion.doubt);
  return best;
}

const char* standing_name(Standing standing) {
  switch (standing) {
    case Standing::nothing_measured:
      return "nothing-measured";
    case Standing::baseline_failed:
      return "baseline-failed";
    case Standing::baseline_only:
      return "baseline-only";
    case Standing::provisional:
      return "provisional";
    case Standing::nothing_faster:
      return "nothing-faster";
    case Standing::too_few_pairs:
      return "too-few-pairs";
    case Standing::undecided:
      return "undecided";
    case Standing::not_faster:
      return "not-faster";
    case Standing::faster:
      return "faster";
  }
  return "nothing-measured";
}

}  // namespace

Json summary_json(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  Json summary;
  summary["headline"] = headline(result);
  summary["standing"] = standing_name(conclusion.standing);
  Json baseline = nullptr;
  if (conclusion.baseline != nullptr) {
    baseline = side_json(
        *conclusion.baseline,
        has_pairs(result, conclusion) ? &result.confirmation->baseline : nullptr,
        conclusion.baseline->reason.empty() ? "not measured" : conclusion.baseline->reason);
  }
  put_or_reason(summary, "baseline", std::move(baseline), conclusion.doubt);
  put_or_reason(summary, "best", best_json(result, conclusion), conclusion.doubt);
  summary["trials"] = {{"run", result.trials.size()},
                       {"failed", result.trials_failed},
                       {"not_steady", result.steadiness.not_steady},
                       {"weak", result.steadiness.weak},
                       {"grid", result.plan.grid_cells}};
  return summary;
}

Json confirmations_json(const CampaignResult& result) {
  Json rows = Json::array();
  for (const campaign::Confirmation& row : result.confirmations) {
    Json entry;
    entry["cell"] = row.cell;
    entry["pairs"] = row.pairs;
    entry["verdict"] = text_or_null(verdict_word(row));
    entry["why"] = text_or_null(row.why);
    entry["gain"] = row.pairs > 0 ? to_json(row.gain, "ratio") : Json(nullptr);
    entry["search_gain"] = row.search_gain ? Json(*row.search_gain) : Json(nullptr);
    entry["position_effect"] = row.position_effect ? Json(*row.position_effect) : Json(nullptr);
    entry["losses"] = text_or_null(row.loss_parity);
    entry["slices"] = {{"clean", row.slices.clean},
                       {"tainted", row.slices.tainted},
                       {"baseline_clean", row.baseline_slices.clean},
                       {"baseline_tainted", row.baseline_slices.tainted}};
    entry["steadiness"] = {{"setting", to_json(row.steadiness)},
                           {"baseline", to_json(row.baseline_steadiness)}};
    entry["looks"] = Json::array();
    for (const campaign::LookRecord& look : row.looks) {
      const auto number = [](double value) { return finite(value) ? Json(value) : Json(nullptr); };
      entry["looks"].push_back({{"pairs", look.pairs},
                                {"alpha", look.alpha},
                                {"alpha_total", look.alpha_total},
                                {"lower", number(look.lower)},
                                {"value", number(look.value)},
                                {"upper", number(look.upper)},
                                {"p", look.p},
                                {"verdict", look.verdict}});
    }
    rows.push_back(std::move(entry));
  }
  return rows;
}

namespace {

Json audit_json(const campaign::Audit& audit) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-9; };
  Json json;
  json["complete"] = audit.is_whole;
  json["rounds"] = audit.rounds;
  json["cells"] = audit.cells;
  json["pick"] = text_or_null(audit.pick);
  json["best"] = text_or_null(audit.best);
  put_or_reason(json, "found_ratio", number(audit.found_ratio), audit.reason);
  json["trials_ratio"] = number(audit_share(audit, audit.search_trials, audit.trials));
  json["measured_ratio"] = number(audit_share(audit, audit.search_ns, audit.ns));
  json["search_trials"] = audit.search_trials;
  json["search_measured_s"] = seconds(audit.search_ns);
  json["trials"] = audit.trials;
  json["trials_missing"] = audit.trials_missing;
  json["measured_s"] = seconds(audit.ns);
  return json;
}

Json noise_json(const campaign::KnownNoise& noise) {
  return {{"utc", noise.utc},
          {"launches", noise.launches},
          {"pair_sd", noise.pair_ratio},
          {"mde", noise.detectable_ratio},
          {"verdicts", noise.verdicts},
          {"alarms", noise.alarms},
          {"alarm_bound", noise.most_alarms_ratio}};
}

}  // namespace

Json method_json(const CampaignResult& result) {
  Json method;
  method["strategy"] = result.scenario.strategy;
  method["search_ended"] = text_or_null(result.search_ended);
  method["warmup"] = result.warmup ? Json({{"steps", result.warmup->steps},
                                           {"steady", result.warmup->is_steady},
                                           {"text", result.warmup->text}})
                                   : Json(nullptr);
  put_or_reason(method,
                "audit",
                result.audit ? audit_json(*result.audit) : Json(nullptr),
                "not asked for (--exhaustive)");
  put_or_reason(method,
                "calibration",
                result.noise ? noise_json(*result.noise) : Json(nullptr),
                result.noise_reason.empty() ? "not asked for" : result.noise_reason);
  return method;
}

Json cells_json(const CampaignResult& result) {
  Json cells = Json::array();
  for (const CellResult& cell : result.cells) {
    const bool is_baseline = cell.cell.id == "baseline";
    const std::string reason = cell.reason.empty() ? cell.outcome : cell.reason;
    Json entry;
    entry["id"] = cell.cell.id;
    entry["knobs"] = to_json(cell.cell.knobs);
    entry["changed"] = to_json(cell.cell.changed);
    entry["outcome"] = cell.outcome;
    entry["reason"] = text_or_null(cell.reason);
    put_or_reason(entry,
                  "throughput",
                  cell.throughput ? to_json(*cell.throughput, kRateUnit) : Json(nullptr),
                  reason);
    put_or_reason(entry,
                  "gain",
                  cell.gain ? to_json(*cell.gain, "ratio") : Json(nullptr),
                  is_baseline ? "the baseline is what gains are measured against" : reason);
    entry["rounds"] = cell.rounds;
    entry["window"] = cell.stage;
    entry["disturbed"] = cell.disturbed;
    entry["stalls"] = cell.stalls;
    entry["steadiness"] = to_json(cell.steadiness);
    entry["broken_constraints"] = cell.broken_constraints;
    cells.push_back(std::move(entry));
  }
  return cells;
}

}  // namespace tune::report
