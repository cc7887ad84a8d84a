#include "worker/script/perform_script_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "worker/script/note_ring.h"
#include "worker/script/script_disturbance.h"
#include "worker/script/script_process.h"
#include "worker/script/script_reply.h"
#include "worker/script/step_grouper.h"
#include "worker/warmup_search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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

constexpr std::int64_t kLookNs = 10'000'000;     // the ring holds many seconds of notes
constexpr std::int64_t kEndNs = 15'000'000'000;  // the agent waits 10 s for other ranks
constexpr std::int64_t kLargestFacts = 8 << 20;

void write_agent_spec(const trial::TrialSpec& spec, const fs::path& folder) {
  nlohmann::ordered_json asked;
  nlohmann::ordered_json& knobs = asked["knobs"] = nlohmann::ordered_json::object();
  for (const auto& setting : injected_settings(spec)) {
    std::visit([&](const auto& plain) { knobs[setting.first] = plain; }, setting.second);
  }
  asked["count"] = spec.workload.script.count;
  asked["parts"] = spec.workload.script.has_parts;
  asked["watch_files"] = spec.workload.script.is_watched;
  if (spec.profile) {
    asked["profile"] = {{"wait", spec.profile->wait},
                        {"warmup", spec.profile->warmup},
                        {"active", spec.profile->active},
                        {"record_shapes", spec.profile->record_shapes},
                        {"profile_memory", spec.profile->profile_memory},
                        {"with_stack", spec.profile->with_stack}};
  }
  write_file_synced(folder / "spec.json", asked.dump(2) + "\n");
}

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
        folder_(fs::path(spec.folder) / "agent"),
        warmup_(spec.measure),
        process_(prepared(agent)) {}

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
    return std::move(reply_);
  }

 private:
  enum class State { starting, warming, marking, measuring, closing, recording, ending, over };

  ScriptCommand prepared(const fs::path& agent) {
    std::error_code failed;
    fs::remove_all(folder_, failed);  // of an earlier try at this trial
    fs::create_directories(folder_, failed);
    if (failed) {
      throw_failed_call(folder_, "cannot be made", failed.value());
    }
    write_agent_spec(spec_, folder_);
    return script_command(spec_, agent, folder_, environ);
  }

  // ------------------------------------------------------------------------------ notes

  void look_for_ranks() {
    if (state_ != State::starting && state_ != State::warming) {
      return;
    }
    for (;;) {
      const fs::path file = folder_ / ("notes." + std::to_string(ranks_.size()));
      std::error_code failed;
      if (!fs::exists(file, failed)) {
        return;
      }
      try {
        ranks_.push_back(std::make_unique<Rank>(file, spec_.workload.script.count == "batches"));
      } catch (const MachineError&) {
        throw;
      } catch (const Error&) {
        return;  // it is being made
      }
    }
  }

  void take_notes() {
    for (const auto& rank : ranks_) {
      for (const Note& note : rank->ring.take()) {
        rank->grouper.add(note);
      }
    }
  }

  const GroupedNotes& notes() { return ranks_.front()->grouper.result(); }

  void send(Command command, std::int64_t number = 0) {
    for (const auto& rank : ranks_) {
      rank->ring.send(command, number);
    }
  }

  bool is_obeyed() const {
    return std::all_of(
        ranks_.begin(), ranks_.end(), [](const auto& rank) { return rank->ring.is_obeyed(); });
  }

  // ------------------------------------------------------------------------------ the window

  void go_on() {
    if (ranks_.empty()) {
      return;
    }
    if (state_ == State::starting) {
      phases_.begin("first-batch");
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
    phases_.begin("warmup");
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

  // All ranks end with the same step of their optimizers, a few from now.
  void end_script() {
    constexpr std::int64_t kFew = 5;
    take_notes();
    send(Command::end, notes().optimizer_steps + kFew);
    for (std::int64_t waited_ns = 0; waited_ns < kEndNs && !process_.wait(kLookNs);
         waited_ns += kLookNs) {
      take_notes();
    }
    process_.kill();
    state_ = State::over;
  }

  // ------------------------------------------------------------------------------ the reply

  void read_facts() {
    const fs::path file = folder_ / "facts.0.json";
    std::error_code failed;
    if (!fs::exists(file, failed)) {
      return;
    }
    try {
      evidence_.facts = parse_script_facts(read_file(file, kLargestFacts), "facts.0.json");
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
    const std::string name = facts ? facts->trace : "";
    std::error_code failed;
    const std::uintmax_t size = name.empty() ? 0 : fs::file_size(folder_ / name, failed);
    if (!name.empty() && !failed) {
      outcome.file = "agent/" + name;
      outcome.file_bytes = static_cast<std::int64_t>(size);
      outcome.step_ns = recorded_steps_ns(notes(), spec_.profile->active);
    } else {
      outcome.reason = facts && !facts->no_trace.empty() ? facts->no_trace : "no trace was written";
    }
    reply_.profile = std::move(outcome);
  }

  // The script ended before we ended it: too short, failed, or it never trained.
  void end_by_itself() {
    state_ = State::over;
    read_facts();
    if (!reply_.slices.empty()) {
      reply_.profile.emplace().reason = "the script ended before its steps were recorded";
      return;
    }
    phases_.begin("write");
    evidence_.has_ended = true;
    if (!ranks_.empty() && !window_slices(notes(), spec_.measure, true).empty()) {
      fill_reply();
      return;
    }
    reply_.id = spec_.id;
    reply_.failure = script_failure(evidence(), process_.how_it_failed());
    reply_.script = seen_script(evidence_);
  }

  const trial::TrialSpec& spec_;
  worker::PhaseLines& phases_;
  const SaveReply& save_;
  fs::path folder_;
  trial::TrialReply reply_;
  worker::WarmupSearch warmup_;
  ScriptProcess process_;
  State state_ = State::starting;
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
