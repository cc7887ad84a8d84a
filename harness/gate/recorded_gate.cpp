#include "gate/recorded_gate.h"

#include "base/error.h"
#include "base/file.h"
#include "campaign/ledger.h"
#include "campaign/machine_json.h"
#include "campaign/overrides.h"
#include "gate/gate_ledger.h"
#include "gate/incomparable.h"
#include "gate/measured_processes.h"
#include "gate/metric.h"
#include "gate/run_process.h"
#include "runner/read_reply.h"
#include "scenario/read_scenario.h"
#include "scenario/settle_device.h"

#include <nlohmann/json.hpp>

#include <system_error>
#include <utility>

namespace tune::gate {

namespace {

using nlohmann::json;
using trial::JsonObject;
namespace fs = std::filesystem;

constexpr std::int64_t kLargestLedger = 1 << 30;
constexpr trial::Range kMoment = {0, 1'000'000'000'000'000'000};  // CLOCK_MONOTONIC: 30 years
constexpr trial::Range kCount = {0, 1'000'000'000};
constexpr std::int64_t kMostPairs = 1'000;
constexpr std::size_t kLongestScenario = 1 << 20, kLongestText = 1 << 16, kMostItems = 100'000;

[[noreturn]] void refuse(const fs::path& directory, const std::string& why) {
  throw Incomparable(Error::Parts{directory.string(), "cannot be judged", why, ""});
}

// The ledger names folders: what is no plain name must not lead out of the directory.
std::string read_id(JsonObject& line) {
  const std::string id = line.text("id", 256);
  if (id.empty() || id.front() == '.' ||
      id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
          std::string::npos) {
    trial::complain(line.where(), "id", "is no name of a process");
  }
  return id;
}

campaign::TrialRecord read_process(JsonObject& line, const fs::path& directory) {
  const std::string id = read_id(line);
  const fs::path folder = directory / "trials" / id;
  campaign::TrialRecord record;
  record.spec =
      trial::parse_trial_spec(read_file(folder / "spec.json"), (folder / "spec.json").string());
  if (record.spec.id != id) {
    trial::complain((folder / "spec.json").string(), "id", "is that of another process");
  }
  record.spec.folder = folder.string();
  runner::TrialOutcome& outcome = record.outcome;
  const auto kind = runner::parse_outcome_kind(line.text("outcome", 64));
  if (!kind) {
    trial::complain(line.where(), "outcome", "ends no process");
  }
  outcome.kind = *kind;
  outcome.reason = line.text("reason", kLongestText);
  outcome.phase = line.text("phase");
  outcome.stderr_tail = line.text("stderr_tail", kLongestText);
  outcome.start_ns = line.whole("start_ns", kMoment);
  outcome.end_ns = line.whole("end_ns", {outcome.start_ns, kMoment.max});
  if (outcome.kind == runner::OutcomeKind::completed) {
    runner::ReadReply read = runner::read_reply(record.spec);
    if (!read.reply || read.reply->failure) {
      refuse(directory,
             "the reply of process " + id + " is " +
                 (read.is_missing ? "missing"
                  : read.reply    ? "damaged: it tells of a failure, the ledger of success"
                                  : "damaged: " + read.problem));
    }
    outcome.reply = std::move(read.reply);
  }
  return record;
}

scenario::Scenario read_recorded_scenario(JsonObject& header) {
  JsonObject object = header.object("scenario");
  const std::string file = object.text("file");
  const std::string text = object.text("text", kLongestScenario);
  scenario::Scenario scenario = scenario::read_scenario(text, file);
  scenario.sha256 = object.text("sha256", 64);
  if (header.has("overrides")) {
    for (const std::string& assignment : header.text_list("overrides", kMostItems)) {
      campaign::apply_override(scenario, assignment);
    }
  }
  return scenario;
}

Side read_side(JsonObject object, const char* name) {
  Side side;
  side.name = name;
  side.words = object.text("words", kLongestText);
  side.worker_sha256 = object.text("worker_sha256", 64);
  side.is_own_setting = object.has("own_setting") && object.flag("own_setting");
  if (object.has("commit")) {
    side.commit = object.text("commit", 64);
    const json& files = object.any("files");
    for (const auto& [path, sha256] : files.items()) {
      side.files.emplace_back(path, sha256.is_string() ? sha256.get<std::string>() : "");
    }
  }
  return side;
}

Policy read_policy(JsonObject& header) {
  Policy policy;
  header.each("budgets", kMostItems, [&](JsonObject& entry) {
    const Metric* const metric = find_metric(entry.text("metric", 256));
    if (metric == nullptr) {
      trial::complain(entry.where(), entry.path_of("metric"), "is no metric of this version");
    }
    auto& list = metric->is_counted ? policy.structural : policy.budgets;
    list.push_back({metric->name, entry.real("budget", 0, 1)});
  });
  policy.min_effect_ratio = header.real("min_effect", 0, 1);
  policy.looks = header.whole_list("looks", kMostItems, {1, kMostPairs});
  if (header.has("mode")) {  // of before it was kept
    const std::string mode = header.word("mode", {"enforce", "warn", "shadow"});
    policy.mode = mode == "warn" ? Mode::warn : mode == "shadow" ? Mode::shadow : Mode::enforce;
    const std::string word = header.word("inconclusive", {"warn", "pass", "fail"});
    policy.inconclusive = word == "pass"   ? Inconclusive::pass
                          : word == "fail" ? Inconclusive::fail
                                           : Inconclusive::warn;
    policy.structural_only = header.flag("structural_only");
    policy.compares_counts = header.flag("compares_counts");
    policy.accepted = header.text_list("accepted", kMostItems);
  }
  return policy;
}

void read_gate_plan(JsonObject& header, GateResult& plan) {
  plan.policy = read_policy(header);
  plan.looks = look_schedule(plan.policy);
  plan.baseline = read_side(header.object("baseline"), "baseline");
  plan.candidate = read_side(header.object("candidate"), "candidate");
  plan.sides_are_equal = header.has("equal") && header.flag("equal");
  if (header.has("stored_baseline")) {
    JsonObject stored = header.object("stored_baseline");
    plan.baseline_name = stored.text("name");
    plan.baseline_is_file = stored.flag("is_file");
  }
}

RecordedGate read_header(JsonObject& header, const fs::path& directory) {
  const std::string schema = header.text("schema", 64);
  RecordedGate recorded;
  recorded.is_run = schema == campaign::kLedgerSchema;
  if (!recorded.is_run && schema != kGateLedgerSchema) {
    refuse(directory,
           "its ledger is of schema '" + schema + "', this version of tune reads " +
               std::string(kGateLedgerSchema));
  }
  const std::int64_t protocol = header.whole("protocol", kCount);
  if (protocol != trial::kProtocol) {
    refuse(directory,
           "it was measured with trial protocol " + std::to_string(protocol) +
               ", this version of tune speaks " + std::to_string(trial::kProtocol));
  }
  campaign::CampaignResult& run = recorded.plan.run;
  run.scenario = read_recorded_scenario(header);
  run.tune_version = header.text("tune");
  run.commit = header.text("commit");
  run.machine = campaign::read_machine(header.object("machine"));
  run.seed = run.scenario.seed = header.seed("seed");
  run.scenario.has_seed = true;  // it cannot be another one
  run.started_utc = header.text("started_utc", 64);
  scenario::settle_device(run.scenario, run.machine.device);
  if (!recorded.is_run) {
    read_gate_plan(header, recorded.plan);
  }
  return recorded;
}

// Of the first process of a pair; failing that, of what was only counted.
const campaign::TrialRecord* first_of(const RecordedGate& recorded, const std::string& side) {
  for (const std::string& id : {process_id(1, side), "counted-" + side}) {
    const auto found = recorded.processes.find(id);
    if (found != recorded.processes.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

// What the sides were asked to do is told by their processes. A stored baseline has none.
void fill_sides(RecordedGate& recorded, const fs::path& directory, const std::string& end) {
  const auto* const baseline = first_of(recorded, "baseline");
  const auto* const candidate = first_of(recorded, "candidate");
  if (baseline == nullptr && candidate == nullptr) {
    refuse(directory, "it holds no process of a pair" + (end.empty() ? "" : ": " + end));
  }
  recorded.plan.baseline.spec = (baseline != nullptr ? baseline : candidate)->spec;
  recorded.plan.candidate.spec = (candidate != nullptr ? candidate : baseline)->spec;
  if (baseline == nullptr) {
    recorded.plan.baseline.spec.knobs = recorded.plan.run.scenario.baseline;
  }
  for (Side* const side : {&recorded.plan.baseline, &recorded.plan.candidate}) {
    side->spec.measure.find_warmup = recorded.processes.contains("warmup-1");
  }
  // Every process of a pair counts one step as well.
  for (const std::string& side : {std::string("baseline"), std::string("candidate")}) {
    const auto first = recorded.processes.find(process_id(1, side));
    if (first != recorded.processes.end()) {
      recorded.processes.emplace("counted-" + side, first->second);
    }
  }
}

// The baseline of a run: what the user runs today.
void take_candidate(RecordedGate& recorded, const fs::path& directory) {
  std::int64_t count = 0;
  for (MeasuredProcess& process : measured_processes(directory, "baseline")) {
    if (summarise_process(process.reply, process.spec).lost_too_many) {
      continue;
    }
    campaign::TrialRecord record;
    record.spec = std::move(process.spec);
    record.outcome.kind = runner::OutcomeKind::completed;
    const auto& slices = process.reply.slices;
    if (!slices.empty()) {
      record.outcome.start_ns = slices.front().start_ns;
      record.outcome.end_ns = slices.back().start_ns + slices.back().wall_ns;
    }
    record.outcome.reply = std::move(process.reply);
    recorded.processes.emplace(process_id(++count, "candidate"), std::move(record));
  }
  recorded.plan.baseline.name = "baseline";
  recorded.plan.candidate.name = "candidate";
  recorded.plan.candidate.words = "the scenario's baseline setting";
  recorded.plan.candidate.is_own_setting = true;
}

// A last line that a crash cut off is left out.
std::vector<json> read_lines(const fs::path& file) {
  const std::string text = read_file(file, kLargestLedger);
  std::vector<json> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    const std::string where = file.string() + ":" + std::to_string(lines.size() + 1);
    lines.push_back(trial::parse_json(std::string_view(text).substr(begin, end - begin), where));
    begin = end + 1;
  }
  return lines;
}

RecordedGate read_whole(const fs::path& directory) {
  const fs::path file = campaign::ledger_file(directory);
  const std::vector<json> lines = read_lines(file);
  if (lines.empty()) {
    refuse(directory, "its ledger was never begun");
  }
  RecordedGate recorded;
  std::string end;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string where = file.string() + ":" + std::to_string(i + 1);
    JsonObject line(lines[i], where, "");
    const std::string event = line.text("event", 64);
    if ((i == 0) != (event == "header")) {
      trial::complain(where, "event", i == 0 ? "is no header" : "is a second header");
    }
    if (i == 0) {
      recorded = read_header(line, directory);
      if (recorded.is_run) {
        break;  // its lines are those of a campaign
      }
    } else if (event == "trial") {
      campaign::TrialRecord record = read_process(line, directory);
      const std::string id = record.spec.id;
      if (!recorded.processes.emplace(id, std::move(record)).second) {
        trial::complain(where, "id", "stands in an earlier line too");
      }
    } else if (event == "end") {
      end = line.text("why", kLongestText);
    } else if (event != "look") {
      trial::complain(where, "event", "is not known to this version of tune");
    }
  }
  if (recorded.is_run) {
    take_candidate(recorded, directory);
  }
  fill_sides(recorded, directory, end);
  recorded.plan.run.data = recorded.plan.candidate.spec.data;
  return recorded;
}

}  // namespace

RecordedGate read_recorded_gate(const fs::path& directory) {
  std::error_code failed;
  if (!fs::is_regular_file(campaign::ledger_file(directory), failed)) {
    throw Error({directory.string(),
                 "is no directory of a gate",
                 "it has no ledger.jsonl",
                 "name a folder under tune-runs/"});
  }
  try {
    return read_whole(directory);
  } catch (const Incomparable&) {
    throw;
  } catch (const Error& error) {
    refuse(directory, as_reason(error));
  }
}

}  // namespace tune::gate
