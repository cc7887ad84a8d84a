#include "worker/script/perform_script_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "trial/worker_lines.h"
#include "worker/script/agent_files.h"
#include "worker/script/note_ring.h"
#include "worker/script/script_disturbance.h"
#include "worker/script/script_process.h"
#include "worker/script/script_reply.h"
#include "worker/script/step_grouper.h"
#include "worker/warmup_search.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::script {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kLookNs = 10'000'000;  // the ring holds many seconds of notes

// One process that trains.
struct Rank {
  Rank(const fs::path& notes, bool by_batch) : ring(notes), grouper(by_batch) {}

  NoteRing ring;
  StepGrouper grouper;
};

class ScriptTrial {
 public:
  ScriptTrial(const trial::TrialSpec& spec,
              const fs::path& agent,
              worker::PhaseLines& phases,
              const SaveReply& save)
      : spec_(spec),
        phases_(phases),
        save_(save),
        files_(spec),
        warmup_(spec.measure),
        begin_ns_(monotonic_ns()),
        process_(script_command(spec, agent, files_.folder(), environ)) {}

  trial::TrialReply run() {
    while (state_ != State::over) {
      const bool has_ended = process_.wait(kLookNs);
      look_for_ranks();
      take_notes();
      go_on();
      if (has_ended && state_ != State::over) {
        end_by_itself();
      }
    }
    if (!reply_.failure) {
      files_.forget_notes();
    }
    return std::move(reply_);
  }

 private:
  enum class State { starting, warming, marking, measuring, closing, recording, over };

  // ------------------------------------------------------------------------------ notes

  // One that comes late is no part of the window, but has to be ended too.
  void look_for_ranks() {
    for (;;) {
      const fs::path file = files_.folder() / ("notes." + std::to_string(ranks_.size()));
      std::error_code failed;
      if (!fs::exists(fs::symlink_status(file, failed))) {
        return;
      }
      try {
        ranks_.push_back(std::make_unique<Rank>(file, spec_.workload.script.count == "batches"));
        unreadable_ns_ = 0;
      } catch (const MachineError&) {
        throw;
      } catch (const Error&) {
        constexpr std::int64_t kLongestNs = 5 * kSecondNs;  // it is being made
        unreadable_ns_ += kLookNs;
        if (unreadable_ns_ > kLongestNs) {
          throw;
        }
        return;
      }
    }
  }

  void take_notes() {
    for (const auto& rank : ranks_) {
      for (const Note& note : notes_of(*rank)) {
        rank->grouper.add(note);
      }
    }
  }

  static std::vector<Note> notes_of(Rank& rank) {
    try {
      return rank.ring.take();
    } catch (const Error& error) {
      throw Error(Error::Parts{.where = error.what(),
                               .problem = "the notes of the script cannot be used",
                               .why = "something has written into their file"});
    }
  }

  const GroupedNotes& notes() { return ranks_.front()->grouper.result(); }

  void send(Command command, std::int64_t number = 0) {
    for (const auto& rank : ranks_) {
      rank->ring.send(command, number);
    }
  }

  // The window is that of rank 0; the others follow it in step.
  bool is_obeyed() const { return ranks_.front()->ring.is_obeyed(); }

  // ------------------------------------------------------------------------------ the window

  void go_on() {
    if (ranks_.empty()) {
      return tell_where_it_hangs();
    }
    if (state_ == State::starting) {
      // The agent says its phases right after it has made its file of notes.
      constexpr int kLooks = 20;
      if (!files_.begin_of("warmup") && ++looks_ < kLooks) {
        return;
      }
      phases_.begin_at("first-batch", files_.begin_of("first-batch").value_or(monotonic_ns()));
      state_ = State::warming;
    }
    if (state_ == State::warming && is_warm()) {
      send(Command::mark, kWindowBegins);
      state_ = State::marking;
    }
    if (state_ == State::marking && is_obeyed() && has_mark(kWindowBegins)) {
      phases_.begin("measure");
      read_facts();
      disturbance_.emplace(ranks_.front()->ring.process());
      state_ = State::measuring;
    }
    if (state_ == State::measuring) {
      measure();
    }
    if (state_ == State::closing && is_obeyed() && has_mark(kWindowEnds)) {
      close_window();
    }
    if (state_ == State::recording && is_obeyed()) {
      keep_recording();
      end_script();
    }
  }

