#include "measure/gate/recorded_gate.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/whole_number.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/settings.h"
#include "measure/gate/fingerprint.h"
#include "measure/gate/gate_ledger.h"
#include "measure/gate/process_summary.h"
#include "measure/gate/run_process.h"
#include "measure/runner/output_log.h"
#include "measure/runner/trial_outcome.h"
#include "scenario/machine.h"
#include "scenario/scenario.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace tune::gate {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t kLargestLedger = 1 << 30;
constexpr std::size_t kLongestText = 1 << 16;

[[noreturn]] void refuse(const fs::path& directory, const std::string& why) {
  throw Incomparable(Error::Parts{directory.string(), "cannot be judged", why, ""});
}

// The ledger names folders: a name that is not plain could lead out of the directory.
void check_id(const Fields& fields, const std::string& id) {
  const bool is_plain =
      !id.empty() && id.size() <= 256 && id.front() != '.' &&
      id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
          std::string::npos;
  fields.expect(is_plain, "id", "is not the name of a process");
}

// What the line says of it; the files in its folder say the rest.
campaign::TrialRecord read_process_line(Fields& line) {
  campaign::LoggedTrial trial;
  campaign::trial_of(line, trial, campaign::LedgerOf::gate);
  check_id(line, trial.id);
  campaign::TrialRecord record;
  record.spec.id = std::move(trial.id);
  record.outcome = std::move(trial.outcome);
  return record;
}

void read_files_of(campaign::TrialRecord& record, const fs::path& directory) {
  const std::string id = record.spec.id;
  const fs::path folder = directory / "trials" / id;
  const std::string where = (folder / "spec.json").string();
  record.spec = trial::parse_trial_spec(read_kept_file(folder / "spec.json"), where);
  if (record.spec.id != id) {
    complain(where, "id", "is that of another process");
  }
  record.spec.folder = folder.string();
  runner::TrialOutcome& outcome = record.outcome;
  if (outcome.kind == runner::OutcomeKind::completed) {
    runner::ReadReply read = runner::read_reply(record.spec);
    if (!read.reply || read.reply->failure) {
      refuse(directory,
             "the reply of process " + id + " is " +
                 (read.is_missing ? "missing"
                  : read.reply    ? "damaged: it reports a failure, the ledger success"
                                  : "damaged: " + read.problem));
    }
    outcome.reply = std::move(read.reply);
  }
}

scenario::Scenario read_recorded_scenario(const campaign::LedgerHeader& header) {
  scenario::Scenario scenario = scenario::read_scenario(header.scenario_text, header.scenario_file);
  scenario.sha256 = header.scenario_sha256;
  for (const std::string& assignment : header.overrides) {
    campaign::apply_override(scenario, assignment);
  }
  return scenario;
}

void take_header(GateResult& plan, campaign::LedgerHeader header) {
  campaign::CampaignResult& run = plan.run;
  run.scenario = read_recorded_scenario(header);
  run.tune_version = std::move(header.tune_version);
  run.commit = std::move(header.commit);
  run.machine = std::move(header.machine);
  run.seed = run.scenario.seed = header.seed;
  run.scenario.has_seed = true;  // it cannot be another one
  run.started_utc = std::move(header.started_utc);
  scenario::settle_device(run.scenario, run.machine.device);
}

RecordedGate read_header(JsonObject& object, const fs::path& directory) {
  const std::string schema = object.text("schema", 64);
  RecordedGate recorded;
  recorded.is_run = schema == campaign::kLedgerSchema;
  if (!recorded.is_run && schema != kGateLedgerSchema) {
    refuse(directory,
           "its ledger is of schema '" + schema + "', this version of tune reads " +
               std::string(kGateLedgerSchema));
  }
  campaign::LedgerHeader header;
  Fields fields(object, Fields::Unknown::left_alone);
  if (recorded.is_run) {
    fields_of(fields, header);
  } else {
    gate_header_of(fields, header, recorded.plan);
    recorded.plan.baseline.name = "baseline";
    recorded.plan.candidate.name = "candidate";
  }
  if (header.protocol != trial::kProtocol) {
    refuse(directory,
           "it was measured with trial protocol " + std::to_string(header.protocol) +
               ", this version of tune speaks " + std::to_string(trial::kProtocol));
  }
  take_header(recorded.plan, std::move(header));
  return recorded;
}

// The side's first process of a pair; failing that, the process that was only counted.
const campaign::TrialRecord* first_of(const RecordedGate& recorded, const std::string& side) {
  for (const std::string& id : {process_id(1, side), "counted-" + side}) {
    const auto found = recorded.processes.find(id);
    if (found != recorded.processes.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

// The processes say what the sides were asked to do. A stored baseline has none.
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
      const json header = parse_json(text, where);
      read_first(JsonObject(header, where, ""));
      return;
    }
    std::optional<campaign::TrialRecord> process;
    try {
      const json value = parse_json(text, where);
      JsonObject object(value, where, "");
      const std::string event = object.text("event", 64);
      Fields line(object, Fields::Unknown::left_alone);
      process = read_further(line, event, where);
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
      complain(line.where(), "event", "is not a header");
    }
    recorded_ = read_header(line, directory_);
  }

  std::optional<campaign::TrialRecord> read_further(Fields& line,
                                                    const std::string& event,
                                                    const std::string& where) {
    if (event == "trial") {
      campaign::TrialRecord process = read_process_line(line);
      line.expect(
          !recorded_.processes.contains(process.spec.id), "id", "is in an earlier line too");
      return process;
    }
    line.expect(event != "header", "event", "is a second header");
    if (event == "end") {
      line.text("why", end_, kLongestText);
    } else if (event != "look") {
      refuse(directory_,
             where + ": event '" + runner::printable(event) +
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
                 "is not the directory of a gate",
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
