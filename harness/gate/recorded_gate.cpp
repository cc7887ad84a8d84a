#include "gate/recorded_gate.h"

#include "base/error.h"
#include "base/file.h"
#include "base/machine_error.h"
#include "base/whole_number.h"
#include "campaign/ledger.h"
#include "campaign/machine_json.h"
#include "campaign/overrides.h"
#include "gate/gate_ledger.h"
#include "gate/incomparable.h"
#include "gate/measured_processes.h"
#include "gate/metric.h"
#include "gate/run_process.h"
#include "runner/output_log.h"
#include "runner/read_reply.h"
#include "scenario/read_scenario.h"
#include "scenario/settle_device.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
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

// What the line says of it; the files in its folder say the rest.
campaign::TrialRecord read_process_line(JsonObject& line) {
  campaign::TrialRecord record;
  record.spec.id = read_id(line);
  runner::TrialOutcome& outcome = record.outcome;
  const auto kind = runner::parse_outcome_kind(line.text("outcome", 64));
  if (!kind) {
    trial::complain(line.where(), "outcome", "ends no process");
  }
  outcome.kind = *kind;
  outcome.was_killed = line.has("killed") && line.flag("killed");
  outcome.reason = line.text("reason", kLongestText);
  outcome.phase = line.text("phase");
  outcome.stderr_tail = line.text("stderr_tail", kLongestText);
  outcome.start_ns = line.whole("start_ns", kMoment);
  outcome.end_ns = line.whole("end_ns", {outcome.start_ns, kMoment.max});
  return record;
}

void read_files_of(campaign::TrialRecord& record, const fs::path& directory) {
  const std::string id = record.spec.id;
  const fs::path folder = directory / "trials" / id;
  const std::string where = (folder / "spec.json").string();
  record.spec = trial::parse_trial_spec(read_kept_file(folder / "spec.json"), where);
  if (record.spec.id != id) {
    trial::complain(where, "id", "is that of another process");
  }
  record.spec.folder = folder.string();
  runner::TrialOutcome& outcome = record.outcome;
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
    const std::string counted = "counted-" + side;
    const std::string first = process_id(1, side);
    for (const auto& [id, as] :
         {std::pair(first, counted), std::pair(id_again(first), id_again(counted))}) {
      const auto found = recorded.processes.find(id);
      if (found != recorded.processes.end()) {
        recorded.processes.emplace(as, found->second);
      }
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

// Takes the lines of a ledger one after another. One that cannot be read is left out, and said.
class LedgerReader {
 public:
  explicit LedgerReader(const fs::path& directory)
      : directory_(directory), file_(campaign::ledger_file(directory)) {}

  RecordedGate read() {
    const std::string text = read_kept_file(file_, kLargestLedger);
    std::size_t begin = 0;
    // A last line that a crash cut off does not count.
    for (std::size_t end = text.find('\n'); end != std::string::npos && !recorded_.is_run;
         end = text.find('\n', begin)) {
      take(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    if (number_ == 0) {
      refuse(directory_, "its ledger was never begun");
    }
    if (recorded_.is_run) {  // its lines are those of a campaign
      take_candidate(recorded_, directory_);
    }
    fill_sides(recorded_, directory_, end_);
    recorded_.plan.run.data = recorded_.plan.candidate.spec.data;
    return std::move(recorded_);
  }

 private:
  void take(std::string_view text) {
    const std::string where = file_.string() + ":" + std::to_string(++number_);
    if (number_ == 1) {
      const json header = trial::parse_json(text, where);
      read_first(JsonObject(header, where, ""));
      return;
    }
    std::optional<campaign::TrialRecord> process;
    try {
      const json value = trial::parse_json(text, where);
      JsonObject line(value, where, "");
      process = read_further(line, line.text("event", 64));
    } catch (const Incomparable&) {
      throw;
    } catch (const Error& error) {
      recorded_.plan.run.warnings.push_back(runner::printable(error.what()) +
                                            "; this line is left out");
    }
    if (process) {
      read_files_of(*process, directory_);
      const std::string id = process->spec.id;
      recorded_.processes.emplace(id, std::move(*process));
    }
  }

  void read_first(JsonObject line) {
    if (line.text("event", 64) != "header") {
      trial::complain(line.where(), "event", "is no header");
    }
    recorded_ = read_header(line, directory_);
  }

  std::optional<campaign::TrialRecord> read_further(JsonObject& line, const std::string& event) {
    if (event == "trial") {
      campaign::TrialRecord process = read_process_line(line);
      if (recorded_.processes.contains(process.spec.id)) {
        trial::complain(line.where(), "id", "stands in an earlier line too");
      }
      return process;
    }
    if (event == "end") {
      end_ = line.text("why", kLongestText);
    } else if (event == "header") {
      trial::complain(line.where(), "event", "is a second header");
    } else if (event != "look") {
      refuse(directory_,
             line.where() + ": event '" + runner::printable(event) +
                 "' is not known to this version of tune");
    }
    return std::nullopt;
  }

  const fs::path& directory_;
  fs::path file_;
  RecordedGate recorded_;
  std::string end_;
  std::int64_t number_ = 0;
};

// In a name of process_id(); 0 in any other.
std::int64_t pair_of(const std::string& id) {
  const std::string_view number = std::string_view(id).substr(0, id.find('-'));
  return number.starts_with('p') ? parse_whole(number.substr(1)).value_or(0) : 0;
}

}  // namespace

bool lacks_pair(const RecordedGate& recorded, std::int64_t pair, bool has_two_sides) {
  const auto& processes = recorded.processes;
  const bool is_whole = processes.contains(process_id(pair, "candidate")) &&
                        (!has_two_sides || processes.contains(process_id(pair, "baseline")));
  return !is_whole && std::any_of(processes.begin(), processes.end(), [&](const auto& process) {
    return pair_of(process.first) > pair;
  });
}

RecordedGate read_recorded_gate(const fs::path& directory) {
  if (type_of_kept(campaign::ledger_file(directory)) != fs::file_type::regular) {
    throw Error({directory.string(),
                 "is no directory of a gate",
                 "it has no ledger.jsonl",
                 "name a folder under tune-runs/"});
  }
  try {
    return LedgerReader(directory).read();
  } catch (const Incomparable&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    refuse(directory, as_reason(error));
  }
}

}  // namespace tune::gate
