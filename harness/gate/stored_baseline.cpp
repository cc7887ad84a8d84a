#include "gate/stored_baseline.h"

#include "base/did_you_mean.h"
#include "base/file.h"
#include "base/machine_error.h"
#include "gate/incomparable.h"
#include "gate/metric.h"
#include "stats/median.h"
#include "trial/trial_reply.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace tune::gate {

namespace {

using nlohmann::json;
using trial::JsonObject;

constexpr std::size_t kMostRecordings = 10, kMostProcesses = 10'000, kMostVetoes = 16;
constexpr double kLargest = 1e18;

json summary_json(const ProcessSummary& summary) {
  json values = json::object();
  for (const auto& [name, value] : summary.values) {
    values[name] = value;
  }
  json vetoes = json::array();
  for (const campaign::Veto& veto : summary.steadiness.vetoes) {
    vetoes.push_back({{"name", veto.name}, {"why", veto.why}});
  }
  return {{"values", std::move(values)},
          {"clean", summary.slices.clean},
          {"tainted", summary.slices.tainted},
          {"tainted_by_core", summary.slices.tainted_by_core},
          {"core_probes", summary.slices.has_core_probes},
          {"vetoes", std::move(vetoes)}};
}

ProcessSummary read_summary(JsonObject& object) {
  ProcessSummary summary;
  JsonObject values = object.object("values");
  for (const Metric& metric : all_metrics()) {
    if (values.has(metric.name.c_str())) {
      summary.values[metric.name] = values.real(metric.name.c_str(), 0, kLargest);
    }
  }
  campaign::SliceCount& slices = summary.slices;
  slices.clean = object.whole("clean", {0, 1'000});
  slices.tainted = object.whole("tainted", {0, 1'000});
  if (object.has("tainted_by_core")) {
    slices.tainted_by_core = object.whole("tainted_by_core", {0, slices.tainted});
    slices.has_core_probes = object.flag("core_probes");
  }
  if (object.has("vetoes")) {  // a baseline of before they were kept has none
    object.each("vetoes", kMostVetoes, [&](JsonObject& entry) {
      summary.steadiness.vetoes.push_back({entry.text("name", 64), entry.text("why")});
    });
  }
  return summary;
}

using Count = std::pair<const char*, std::int64_t trial::Structure::*>;
constexpr std::array<Count, 5> kCounts = {
    {{"operators", &trial::Structure::operators},
     {"backward_operators", &trial::Structure::backward_operators},
     {"allocations", &trial::Structure::allocations},
     {"allocated_bytes", &trial::Structure::allocated_bytes},
     {"batch_bytes", &trial::Structure::batch_bytes}}};

json structure_json(const std::optional<trial::Structure>& structure) {
  if (!structure) {
    return nullptr;
  }
  json object = json::object();
  for (const auto& [name, count] : kCounts) {
    object[name] = *structure.*count;
  }
  return object;
}

Recording read_recording(JsonObject& object) {
  Recording recording;
  recording.utc = object.text("utc", 64);
  recording.run = object.text("run");
  if (object.has("model_sha256")) {
    recording.model_sha256 = object.text("model_sha256", 64);
  }
  object.each("processes", kMostProcesses, [&](JsonObject& entry) {
    recording.processes.push_back(read_summary(entry));
    std::optional<trial::Structure> structure;
    if (entry.has("structure") && !entry.is_null("structure")) {
      JsonObject counts = entry.object("structure");
      structure.emplace();
      for (const auto& [name, count] : kCounts) {
        *structure.*count = counts.whole(name, {0, 1'000'000'000'000'000});
      }
    }
    recording.structures.push_back(structure);
  });
  if (recording.processes.empty()) {
    trial::complain(object.where(), object.path_of("processes"), "is empty");
  }
  return recording;
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

std::string to_json(const StoredBaseline& baseline) {
  json recordings = json::array();
  for (const Recording& recording : baseline.recordings) {
    json processes = json::array();
    for (std::size_t i = 0; i < recording.processes.size(); ++i) {
      json process = summary_json(recording.processes[i]);
      process["structure"] = structure_json(recording.structures[i]);
      processes.push_back(std::move(process));
    }
    json entry = {
        {"utc", recording.utc}, {"run", recording.run}, {"processes", std::move(processes)}};
    if (!recording.model_sha256.empty()) {
      entry["model_sha256"] = recording.model_sha256;
    }
    recordings.push_back(std::move(entry));
  }
  const json object = {{"schema", kBaselineSchema},
                       {"name", baseline.name},
                       {"scenario", baseline.scenario},
                       {"setting", baseline.setting},
                       {"fingerprint", to_json(baseline.fingerprint)},
                       {"recordings", std::move(recordings)}};
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

StoredBaseline parse_baseline(std::string_view text, const std::string& where) {
  try {
    const json parsed = trial::parse_json(text, where);
    JsonObject object(parsed, where, "");
    const std::string schema = object.text("schema", 64);
    if (schema != kBaselineSchema) {
      trial::complain(
          where,
          "schema",
          "is '" + schema + "', this version of tune reads " + std::string(kBaselineSchema));
    }
    StoredBaseline baseline;
    baseline.name = object.text("name", 256);
    baseline.scenario = object.text("scenario", 256);
    baseline.setting = object.text("setting", 65'536);
    baseline.fingerprint = read_fingerprint(object.object("fingerprint"));
    object.each("recordings", kMostRecordings, [&](JsonObject& entry) {
      baseline.recordings.push_back(read_recording(entry));
    });
    return baseline;
  } catch (const Incomparable&) {
    throw;
  } catch (const Error& error) {
    throw Incomparable(Error::Parts{std::string("baseline: ") + error.what(),
                                    "cannot be used",
                                    "nothing was changed",
                                    "record it anew: tune baseline set RUN --force"});
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
                 "is no name",
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
    refuse(baseline.name, differs, "record it anew: tune baseline set RUN --name " + baseline.name);
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

}  // namespace tune::gate
