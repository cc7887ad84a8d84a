#include "measure/gate/stored_baseline.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/stats/quantile.h"
#include "base/text.h"
#include "measure/campaign/ledger.h"
#include "measure/gate/fingerprint.h"
#include "measure/gate/policy.h"
#include "measure/gate/process_summary.h"
#include "trial/trial_reply.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace tune::gate {

namespace {

constexpr std::size_t kMostRecordings = 10, kMostProcesses = 10'000, kMostVetoes = 16;

// A process of a recording.
struct KeptProcess {
  ProcessSummary summary;
  std::optional<trial::Structure> structure;
};

constexpr Columns<trial::Structure, 5> kCounts = {
    {{"operators", &trial::Structure::operators},
     {"backward_operators", &trial::Structure::backward_operators},
     {"allocations", &trial::Structure::allocations},
     {"allocated_bytes", &trial::Structure::allocated_bytes},
     {"batch_bytes", &trial::Structure::batch_bytes}}};

// Those that this version knows.
void values_of(Fields& fields, std::map<std::string, double>& values) {
  constexpr double kLargest = 1e18;
  for (const Metric& metric : all_metrics()) {
    const char* const name = metric.name.c_str();
    if (fields.has(name, values.contains(metric.name))) {
      fields.real(name, values[metric.name], 0, kLargest);
    }
  }
}

void slices_of(Fields& fields, campaign::SliceCount& slices) {
  fields.whole("clean", slices.clean, {0, 1'000});
  fields.whole("tainted", slices.tainted, {0, 1'000});
  if (fields.has("tainted_by_core")) {
    fields.whole("tainted_by_core", slices.tainted_by_core, {0, slices.tainted});
    fields.flag("core_probes", slices.has_core_probes);
  }
}

void process_of(Fields& fields, KeptProcess& process) {
  ProcessSummary& summary = process.summary;
  fields.object("values", [&](Fields& values) { values_of(values, summary.values); });
  slices_of(fields, summary.slices);
  if (fields.has("vetoes")) {  // a baseline of before they were kept has none
    fields.list(
        "vetoes", summary.steadiness.vetoes, kMostVetoes, [](Fields& entry, campaign::Veto& veto) {
          entry.text("name", veto.name, 64);
          entry.text("why", veto.why);
        });
  }
  if (fields.has("structure")) {
    fields.record("structure", process.structure, [](Fields& counts, trial::Structure& counted) {
      counts.wholes(counted, kCounts, {0, 1'000'000'000'000'000});
    });
  }
}

void recording_of(Fields& fields, Recording& recording) {
  fields.text("utc", recording.utc, 64);
  fields.text("run", recording.run);
  if (fields.has("model_sha256", !recording.model_sha256.empty())) {
    fields.text("model_sha256", recording.model_sha256, 64);
  }
  std::vector<KeptProcess> kept;
  for (std::size_t i = 0; i < recording.processes.size(); ++i) {
    kept.push_back({recording.processes[i], recording.structures[i]});
  }
  fields.list("processes", kept, kMostProcesses, process_of);
  fields.expect(!kept.empty(), "processes", "is empty");
  if (fields.reads()) {
    for (KeptProcess& process : kept) {
      recording.processes.push_back(std::move(process.summary));
      recording.structures.push_back(process.structure);
    }
  }
}

[[noreturn]] void refuse(const std::string& name, const std::string& why, const std::string& what) {
  throw Incomparable(Error::Parts{"baseline " + name, "cannot be compared with", why, what});
}

double median_of(const Recording& recording, const std::string& metric) {
  std::vector<double> values;
  for (const ProcessSummary& process : recording.processes) {
    const auto value = process.values.find(metric);
    if (value != process.values.end()) {
      values.push_back(value->second);
    }
  }
  return values.empty() ? 0 : stats::median(std::move(values));
}

std::optional<std::time_t> moment(const std::string& utc) {
  std::tm parts{};
  const char* const end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end != nullptr && *end == '\0' ? std::optional(timegm(&parts)) : std::nullopt;
}

}  // namespace

void fields_of(Fields& fields, StoredBaseline& baseline) {
  fields.schema(kBaselineSchema);
  fields.text("name", baseline.name, 256);
  fields.text("scenario", baseline.scenario, 256);
  fields.text("setting", baseline.setting, 65'536);
  fields.record("fingerprint", baseline.fingerprint);
  fields.list("recordings", baseline.recordings, kMostRecordings, recording_of);
}

std::string to_json(const StoredBaseline& baseline) {
  return sorted_json_text(to_value(baseline), 1) + "\n";
}

StoredBaseline parse_baseline(std::string_view text, const std::string& where) {
  try {
    return parse_record<StoredBaseline>(text, where);
  } catch (const Incomparable&) {
    throw;
  } catch (const Error& error) {
    throw Incomparable(Error::Parts{std::string("baseline: ") + error.what(),
                                    "cannot be used",
                                    "nothing was changed",
                                    "record it again: tune baseline set RUN --force"});
  }
}

std::filesystem::path baseline_file(const std::filesystem::path& data_folder,
                                    const std::string& name) {
  const bool plain =
      !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != '-' &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
          std::string::npos;
  if (!plain) {
    throw Error({"baseline '" + name.substr(0, 100) + "'",
                 "is not a name",
                 "letters, digits, '-', '_' and '.', at most 100",
                 ""});
  }
  return data_folder / "baselines" / (name + ".json");
}

StoredBaseline load_baseline(const std::filesystem::path& data_folder, const std::string& name) {
  const auto file = baseline_file(data_folder, name);
  if (type_of_kept(file) == std::filesystem::file_type::not_found) {
    const std::string near = did_you_mean(name, baseline_names(data_folder));
    throw Incomparable(Error::Parts{"baseline " + name,
                                    "there is none",
                                    "in " + file.parent_path().string(),
                                    near.empty() ? "tune baseline set RUN --name " + name : near});
  }
  try {
    return parse_baseline(read_kept_file(file), file.string());
  } catch (const Incomparable&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    throw Incomparable(Error::Parts{"baseline " + name, "cannot be read", error.what(), ""});
  }
}

StoredBaseline load_baseline_file(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) {
    throw Incomparable(
        Error::Parts{"baseline file " + file.string(),
                     std::filesystem::exists(file, failed) ? "is not a file" : "there is none",
                     "`tune baseline show NAME --json` writes one",
                     ""});
  }
  try {
    return parse_baseline(read_file(file), file.string());
  } catch (const Incomparable&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    throw Incomparable(
        Error::Parts{"baseline file " + file.string(), "cannot be read", error.what(), ""});
  }
}

std::vector<std::string> baseline_names(const std::filesystem::path& data_folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(data_folder / "baselines", ignored)) {
    if (entry.path().extension() == ".json") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<double> disagreement(const StoredBaseline& baseline, const Policy& policy) {
  if (baseline.recordings.size() < 2) {
    return std::nullopt;
  }
  const Recording& last = baseline.recordings.back();
  const Recording& before = baseline.recordings[baseline.recordings.size() - 2];
  double most = 0;
  for (const Budget& budget : policy.budgets) {
    const double a = median_of(before, budget.metric);
    const double b = median_of(last, budget.metric);
    if (a > 0 && b > 0) {
      most = std::max(most, std::abs(std::log(b / a)));
    }
  }
  return most;
}

StoredSide usable_side(const StoredBaseline& baseline,
                       const Fingerprint& now,
                       const Policy& policy) {
  const std::string differs = difference(baseline.fingerprint, now);
  if (!differs.empty()) {
    refuse(
        baseline.name, differs, "record it again: tune baseline set RUN --name " + baseline.name);
  }
  const auto apart = disagreement(baseline, policy);
  if (!apart) {
    refuse(baseline.name,
           "it has one recording; one alone may be a bad hour",
           "run the scenario again and add it: tune baseline set RUN --name " + baseline.name);
  }
  if (*apart > std::log1p(policy.min_effect_ratio)) {
    refuse(baseline.name,
           "its last two recordings differ by more than the smallest effect of interest",
           "add another recording on a quiet machine, or gate in pairs without --baseline");
  }
  StoredSide side;
  side.confounded_log = *apart;
  const Recording& last = baseline.recordings.back();
  const Recording& before = baseline.recordings[baseline.recordings.size() - 2];
  const std::size_t most = std::max(last.processes.size(), before.processes.size());
  for (std::size_t i = 0; i < most; ++i) {
    for (const Recording* recording : {&before, &last}) {
      if (i < recording->processes.size()) {
        side.processes.push_back(recording->processes[i]);
        side.structures.push_back(recording->structures[i]);
      }
    }
  }
  side.incomparable = [baseline, now](const trial::WorkerFacts& facts) {
    Fingerprint print = now;
    add_worker(print, facts);
    const std::string why = difference(baseline.fingerprint, print);
    return why.empty() ? "" : "baseline " + baseline.name + " cannot be compared with: " + why;
  };
  return side;
}

std::string model_change(const StoredBaseline& baseline, const trial::OwnModel& now) {
  const auto is_other = [&](const Recording& recording) {
    return !now.sha256.empty() && !recording.model_sha256.empty() &&
           recording.model_sha256 != now.sha256;
  };
  const std::string file =
      "the model file " + std::filesystem::path(now.path).filename().string() + " changed ";
  const std::size_t count = baseline.recordings.size();
  if (count > 0 && is_other(baseline.recordings[count - 1])) {
    return file + "since baseline " + baseline.name + " was recorded";
  }
  return count > 1 && is_other(baseline.recordings[count - 2])
             ? file + "between the last two recordings of baseline " + baseline.name
             : "";
}

std::optional<std::int64_t> days_between(const std::string& then, const std::string& now) {
  const auto a = moment(then);
  const auto b = moment(now);
  constexpr std::int64_t kDay = 86'400;
  return a && b ? std::optional((*b - *a) / kDay) : std::nullopt;
}

namespace {

constexpr std::size_t kFewest = 3;

[[noreturn]] void refuse(const std::filesystem::path& directory, const std::string& why) {
  throw Error(
      {directory.string(), "cannot become a baseline", why, "name a folder under tune-runs/"});
}

// The first line of a ledger, of a run or of a gate: both have machine and scenario.
StoredBaseline read_header(const std::filesystem::path& directory) {
  const auto file = campaign::ledger_file(directory);
  if (type_of_kept(file) == std::filesystem::file_type::not_found) {
    refuse(directory, "it has no ledger.jsonl");
  }
  const std::string text = read_kept_file(file, 1 << 30);
  const std::string line = text.substr(0, text.find('\n'));
  const std::string where = file.string() + ":1";
  campaign::LedgerHeader header;
  read_fields(line, where, [&](Fields& fields) { campaign::origin_of(fields, header); });
  StoredBaseline baseline;
  baseline.scenario = std::filesystem::path(header.scenario_file).stem().string();
  baseline.fingerprint = fingerprint(header.machine, header.scenario_sha256, "");
  Recording recording;
  recording.utc = header.started_utc;
  recording.run = directory.string();
  baseline.recordings.push_back(std::move(recording));
  return baseline;
}

// False when other work disturbed it too much to count.
bool add_process(StoredBaseline& baseline, const MeasuredProcess& process) {
  const auto& [spec, reply] = process;
  ProcessSummary summary = summarise_process(reply, spec);
  if (summary.lost_too_many) {
    return false;
  }
  Recording& recording = baseline.recordings.back();
  if (recording.processes.empty()) {
    baseline.setting = trial::to_text(spec.knobs);
    baseline.fingerprint.data_sha256 = spec.data.manifest_sha256;
    recording.model_sha256 = spec.workload.own.sha256;
    add_worker(baseline.fingerprint, reply.facts);
  }
  recording.processes.push_back(std::move(summary));
  recording.structures.push_back(reply.structure);
  return true;
}

}  // namespace

StoredBaseline record_baseline(const std::filesystem::path& directory, const std::string& cell) {
  StoredBaseline baseline = read_header(directory);
  std::size_t disturbed = 0;
  for (const MeasuredProcess& process : measured_processes(directory, cell)) {
    disturbed += add_process(baseline, process) ? 0 : 1;
  }
  const std::size_t usable = baseline.recordings.back().processes.size();
  if (usable < kFewest) {
    const std::string others =
        disturbed == 0 ? ""
                       : ", " + std::to_string(disturbed) + " more were disturbed by other work";
    refuse(directory,
           "only " + std::to_string(usable) + " processes of '" + cell + "' can be used" + others +
               "; it takes " + std::to_string(kFewest));
  }
  return baseline;
}

}  // namespace tune::gate
