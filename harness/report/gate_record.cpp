#include "report/gate_record.h"

#include "base/error.h"
#include "report/format/json_value.h"
#include "report/gate_findings.h"
#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

using nlohmann::json;

constexpr std::size_t kMostItems = 10'000;  // of a list: a page shows fewer

/// A member of untrusted JSON; what is missing, or of another type, reads as nothing.
class Member {
 public:
  explicit Member(const json& value) : value_(value) {}

  Member operator[](const char* name) const { return Member(json_member(value_, name)); }

  std::string text() const { return json_text(value_); }
  std::optional<double> number() const { return json_number(value_); }
  std::int64_t count() const { return json_count(value_); }

  std::optional<std::uint64_t> seed() const {
    return value_.is_number_unsigned() ? std::optional(value_.get<std::uint64_t>()) : std::nullopt;
  }

  bool flag() const { return value_.is_boolean() && value_.get<bool>(); }

  bool is_list() const { return value_.is_array(); }

  template <class Read>
  auto list(Read read) const {
    std::vector<decltype(read(*this))> items;
    if (value_.is_array()) {
      for (std::size_t i = 0; i < std::min(value_.size(), kMostItems); ++i) {
        items.push_back(read(Member(value_[i])));
      }
    }
    return items;
  }

  /// Name and member of an object, in the order of the names.
  template <class Read>
  auto members(Read read) const {
    std::vector<std::pair<std::string, decltype(read(*this))>> items;
    if (value_.is_object()) {
      for (const auto& [name, value] : value_.items()) {
        if (items.size() < kMostItems) {
          items.emplace_back(shortened(name, kLongestJsonText), read(Member(value)));
        }
      }
    }
    return items;
  }

 private:
  const json& value_;
};

std::string text_of(const Member& member) {
  return member.text();
}

std::vector<std::string> texts_of(const Member& member) {
  return member.list(text_of);
}

GateProcess read_process(const Member& member) {
  GateProcess process{.clean_slices = member["clean_slices"].count(),
                      .tainted_slices = member["tainted_slices"].count(),
                      .taint = member["taint"].text(),
                      .steadiness = member["steadiness"].text(),
                      .steadiness_why = member["steadiness_why"].text()};
  for (const auto& [metric, value] :
       member["values"].members([](const Member& each) { return each.number(); })) {
    if (value) {
      process.values[metric] = *value;
    }
  }
  return process;
}

GatePair read_pair(const Member& member) {
  return {.baseline_first = member["order"].text() != "BA",
          .baseline = read_process(member["baseline"]),
          .candidate = read_process(member["candidate"])};
}

GateSide read_side(const Member& member) {
  return {.model = member["model"].text(),
          .commit = member["commit"].text(),
          .worker_sha256 = member["worker_sha256"].text(),
          .data_sha256 = member["data_sha256"].text(),
          .files = member["files"].members(text_of)};
}

GateLook read_look(const Member& member) {
  const auto read_row = [](const Member& row) -> GateLookRow {
    return {.metric = row["metric"].text(),
            .verdict = row["verdict"].text(),
            .estimate = row["estimate"].number(),
            .lower = row["lower"].number(),
            .upper = row["upper"].number(),
            .p = row["p"].number(),
            .mde = row["mde"].number()};
  };
  return {.utc = member["utc"].text(),
          .look = member["look"].count(),
          .pairs = member["pairs"].count(),
          .alpha_spent = member["alpha_spent"].number(),
          .alpha_total = member["alpha_total"].number(),
          .baseline_tainted = member["tainted_slices"]["baseline"].count(),
          .candidate_tainted = member["tainted_slices"]["candidate"].count(),
          .rows = member["rows"].list(read_row)};
}

// Of {value, lower, upper}, and why there is none.
StoredNumber read_ratio(const Member& member, const Member& reason) {
  StoredNumber number{.value = member["value"].number(), .unit = "ratio", .reason = reason.text()};
  const auto lower = member["lower"].number(), upper = member["upper"].number();
  if (number.value && lower && upper && *lower <= *upper) {
    number.lower = lower;
    number.upper = upper;
  }
  return number;
}

GateControls read_controls(const Member& member) {
  const Member epoch = member["epoch"], steadiness = member["steadiness"];
  return {.sentinel = read_ratio(member["sentinel"], member["sentinel_reason"]),
          .machine_changed = member["sentinel"]["shifted"].flag(),
          .position = read_ratio(member["position_effect"], member["position_effect_reason"]),
          .epoch_estimated_s = epoch["estimated"].number(),
          .epoch_measured_s = epoch["measured"].number(),
          .taint_p = member["taint_p"].number(),
          .baseline_steadiness = steadiness["baseline"]["why"].text(),
          .candidate_steadiness = steadiness["candidate"]["why"].text()};
}

std::optional<std::string> known_text(const Member& member) {
  const std::string text = member.text();
  return text.empty() ? std::nullopt : std::optional(text);
}