  void tell_where_it_hangs() {
    constexpr std::int64_t kEveryNs = 10 * kSecondNs;
    const std::int64_t now_ns = monotonic_ns();
    if (now_ns - begin_ns_ < next_line_ns_) {
      return;
    }
    next_line_ns_ += kEveryNs;
    // On a line of its own, whatever the script has printed without an end.
    (void)std::fprintf(stderr,
                       "\n%s%llds; %s\n",
                       std::string(trial::kNoStepLine).c_str(),
                       static_cast<long long>((now_ns - begin_ns_) / kSecondNs),
                       files_.whereabouts().c_str());
  }

  bool has_mark(std::int64_t number) {
    const auto& marks = notes().marks;
    return std::any_of(
        marks.begin(), marks.end(), [&](const Mark& mark) { return mark.number == number; });
  }

  bool is_warm() {
    const std::vector<Step>& steps = notes().steps;
    if (steps.empty()) {
      return false;
    }
    phases_.begin_at("warmup", files_.begin_of("warmup").value_or(monotonic_ns()));
    const trial::Measure& measure = spec_.measure;
    for (std::size_t i = step_ns_.size(); i < steps.size(); ++i) {
      step_ns_.push_back(steps[i].wall_ns());
      const std::int64_t passed_ns = steps[i].end_ns - steps.front().begin_ns;
      const bool is_least_done = static_cast<std::int64_t>(step_ns_.size()) >=
                                     std::max<std::int64_t>(1, measure.warmup_steps) &&
                                 passed_ns >= measure.warmup_ns;
      if (measure.find_warmup ? warmup_.is_over(step_ns_, passed_ns) : is_least_done) {
        return true;
      }
    }
    return false;
  }

  void measure() {
    const auto slices = window_slices(notes(), spec_.measure).size();
    auto& disturbances = evidence_.disturbances;
    if (slices > disturbances.size()) {
      disturbances.resize(slices);
      disturbances.back() = disturbance_->read();
    }
    if (static_cast<std::int64_t>(slices) >= spec_.measure.slices) {
      send(Command::mark, kWindowEnds);
      state_ = State::closing;
    }
  }

  void close_window() {
    phases_.begin("write");
    read_facts();
    fill_reply();
    if (spec_.profile) {
      reply_.profile.emplace().reason = trial::kUnfinishedProfile;
    }
    save_(reply_);
    if (spec_.profile) {
      phases_.begin("profiled");
      profile_start_ns_ = monotonic_ns();
      ranks_.front()->ring.send(Command::record);
      state_ = State::recording;
    } else {
      end_script();
    }
  }

  // All ranks end with the same step of their optimizers, a few from now. The reply is complete:
  // nothing that goes wrong here matters to it.
  void end_script() {
    constexpr std::int64_t kFew = 5;
    constexpr std::int64_t kLauncherNs = kSecondNs;  // it has nothing left to do
    state_ = State::over;
    const std::int64_t last = notes().optimizer_steps + kFew;
    std::int64_t left_ns = longest_end_ns();
    try {
      for (std::size_t ended = 0; left_ns > 0 && !process_.wait(kLookNs); left_ns -= kLookNs) {
        look_for_ranks();
        for (; ended < ranks_.size(); ++ended) {
          ranks_[ended]->ring.send(Command::end, last);
        }
        take_notes();
        if (have_all_left()) {
          left_ns = std::min(left_ns, kLauncherNs);
        }
      }
    } catch (const Error&) {
      left_ns = 0;
    }
    process_.kill();
  }

  // A command is obeyed between two steps; the agent of several ranks waits 10 s for the others.
  std::int64_t longest_end_ns() {
    constexpr std::int64_t kLeastNs = 2 * kSecondNs, kLongestNs = 15 * kSecondNs;
    const std::vector<Step>& steps = notes().steps;
    const std::int64_t step_ns = steps.empty() ? kSecondNs : steps.back().wall_ns();
    constexpr std::int64_t kSteps = 10;
    return ranks_.size() > 1 || step_ns > kSecondNs ? kLongestNs : kLeastNs + kSteps * step_ns;
  }

