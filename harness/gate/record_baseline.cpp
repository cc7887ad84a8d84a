#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "campaign/ledger.h"
#include "gate/measured_processes.h"
#include "gate/stored_baseline.h"

namespace tune::gate {

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
