#include "cli/record_script.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/observe_script.h"
#include "cli/script_scenario.h"
#include "cli/script_words.h"
#include "cli/trial_machine.h"
#include "measure/campaign/profiled_cell.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// The trial's folder is inside that of the reports, for recorded steps may not fit where temporary
// files are. It goes with the object, and with it the empty folders that were made for it.
class TrialFolder {
 public:
  explicit TrialFolder(const fs::path& folder) : path_(folder / "trial") {
    for (fs::path made = folder; !made.empty() && !fs::exists(made, failed_);
         made = made.parent_path()) {
      made_.push_back(made);
    }
    make_folders(folder, "-o DIR");
    make_folders(path_, "-o DIR");
  }
  ~TrialFolder() {
    fs::remove_all(path_, failed_);
    for (const fs::path& made : made_) {
      fs::remove(made, failed_);  // which does nothing to one that holds something
    }
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  std::error_code failed_;
  std::vector<fs::path> made_;
};

trial::TrialSpec recording_spec(const RecordingWish& wish, const fs::path& folder) {
  trial::TrialSpec spec;
  spec.id = folder.filename().string();
  spec.cell = "baseline";
  spec.workload = wish.workload;
  spec.workload.script.is_watched = true;
  spec.data.source = "script";
  spec.knobs = wish.knobs;
  spec.measure = wish.measure;
  // Shapes show layouts, precisions and products.
  spec.profile = trial::Profile{.warmup = 2,
                                .active = wish.steps,
                                .record_shapes = true,
                                .profile_memory = false,
                                .with_stack = wish.with_stack};
  spec.timeout_ns = wish.timeout_ns;
  spec.folder = folder.string();
  return spec;
}

// Where the script failed after its window its own words say why.
[[noreturn]] void refuse(const trial::TrialSpec& spec, const std::string& reason) {
  std::cerr << last_words(spec.folder);
  throw Error(
      Error::Parts{command_line(spec.workload.script), "no step of it was recorded", reason, ""});
}

std::string why_no_trace(const trial::TrialReply& reply) {
  if (reply.profile && !reply.profile->reason.empty()) {
    return reply.profile->reason;
  }
  const auto ended = reply.script->ended_after_steps;
  return ended ? "it ended after " + std::to_string(*ended) +
                     " steps, before that: give it more epochs"
               : "no trace was written";
}

report::SampledLines sampled_lines(const trial::TrialSpec& spec) {
  constexpr std::int64_t kLargest = 8 << 20;
  const fs::path file = fs::path(spec.folder) / "agent" / "lines.json";
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) {
    return {};
  }
  try {
    return report::parse_sampled_lines(read_file(file, kLargest), "lines.json");
  } catch (const Error&) {  // the script may have written there
    return {};
  }
}

std::vector<result::BusyLine> busy_lines(const report::SampledLines& sampled,
                                         const std::string& folder) {
  std::vector<result::BusyLine> lines;
  lines.reserve(sampled.lines.size());
  for (const report::SampledLine& seen : sampled.lines) {
    if (seen.samples <= sampled.samples && sampled.samples > 0) {
      result::BusyLine& line = lines.emplace_back(seen.line);
      line.file = report::short_file(line.file, folder);
      line.ratio = static_cast<double>(seen.samples) / static_cast<double>(sampled.samples);
    }
  }
  return lines;
}

// What was in effect is what rules are asked about.
void know_settings(const trial::KnobSettings& observed, trial::TrialSpec& spec) {
  for (const auto& [knob, value] : observed) {
    spec.knobs[knob] = value;
  }
  if (spec.workload.script.observed.empty()) {
    spec.workload.script.observed = observed;
  }
}

report::RecordedScript script_of(const trial::TrialSpec& spec, const trial::TrialReply& reply) {
  report::RecordedScript recorded;
  recorded.script = report::script_of(spec.workload.script, &*reply.script);
  recorded.wanted_steps = spec.profile->active;
  recorded.recorded_steps = std::ssize(reply.profile->step_ns);
  recorded.trace_bytes = reply.profile->file_bytes;
  recorded.recorded_step_s = campaign::median_s(reply.profile->step_ns);
  const report::SampledLines sampled = sampled_lines(spec);
  recorded.script.lines = busy_lines(sampled, spec.workload.script.folder);
  recorded.samples = sampled.samples;
  recorded.sampled_steps = std::ssize(sampled.step_ns);
  recorded.step_before_s = campaign::measured_step_s(reply);
  recorded.step_after_s = campaign::median_s(sampled.step_ns);
  if (reply.facts.device == "cuda") {  // steps of the host are not those of the device
    recorded.dilation = trial::profiler_dilation(reply);
  } else if (recorded.recorded_step_s && recorded.step_before_s) {
    recorded.dilation = *recorded.recorded_step_s /
                        std::max(*recorded.step_before_s, recorded.step_after_s.value_or(0));
  }
  return recorded;
}

}  // namespace

Recording record_script(const RecordingWish& wish, const fs::path& folder) {
  if (!wish.quiet) {
    std::cerr << "recording " << wish.steps << (wish.steps == 1 ? " step of " : " steps of ")
              << command_line(wish.workload.script) << ", after a few that are measured\n";
  }
  const TrialFolder trial(folder);
  trial::TrialSpec spec = recording_spec(wish, trial.path());
  runner::TrialOutcome outcome = look_once(spec, wish.quiet);
  const trial::TrialReply& reply = *outcome.reply;
  if (!reply.profile || reply.profile->file.empty()) {
    refuse(spec, why_no_trace(reply));
  }
  Recording recording{.trace = folder / "trace.json.gz"};
  std::error_code failed;
  fs::rename(trial.path() / fs::path(reply.profile->file).filename(), recording.trace, failed);
  if (failed) {
    throw Error(
        Error::Parts{recording.trace.string(), "cannot be written", failed.message(), "-o DIR"});
  }
  know_settings(reply.script->observed, spec);
  recording.trial.script = script_of(spec, reply);
  recording.trial.machine = machine_of_trials(wish.workload);
  recording.trial.trial = {.spec = spec, .stage = "diagnose", .outcome = std::move(outcome)};
  return recording;
}

}  // namespace tune::cli
