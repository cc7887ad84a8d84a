#include "measure/gate/gate_ledger.h"

#include "base/fields.h"
#include "measure/campaign/ledger.h"
#include "measure/gate/policy.h"
#include "trial/knob_json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace tune::gate {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLongestText = 1 << 16, kMostItems = 100'000;
constexpr std::int64_t kMostPairs = 1'000;

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

void files_of(Fields& fields, std::vector<std::pair<std::string, std::string>>& files) {
  if (fields.writes()) {
    ordered_json& object = (*fields.output())["files"] = ordered_json::object();
    for (const auto& [path, sha256] : files) {
      object[path] = sha256;
    }
    return;
  }
  for (const auto& [path, sha256] : fields.input()->any("files").items()) {
    files.emplace_back(path, sha256.is_string() ? sha256.get<std::string>() : "");
  }
}

void side_of(Fields& fields, Side& side) {
  fields.text("words", side.words, kLongestText);
  fields.text("worker_sha256", side.worker_sha256, 64);
  if (fields.has("own_setting")) {
    fields.flag("own_setting", side.is_own_setting);
  }
  if (fields.has("commit", !side.commit.empty())) {
    fields.text("commit", side.commit, 64);
    files_of(fields, side.files);
  }
  if (fields.writes()) {  // for people; a reader asks the specs of the processes
    trial::values_of(fields, "knobs", side.spec.knobs);
    (*fields.output())["model"] = side.spec.workload.model;
    (*fields.output())["data_sha256"] = side.spec.data.manifest_sha256;
  }
}

void budgets_of(Fields& fields, Policy& policy) {
  std::vector<Budget> all = policy.budgets;
  all.insert(all.end(), policy.structural.begin(), policy.structural.end());
  fields.list("budgets", all, kMostItems, [](Fields& entry, Budget& budget) {
    entry.text("metric", budget.metric, 256);
    entry.expect(
        find_metric(budget.metric) != nullptr, "metric", "is not a metric of this version");
    entry.real("budget", budget.ratio, 0, 1);
  });
  if (fields.reads()) {
    for (const Budget& budget : all) {
      auto& list = find_metric(budget.metric)->is_counted ? policy.structural : policy.budgets;
      list.push_back(budget);
    }
  }
}

void policy_of(Fields& fields, Policy& policy) {
  budgets_of(fields, policy);
  fields.real("min_effect", policy.min_effect_ratio, 0, 1);
  if (fields.has("mode")) {  // of before it was kept
    const auto mode = [](Mode value) {
      return std::pair<std::string_view, Mode>(to_string(value), value);
    };
    fields.word<Mode>(
        "mode", policy.mode, {mode(Mode::enforce), mode(Mode::warn), mode(Mode::shadow)});
    const auto answer = [](Inconclusive value) {
      return std::pair<std::string_view, Inconclusive>(to_string(value), value);
    };
    fields.word<Inconclusive>(
        "inconclusive",
        policy.inconclusive,
        {answer(Inconclusive::warn), answer(Inconclusive::pass), answer(Inconclusive::fail)});
    fields.flag("structural_only", policy.structural_only);
    fields.flag("compares_counts", policy.compares_counts);
    fields.text_list("accepted", policy.accepted, kMostItems);
  }
}

// The schedule is written, by which a reader judges again.
void looks_of(Fields& fields, GateResult& plan) {
  std::vector<std::int64_t> pairs = plan.looks.pairs;
  fields.whole_list("looks", pairs, kMostItems, {1, kMostPairs});
  if (fields.writes()) {
    (*fields.output())["alpha"] = plan.looks.alpha;
  } else {
    plan.policy.looks = std::move(pairs);
    plan.looks = look_schedule(plan.policy);
  }
}

void stored_baseline_of(Fields& fields, GateResult& plan) {
  fields.object("stored_baseline", [&](Fields& stored) {
    std::string name = plan.baseline_name;
    if (stored.writes() && plan.baseline_is_file) {
      name = std::filesystem::absolute(name).string();
    }
    stored.text("name", name);
    stored.flag("is_file", plan.baseline_is_file);
    if (stored.reads()) {
      plan.baseline_name = std::move(name);
    }
  });
}

