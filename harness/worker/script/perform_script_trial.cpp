#include "worker/script/perform_script_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "machine/process_tree.h"
#include "worker/script/agent_files.h"
#include "worker/script/kept_copy.h"
#include "worker/script/ranks.h"
#include "worker/script/script_disturbance.h"
#include "worker/script/script_output.h"
#include "worker/script/script_process.h"
#include "worker/script/script_reply.h"
#include "worker/warmup_search.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::script {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kLookNs = 10'000'000;  // the ring holds many seconds of notes

using UndoWritten = std::function<void(const std::vector<std::string>&)>;

class ScriptTrial {
 public:
  /// `undo`: what the script has written; it is called where we are ended.
  ScriptTrial(const trial::TrialSpec& spec,
              const fs::path& agent,
              worker::PhaseLines& phases,
              const SaveReply& save,
              const UndoWritten& undo)
      : spec_(spec),
        phases_(phases),
        save_(save),
        files_(spec),
        warmup_(spec.measure),
        begin_ns_(monotonic_ns()),
        ranks_(files_.folder(), spec.workload.script.count == "batches"),
        output_(spec.workload.script.stop_at),
        undo_(undo),
        process_(with_output(script_command(spec, agent, files_.folder(), environ))) {}

  trial::TrialReply run() {
    reply_.id = spec_.id;
    try {
      measure_script();
    } catch (...) {
      end_all();
      undo();
      throw;
    }
    undo();
    if (!reply_.failure) {
      files_.forget_notes();
    }
    return std::move(reply_);
  }

 private:
  enum class State { starting, warming, marking, measuring, closing, recording, over };

  void measure_script() {
    while (state_ != State::over) {
      const bool has_ended = process_.wait(kLookNs);
      has_line_ = output_.take();
      ranks_.look(kLookNs);
      ranks_.take_notes();
      go_on();
      if (has_ended && state_ != State::over) {
        end_by_itself();
      }
    }
  }

  // What the script has written, as far as the agent has said so.
  void undo() const {
    if (undo_) {
      const auto facts = files_.facts();
      undo_(facts ? facts->written : std::vector<std::string>());
    }
  }

  const GroupedNotes& notes() const { return ranks_.notes(); }
  ScriptCommand with_output(ScriptCommand command) {
    command.output = output_.descriptor();
    command.at_our_end = [this] {
      end_all();
      undo();
    };
    return command;
  }

  // Signals do not reach what another program has started, as Slurm's daemon does for srun.
  void end_all() {
    files_.call_off();
    ranks_.call_off();
    process_.kill();
  }

  bool is_obeyed() { return ranks_.first().is_obeyed(); }
  // ------------------------------------------------------------------------------ the window

  void go_on() {
    if (has_line_ && state_ < State::measuring) {
      return refuse(line_failure(evidence()));
    }
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
      ranks_.send(Command::mark, kWindowBegins);
      state_ = State::marking;
    }
    if (state_ == State::marking && is_obeyed() && has_mark(kWindowBegins)) {
      phases_.begin("measure");
      read_facts();
      disturbance_.emplace(ranks_.first().process(), spec_);
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
    if (const std::int64_t waited_ns = monotonic_ns() - begin_ns_; waited_ns >= next_line_ns_) {
      if (const auto user = machine::other_user_of_pythons(getpid(), geteuid())) {
        return refuse(other_user_failure(*user));
      }
      next_line_ns_ += 10 * kSecondNs;
      files_.tell_whereabouts(waited_ns / kSecondNs);
    }
  }

  bool has_mark(std::int64_t number) {
    return std::ranges::count(notes().marks, number, &Mark::number) > 0;
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
    const std::vector<trial::Slice> slices = window_slices(notes(), spec_.measure);
    auto& disturbances = evidence_.disturbances;
    if (slices.size() > disturbances.size()) {
      const auto seen = disturbance_->read(std::span(slices).subspan(disturbances.size()));
      disturbances.insert(disturbances.end(), seen.begin(), seen.end());
    }
    const bool is_whole = static_cast<std::int64_t>(slices.size()) >= spec_.measure.slices;
    if (is_whole || has_line_) {
      evidence_.ends_at_line = !is_whole;
      ranks_.send(Command::mark, kWindowEnds);
      state_ = State::closing;
    }
  }

