#include "gate/gate_ledger.h"

#include "base/error.h"
#include "base/file.h"
#include "campaign/ledger.h"
#include "campaign/machine_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::gate {

namespace {

using nlohmann::json;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json knobs_json(const trial::KnobSettings& knobs) {
  json object = json::object();
  for (const auto& [name, value] : knobs) {
    std::visit([&, &key = name](const auto& typed) { object[key] = typed; }, value);
  }
  return object;
}

json side_json(const Side& side) {
  json object = {{"words", side.words},
                 {"knobs", knobs_json(side.spec.knobs)},
                 {"model", side.spec.workload.model},
                 {"data_sha256", side.spec.data.manifest_sha256},
                 {"worker_sha256", side.worker_sha256},
                 {"own_setting", side.is_own_setting}};
  if (!side.commit.empty()) {
    object["commit"] = side.commit;
    object["files"] = json::object();
    for (const auto& [path, sha256] : side.files) {
      object["files"][path] = sha256;
    }
  }
  return object;
}

json budgets_json(const Policy& policy) {
  json list = json::array();
  for (const auto* budgets : {&policy.budgets, &policy.structural}) {
    for (const Budget& budget : *budgets) {
      list.push_back({{"metric", budget.metric}, {"budget", budget.ratio}});
    }
  }
  return list;
}

json order_json(const std::vector<Pair>& pairs) {
  std::string order;
  for (const Pair& pair : pairs) {
    order += pair.baseline_first ? "AB" : "BA";
  }
  return order;
}

json header_json(const GateResult& plan) {
  const campaign::CampaignResult& run = plan.run;
  const Policy& policy = plan.policy;
  json header = {{"event", "header"},
                 {"schema", kGateLedgerSchema},
                 {"tune", run.tune_version},
                 {"commit", run.commit},
                 {"protocol", trial::kProtocol},
                 {"scenario",
                  {{"file", run.scenario.file.string()},
                   {"text", run.scenario.text},
                   {"sha256", run.scenario.sha256}}},
                 {"baseline", side_json(plan.baseline)},
                 {"candidate", side_json(plan.candidate)},
                 {"equal", plan.sides_are_equal},
                 {"budgets", budgets_json(policy)},
                 {"min_effect", policy.min_effect_ratio},
                 {"looks", plan.looks.pairs},
                 {"alpha", plan.looks.alpha},
                 {"mode", to_string(policy.mode)},
                 {"inconclusive", to_string(policy.inconclusive)},
                 {"structural_only", policy.structural_only},
                 {"compares_counts", policy.compares_counts},
                 {"accepted", policy.accepted},
                 {"seed", run.seed},
                 {"machine", campaign::to_json(run.machine)},
                 {"command", run.command},
                 {"started_utc", run.started_utc}};
  if (!plan.baseline_name.empty()) {
    const std::string name = plan.baseline_is_file
                                 ? std::filesystem::absolute(plan.baseline_name).string()
                                 : plan.baseline_name;
    header["stored_baseline"] = {{"name", name}, {"is_file", plan.baseline_is_file}};
  }
  if (plan.after_the_fact) {
    header["judges"] = plan.after_the_fact->directory;
  }
  return header;
}

}  // namespace

GateLedger::GateLedger(const std::filesystem::path& directory, const GateResult& plan)
    : file_(AppendedFile::create(campaign::ledger_file(directory), dump(header_json(plan)))) {}

void GateLedger::check_place() const {
  file_.check_place();
}

void GateLedger::add(const campaign::LoggedTrial& trial, const ProcessSummary* summary) {
  json line = json::parse(campaign::to_line(trial));
  if (summary != nullptr) {
    json values = json::object();
    for (const auto& [name, value] : summary->values) {
      values[name] = number(value);
    }
    line["values"] = std::move(values);
    line["clean_slices"] = summary->slices.clean;
    line["tainted_slices"] = summary->taints;
    line["steadiness"] = summary->steadiness.label();
    line["steadiness_why"] = summary->steadiness.why();
    line["sentinel_ns"] = summary->sentinel_ns ? number(*summary->sentinel_ns) : json(nullptr);
  }
  file_.append(dump(line));
}

void GateLedger::add(const LookRecord& look, const std::vector<Pair>& pairs) {
  json rows = json::array();
  for (const Row& row : look.rows) {
    rows.push_back({{"metric", row.metric},
                    {"lower", number(row.evidence.lower)},
                    {"estimate", number(row.evidence.estimate)},
                    {"upper", number(row.evidence.upper)},
                    {"p", number(row.evidence.p)},
                    {"mde", row.mde ? number(*row.mde) : json(nullptr)},
                    {"verdict", verdict_word(row.verdict)}});
  }
  file_.append(dump(
      {{"event", "look"},
       {"utc", look.utc},
       {"look", look.index + 1},
       {"pairs", look.pairs},
       {"alpha_spent", look.alpha_spent},
       {"alpha_total", look.alpha_total},
       {"order", order_json(pairs)},
       {"tainted", {{"baseline", look.baseline_tainted}, {"candidate", look.candidate_tainted}}},
       {"rows", std::move(rows)}}));
}

void GateLedger::end(const GateResult& result) {
  file_.append(dump({{"event", "end"},
                     {"verdict", verdict_word(result.verdict)},
                     {"why", result.why},
                     {"exit_code", static_cast<int>(exit_code(result))}}));
}

}  // namespace tune::gate