campaign::LedgerHeader origin_of(const campaign::CampaignResult& run) {
  campaign::LedgerHeader origin;
  origin.tune_version = run.tune_version;
  origin.commit = run.commit;
  origin.scenario_file = run.scenario.file.string();
  origin.scenario_text = run.scenario.text;
  origin.scenario_sha256 = run.scenario.sha256;
  origin.seed = run.seed;
  origin.machine = run.machine;
  origin.command = run.command;
  origin.started_utc = run.started_utc;
  return origin;
}

std::string header_line(const GateResult& plan) {
  ordered_json header = to_value(plan, [](Fields& fields, GateResult& same) {
    campaign::LedgerHeader origin = origin_of(same.run);
    gate_header_of(fields, origin, same);
  });
  if (plan.after_the_fact) {  // for people
    header["judges"] = plan.after_the_fact->directory;
  }
  return campaign::ledger_line("header", std::move(header));
}

std::string order_of(const std::vector<Pair>& pairs) {
  std::string order;
  for (const Pair& pair : pairs) {
    order += pair.baseline_first ? "AB" : "BA";
  }
  return order;
}

}  // namespace

void gate_header_of(Fields& fields, campaign::LedgerHeader& origin, GateResult& plan) {
  fields.schema(kGateLedgerSchema);
  campaign::origin_of(fields, origin);
  policy_of(fields, plan.policy);
  looks_of(fields, plan);
  fields.object("baseline", [&](Fields& side) { side_of(side, plan.baseline); });
  fields.object("candidate", [&](Fields& side) { side_of(side, plan.candidate); });
  if (fields.has("equal")) {
    fields.flag("equal", plan.sides_are_equal);
  }
  if (fields.has("stored_baseline", !plan.baseline_name.empty())) {
    stored_baseline_of(fields, plan);
  }
}

GateLedger::GateLedger(const std::filesystem::path& directory, const GateResult& plan)
    : file_(AppendedFile::create(campaign::ledger_file(directory), header_line(plan))) {}

void GateLedger::check_place() const {
  file_.check_place();
}

void GateLedger::add(const campaign::LoggedTrial& trial, const ProcessSummary* summary) {
  ordered_json line = to_value(trial, [](Fields& fields, campaign::LoggedTrial& same) {
    campaign::trial_of(fields, same, campaign::LedgerOf::gate);
  });
  if (summary != nullptr) {
    ordered_json values = ordered_json::object();
    for (const auto& [name, value] : summary->values) {
      values[name] = number(value);
    }
    line["values"] = std::move(values);
    line["clean_slices"] = summary->slices.clean;
    line["tainted_slices"] = summary->taints;
    line["steadiness"] = summary->steadiness.label();
    line["steadiness_why"] = summary->steadiness.why();
    line["sentinel_ns"] =
        summary->sentinel_ns ? number(*summary->sentinel_ns) : ordered_json(nullptr);
  }
  file_.append(campaign::ledger_line("trial", std::move(line)));
}

void GateLedger::add(const LookRecord& look, const std::vector<Pair>& pairs) {
  ordered_json rows = ordered_json::array();
  for (const Row& row : look.rows) {
    rows.push_back({{"metric", row.metric},
                    {"lower", number(row.evidence.lower)},
                    {"estimate", number(row.evidence.estimate)},
                    {"upper", number(row.evidence.upper)},
                    {"p", number(row.evidence.p)},
                    {"mde", row.mde ? number(*row.mde) : ordered_json(nullptr)},
                    {"verdict", verdict_word(row.verdict)}});
  }
  file_.append(campaign::ledger_line(
      "look",
      {{"utc", look.utc},
       {"look", look.index + 1},
       {"pairs", look.pairs},
       {"alpha_spent", look.alpha_spent},
       {"alpha_total", look.alpha_total},
       {"order", order_of(pairs)},
       {"tainted", {{"baseline", look.baseline_tainted}, {"candidate", look.candidate_tainted}}},
       {"rows", std::move(rows)}}));
}

void GateLedger::end(const GateResult& result) {
  file_.append(campaign::ledger_line("end",
                                     {{"verdict", verdict_word(result.verdict)},
                                      {"why", result.why},
                                      {"exit_code", static_cast<int>(exit_code(result))}}));
}

}  // namespace tune::gate
