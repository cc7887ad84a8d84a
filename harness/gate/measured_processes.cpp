#include "gate/measured_processes.h"

#include "base/file.h"

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
  std::vector<MeasuredProcess> processes;
  for (const auto& folder : kept_entries(directory / "trials")) {
    const auto spec_file = folder / "spec.json";
    const auto reply_file = folder / "reply.json";
    constexpr auto kNone = std::filesystem::file_type::not_found;
    if (type_of_kept(reply_file) == kNone || type_of_kept(spec_file) == kNone) {
      continue;
    }
    auto spec = trial::parse_trial_spec(read_kept_file(spec_file), spec_file.string());
    if (!is_measured(spec, cell)) {
      continue;
    }
    spec.folder = folder.string();
    auto reply = trial::parse_trial_reply(read_kept_file(reply_file), reply_file.string());
    if (!reply.failure) {
      processes.push_back({std::move(spec), std::move(reply)});
    }
  }
  return processes;
}

}  // namespace tune::gate
