#include "worker/recorder/record_steps.h"

#include "base/clock.h"
#include "base/units.h"
#include "worker/recorder/range.h"

#include <string>
#include <utility>

namespace tune::worker {

std::vector<trial::RefusedOption> refused_options(const trial::Profile& profile,
                                                  RecordedTrial trial) {
  std::vector<trial::RefusedOption> refused;
  if (profile.cuda && !trial.has_gpu) {
    refused.push_back({"cuda", "the trial runs on the CPU"});
  }
  if (profile.with_stack) {
    refused.push_back({"with_stack", "a C++ program has no Python frames"});
  }
  if (profile.with_modules && trial.has_own_model) {
    refused.push_back({"with_modules", "tune does not know the modules of your own model"});
  }
  if (!profile.cpu && trial.has_gpu) {
    for (const auto& [option, is_wanted] : {std::pair{"record_shapes", profile.record_shapes},
                                            std::pair{"profile_memory", profile.profile_memory},
                                            std::pair{"with_flops", profile.with_flops}}) {
      if (is_wanted) {
        refused.push_back({option, "it needs operators, but activities has no cpu"});
      }
    }
  }
  return refused;
}

std::string why_no_profile(const trial::Profile& profile, bool has_gpu, std::int64_t free_bytes) {
  if (!profile.cpu && !(profile.cuda && has_gpu)) {
    return "activities: cpu is not requested, and the trial has no GPU";
  }
  // This text compresses to a tenth or less.
  constexpr std::int64_t kLeastShrinking = 4;
  const std::int64_t needed_bytes = profile.limit_bytes / kLeastShrinking;
  if (free_bytes < needed_bytes) {
    return "the disk has " + format_bytes(free_bytes) + " left, and the trace may need " +
           format_bytes(needed_bytes);
  }
  return "";
}

namespace {

class Steps {
 public:
  Steps(const trial::Profile& profile, Recording& recording, const RecordedParts& parts)
      : profile_(profile), recording_(recording), parts_(parts) {}

  RecordedSteps run() {
    found_.step_ns.reserve(static_cast<std::size_t>(profile_.active * profile_.repeat));
    found_.windows.reserve(static_cast<std::size_t>(profile_.repeat));
    for (std::int64_t cycle = 0; cycle < profile_.repeat && !found_.cap_reached; ++cycle) {
      for (std::int64_t i = 0; i < profile_.wait; ++i) {
        parts_.step();
        ++number_;
      }
      record_cycle();
    }
    return std::move(found_);
  }

 private:
  // Runs however a step ends.
  class Listening {
   public:
    Listening(Recording& recording, const RecordedParts& parts)
        : recording_(recording), parts_(parts) {
      recording_.start();
      parts_.listen();
    }
    ~Listening() {
      parts_.ignore();
      recording_.stop();
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    Recording& recording_;
    const RecordedParts& parts_;
  };

  void record_cycle() {
    const Listening listening(recording_, parts_);
    warm_up();
    if (parts_.warmed_up) {
      parts_.warmed_up();
    }
    TraceWindow window{monotonic_ns(), 0};
    for (std::int64_t i = 0; i < profile_.active && !found_.cap_reached; ++i) {
      found_.edges.push_back(monotonic_ns());
      found_.step_ns.push_back(run_step(i + 1 == profile_.active));
      found_.are_alike &= !parts_.was_alike || parts_.was_alike();
      const bool is_last =
          found_.step_ns.size() == static_cast<std::size_t>(profile_.active * profile_.repeat);
      found_.cap_reached = !is_last && recording_.json_bytes_at_most() >= profile_.limit_bytes;
    }
    if (parts_.finish && found_.cap_reached) {
      found_.step_ns.back() += parts_.finish();
    }
    window.end_ns = monotonic_ns();
    found_.edges.push_back(window.end_ns);
    found_.windows.push_back(window);
  }

  // The first steps register threads and names, and allocate the memory that later steps need.
  void warm_up() {
    ThreadLog* const log = recording_.log_of_this_thread();
    const ThreadLog::Mark mark = log->mark();
    for (std::int64_t i = 0; i < profile_.warmup; ++i) {
      run_step(false);
    }
    if (profile_.warmup > 0) {
      constexpr double kSpare = 1.25;
      log->reserve(
          mark,
          kSpare * static_cast<double>(profile_.active) / static_cast<double>(profile_.warmup));
    }
    log->rewind(mark);
  }

  // The wait for the last step belongs to that step, like its work.
  std::int64_t run_step(bool is_last) {
    const Range step("ProfilerStep#" + std::to_string(number_++));
    std::int64_t step_ns = parts_.step();
    if (is_last && parts_.finish) {
      step_ns += parts_.finish();
    }
    return step_ns;
  }

  const trial::Profile& profile_;
  Recording& recording_;
  const RecordedParts& parts_;
  RecordedSteps found_;
  std::int64_t number_ = 0;
};

}  // namespace

std::vector<std::int64_t> comparable_edges(const RecordedSteps& steps) {
  if (steps.windows.size() == 1 && steps.are_alike) {
    return steps.edges;
  }
  return {steps.edges.front(), steps.edges.back()};
}

RecordedSteps record_steps(const trial::Profile& profile,
                           Recording& recording,
                           const RecordedParts& parts) {
  return Steps(profile, recording, parts).run();
}

}  // namespace tune::worker