  // The agent takes the last command back right before it ends its process.
  bool have_all_left() const {
    return std::all_of(
        ranks_.begin(), ranks_.end(), [](const auto& rank) { return rank->ring.is_obeyed(); });
  }

  // ------------------------------------------------------------------------------ the reply

  void read_facts() {
    try {
      if (auto facts = files_.facts()) {
        evidence_.facts = std::move(facts);
      }
    } catch (const MachineError&) {
      throw;
    } catch (const Error& error) {
      evidence_.notes.push_back(std::string("the agent's facts could not be read: ") +
                                error.what());
    }
  }

  const ScriptEvidence& evidence() {
    evidence_.ranks.clear();
    for (const auto& rank : ranks_) {
      evidence_.ranks.push_back(&rank->grouper.result());
    }
    return evidence_;
  }

  void fill_reply() {
    reply_ = measured_reply(spec_, evidence());
    if (spec_.measure.find_warmup) {
      reply_.warmup_search = warmup_.record();
    }
  }

  void keep_recording() {
    read_facts();
    const auto& facts = evidence_.facts;
    trial::ProfileOutcome outcome;
    outcome.start_ns = profile_start_ns_;
    outcome.end_ns = monotonic_ns();
    if (const auto trace = facts ? files_.keep_trace(facts->trace) : std::nullopt) {
      outcome.file = trace->filename().string();
      outcome.file_bytes = static_cast<std::int64_t>(fs::file_size(*trace));
      outcome.step_ns = recorded_steps_ns(notes(), spec_.profile->active);
    } else {
      outcome.reason = facts && !facts->no_trace.empty() ? facts->no_trace : "no trace was written";
    }
    reply_.profile = std::move(outcome);
  }

  // The script ended before we ended it: too short, failed, or it never trained.
  void end_by_itself() {
    state_ = State::over;
    process_.kill();  // and what it has left behind
    read_facts();
    if (!reply_.slices.empty()) {
      reply_.profile.emplace().reason = "the script ended before its steps were recorded";
      return;
    }
    phases_.begin("write");
    evidence_.has_ended = true;
    const std::string how = process_.how_it_failed();
    const bool has_failed = !how.empty() || (evidence_.facts && evidence_.facts->failure);
    if (!has_failed && !ranks_.empty() && !window_slices(notes(), spec_.measure, true).empty()) {
      fill_reply();
      return;
    }
    reply_.id = spec_.id;
    evidence_.has_begun = files_.has_begun();
    reply_.failure = script_failure(evidence(), how);
    reply_.script = seen_script(evidence_);
  }

  const trial::TrialSpec& spec_;
  worker::PhaseLines& phases_;
  const SaveReply& save_;
  AgentFiles files_;
  trial::TrialReply reply_;
  worker::WarmupSearch warmup_;
  std::int64_t begin_ns_ = 0, next_line_ns_ = 12 * kSecondNs;  // the agent has looked by then
  std::int64_t unreadable_ns_ = 0;  // for so long the file of a rank's notes has been none
  ScriptProcess process_;
  State state_ = State::starting;
  int looks_ = 0;  // at a file of notes whose process has not said its phases yet
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::int64_t> step_ns_;  // seen by the search for the warm-up
  std::optional<ScriptDisturbance> disturbance_;
  ScriptEvidence evidence_;
  std::int64_t profile_start_ns_ = 0;
};

}  // namespace

trial::TrialReply perform_script_trial(const trial::TrialSpec& spec,
                                       const fs::path& agent,
                                       worker::PhaseLines& phases,
                                       const SaveReply& save) {
  trial::TrialReply refused;
  refused.id = spec.id;
  if (const std::string problem = why_not_attached(spec.workload.script.command);
      !problem.empty()) {
    refused.failure = trial::Failure{"refused", problem};
    phases.begin("write");
    return refused;
  }
  return ScriptTrial(spec, agent, phases, save).run();
}

}  // namespace tune::script