machine::MachineFacts read_machine(const Member& member) {
  machine::MachineFacts machine;
  machine.cpu_model = member["cpu_model"].text();
  machine.cpu_flags = texts_of(member["cpu_flags"]);
  machine.cpus = member["cpus"].count();
  machine.logical_cpus = member["logical_cpus"].count();
  machine.physical_cores = member["physical_cores"].count();
  machine.cgroup_cpus = member["cgroup_cpus"].number();
  machine.memory_bytes = member["memory_bytes"].count();
  machine.memory_limit_bytes = member["memory_limit_bytes"].count();
  machine.governor = known_text(member["governor"]);
  machine.transparent_huge_pages = known_text(member["transparent_huge_pages"]);
  machine.load1 = member["load1"].number().value_or(NAN);
  machine.kernel = member["kernel"].text();
  machine.distribution = member["distribution"].text();
  machine.device = member["device"].text();
  machine.no_gpu = member["no_gpu"].text();
  machine.gpus = texts_of(member["gpus"]);
  return machine;
}

campaign::TrialRecord completed_trial(const Member& worker) {
  trial::TrialReply reply;
  reply.facts.device = worker["device"].text();
  reply.facts.torch_version = worker["torch_version"].text();
  reply.facts.cpu_capability = worker["cpu_capability"].text();
  reply.facts.jpeg_version = worker["jpeg_version"].text();
  reply.facts.intra_op_threads = worker["intra_op_threads"].count();
  campaign::TrialRecord trial;
  trial.outcome.kind = runner::OutcomeKind::completed;
  trial.outcome.reply = std::move(reply);
  return trial;
}

campaign::CampaignResult read_run(const Member& result) {
  const Member environment = result["environment"], data = environment["data"];
  const Member provenance = result["provenance"];
  campaign::CampaignResult run;
  run.machine = read_machine(environment);
  run.tune_version = provenance["tune_version"].text();
  run.commit = provenance["commit"].text();
  run.command = texts_of(provenance["command"]);
  const auto seed = provenance["seed"].seed();
  run.seed = seed.value_or(0);
  run.scenario.has_seed = !seed;  // one that is not known cannot be asked for
  run.data.source = data["source"].text();
  run.data.path = data["path"].text();
  run.data.samples = data["samples"].count();
  run.data.profile = data["profile"].text();
  run.data.manifest_sha256 = data["manifest_sha256"].text();
  if (!environment["worker"]["torch_version"].text().empty()) {
    run.trials = {completed_trial(environment["worker"])};
  }
  return run;
}

// One that was written before `headline` was.
std::string headline_of(const Member& gate) {
  const std::string headline = gate["headline"].text();
  return headline.empty() ? gate["verdict"].text() + ": " + gate["why"].text() : headline;
}

void read_gate(const Member& gate, GateRecord& record) {
  record.headline = headline_of(gate);
  if (gate["exit_code"].number()) {
    record.exit_code = gate["exit_code"].count();
  }
  record.baseline = read_side(gate["sides"]["baseline"]);
  record.candidate = read_side(gate["sides"]["candidate"]);
  record.stored_baseline = gate["stored_baseline"].text();
  record.pair_count = gate["pairs"].count();
  record.has_pairs = gate["measured_pairs"].is_list();
  record.pairs = gate["measured_pairs"].list(read_pair);
  record.lost_pairs = gate["lost_pairs"].list(read_pair);
  record.alpha = gate["alpha"].number();
  record.looks_at = gate["looks_at"].list([](const Member& pairs) { return pairs.count(); });
  record.looks = gate["looks"].list(read_look);
  record.warmup_steps = gate["warmup"]["steps"].count();
  record.warmup_was_searched = gate["warmup"]["searched"].flag();
  record.controls = read_controls(gate["controls"]);
  record.calibration = gate["calibration"].text();
  record.calibrated_mde = gate["calibrated_mde"].number();
}

std::vector<std::string> fired_lines(const Member& findings) {
  std::vector<std::string> lines;
  findings.list([&](const Member& each) {
    if (each["state"].text() == "fired") {
      lines.push_back(finding_words(each["title"].text(),
                                    each["rule"].text(),
                                    each["severity"].text(),
                                    each["expression"].text()));
    }
    return 0;
  });
  return lines;
}

}  // namespace

GateRecord read_gate_record(std::string_view text, const std::string& where) {
  GateRecord record;
  record.result = read_stored_result(text, where);
  if (record.result.kind != "gate" || !record.result.gate) {
    throw Error(Error::Parts{where,
                             "holds no verdict of a gate",
                             record.result.kind == "gate"
                                 ? "its member gate is missing"
                                 : "it is of kind '" + shortened(record.result.kind, 40) + "'",
                             ""});
  }
  const json document = json::parse(text);  // it was read before
  const Member result(document), provenance = result["provenance"];
  read_gate(result["gate"], record);
  record.findings = fired_lines(result["findings"]);
  record.run = read_run(result);
  if (record.result.gate->is_after_the_fact) {
    record.run.scenario.has_seed = true;  // it cannot be another one
  }
  record.description = result["scenario"]["description"].text();
  record.directory = provenance["directory"].text();
  const auto seed = provenance["seed"].seed();
  record.seed = seed ? std::to_string(*seed) : "";
  return record;
}

}  // namespace tune::report
