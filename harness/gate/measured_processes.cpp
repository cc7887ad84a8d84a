#include "gate/measured_processes.h"

#include "base/file.h"

#include <algorithm>
#include <system_error>

namespace tune::gate {

namespace {

// Nor what had other batches than the cell's: the ceilings, whose cell is the baseline as well.
bool is_measured(const trial::TrialSpec& spec, const std::string& cell) {
  return spec.cell == cell && !spec.measure.find_warmup && !spec.measure.epoch &&
         spec.measure.slice_ns > 0 && spec.measure.delay_ratio == 0 &&
         !spec.id.starts_with("ceiling") && !spec.id.starts_with("diagnose");
}

}  // namespace

std::vector<MeasuredProcess> measured_processes(const std::filesystem::path& directory,
                                                const std::string& cell) {
  std::vector<std::filesystem::path> folders;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(directory / "trials", failed)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::vector<MeasuredProcess> processes;
  for (const auto& folder : folders) {
    const auto spec_file = folder / "spec.json";
    const auto reply_file = folder / "reply.json";
    if (!std::filesystem::exists(reply_file, failed) ||
        !std::filesystem::exists(spec_file, failed)) {
      continue;
    }
    auto spec = trial::parse_trial_spec(read_file(spec_file), spec_file.string());
    if (!is_measured(spec, cell)) {
      continue;
    }
    spec.folder = folder.string();
    auto reply = trial::parse_trial_reply(read_file(reply_file), reply_file.string());
    if (!reply.failure) {
      processes.push_back({std::move(spec), std::move(reply)});
    }
  }
  return processes;
}

}  // namespace tune::gate