  void close_window() {
    read_facts();
    if (window_slices(notes(), spec_.measure, evidence_.ends_at_line).empty()) {
      return refuse(line_failure(evidence()));
    }
    phases_.begin("write");
    fill_reply();
    if (spec_.profile) {
      reply_.profile.emplace().reason = trial::kUnfinishedProfile;
    }
    save_(reply_);
    if (spec_.profile) {
      phases_.begin("profiled");
      profile_start_ns_ = monotonic_ns();
      ranks_.first().send(Command::record);
      state_ = State::recording;
    } else {
      end_script();
    }
  }

  void end_script() {
    state_ = State::over;
    if (spec_.workload.script.stop_after == "script") {
      let_script_end();
    } else {
      make_script_end();
    }
    end_all();
    output_.take();
  }

  void let_script_end() {
    while (!process_.wait(kLookNs)) {
      output_.take();
    }
    if (const std::string how = process_.how_it_failed(); !how.empty() && reply_.script) {
      reply_.script->notes.push_back("after its window the script ended with " + how);
    }
  }

  // All ranks end with the same step of their optimizers, which none has reached when the last of
  // them hears of it: the notes are a look old. Nothing that goes wrong here matters to the reply.
  void make_script_end() {
    constexpr std::int64_t kFewest = 5, kHeardNs = kSecondNs / 5;
    constexpr std::int64_t kLauncherNs = kSecondNs;  // it has nothing left to do
    const std::int64_t last = notes().optimizer_steps + std::max(kFewest, kHeardNs / step_ns());
    std::int64_t left_ns = longest_end_ns();
    try {
      for (; left_ns > 0 && !process_.wait(kLookNs); left_ns -= kLookNs) {
        output_.take();
        ranks_.look(kLookNs);
        ranks_.end_at(last);
        ranks_.take_notes();
        if (ranks_.have_all_left()) {
          left_ns = std::min(left_ns, kLauncherNs);
        }
      }
    } catch (const Error&) {
      left_ns = 0;  // it is killed instead
    }
  }

  // A command is obeyed between two steps; the agent of several ranks waits 10 s for the others.
  std::int64_t longest_end_ns() {
    constexpr std::int64_t kSteps = 10, kLeastNs = 2 * kSecondNs, kLongestNs = 15 * kSecondNs;
    return ranks_.size() > 1 || step_ns() > kSecondNs ? kLongestNs : kLeastNs + kSteps * step_ns();
  }

  std::int64_t step_ns() const {  // never 0
    return notes().steps.empty() ? kSecondNs : 1 + notes().steps.back().wall_ns();
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
    evidence_.ranks = ranks_.all_notes();
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

  void refuse(const trial::Failure& failure) {
    state_ = State::over;
    end_all();
    output_.take();
    read_facts();
    reply_.failure = failure;
    reply_.script = seen_script(evidence());
    phases_.begin("write");
  }

  // The script ended before we ended it: too short, failed, or it never trained.
  void end_by_itself() {
    state_ = State::over;
    end_all();  // what it has left behind
    output_.take();
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
  Ranks ranks_;
  ScriptOutput output_;
  const UndoWritten undo_;
  ScriptProcess process_;
  State state_ = State::starting;
  int looks_ = 0;          // at a file of notes whose process has not said its phases yet
  bool has_line_ = false;  // that ends the window
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
  const Shield shield = script_command(spec, agent, spec.folder, nullptr).shield;
  const std::string obstacle = obstacle_of(shield);
  if (obstacle.empty() || !shield.stand_ins.empty()) {
    return ScriptTrial(spec, agent, phases, save, {}).run();
  }
  KeptCopy copy(shield, obstacle, {});
  trial::TrialSpec watched = spec;
  watched.workload.script.shield.clear();
  watched.workload.script.is_watched = true;
  const auto undo = [&](const std::vector<std::string>& written) { copy.undo(written); };
  trial::TrialReply reply = ScriptTrial(watched, agent, phases, save, undo).run();
  if (reply.script) {
    copy.add_notes(reply.script->notes);
  }
  return reply;
}

}  // namespace tune::script
