// What a run knows of the user's own script, as its result.json says it.

#include "report/recorded_script.h"
#include "report/result_of.h"
#include "trial/environment_knob.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::TrialRecord;

constexpr std::size_t kMostNotes = 100;

const trial::SeenScript* seen_by(const TrialRecord& trial) {
  const auto& reply = trial.outcome.reply;
  return reply && reply->script ? &*reply->script : nullptr;
}

/// What became of one knob in one trial.
struct Fate {
  std::string state, why;
};

class Trial {
 public:
  Trial(const TrialRecord& trial, const trial::SeenScript& seen)
      : script_(trial.spec.workload.script), reply_(*trial.outcome.reply), seen_(seen) {}

  Fate fate_of(const std::string& knob, const trial::KnobValue& asked) const {
    if (const auto* const other = find(seen_.resisted, knob)) {
      return resisted(*other);
    }
    if (const auto* const ignored = find(reply_.ignored_knobs, knob)) {
      return {"ignored", ignored->reason};
    }
    if (script_.flags.contains(knob)) {
      return by_option(knob, asked);
    }
    return knob == "cpu_affinity" || trial::is_environment_knob(knob) ||
                   seen_.applied.contains(knob)
               ? Fate{"applied", ""}
               : Fate{"unseen", "the agent says nothing of it"};
  }

 private:
  template <class Knob>
  static const Knob* find(const std::vector<Knob>& knobs, const std::string& name) {
    const auto found = std::find_if(
        knobs.begin(), knobs.end(), [&](const Knob& knob) { return knob.name == name; });
    return found == knobs.end() ? nullptr : &*found;
  }

  Fate resisted(const trial::ResistedKnob& knob) const {
    if (knob.where == trial::kReadBack) {
      return {"ignored", "it was " + knob.value + " after the warm-up"};
    }
    return {"resisted",
            "the script sets it to " + knob.value + " at " +
                short_file(knob.where, script_.folder) + ", which was kept from it"};
  }

  // An option's name proves nothing: what is in effect does.
  Fate by_option(const std::string& knob, const trial::KnobValue& asked) const {
    const auto seen = seen_.observed.find(knob);
    if (seen == seen_.observed.end() || seen->second == asked) {
      return {"option", script_.flags.at(knob)};
    }
    return {"ignored",
            "with " + script_.flags.at(knob) + " it is still " + trial::to_text(seen->second)};
  }

  const trial::Script& script_;
  const trial::TrialReply& reply_;
  const trial::SeenScript& seen_;
};

std::vector<result::TriedKnob> tried_knobs(const CampaignResult& run) {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, std::size_t> places;
  std::vector<result::TriedKnob> tried;
  for (const TrialRecord& trial : run.trials) {
    const trial::SeenScript* const seen = seen_by(trial);
    if (seen == nullptr) {
      continue;
    }
    const Trial shown(trial, *seen);
    for (const auto& [knob, value] :
         trial::changed_settings(trial.spec.workload.script, trial.spec.knobs)) {
      Fate fate = shown.fate_of(knob, value);
      const auto [place, is_new] =
          places.try_emplace({trial.spec.cell, knob, fate.state, fate.why}, tried.size());
      if (is_new) {
        tried.push_back({.cell = trial.spec.cell,
                         .knob = knob,
                         .value = value,
                         .state = std::move(fate.state),
                         .why = std::move(fate.why)});
      }
      ++tried[place->second].trials;
    }
  }
  return tried;
}

result::ScriptTime time_of_baseline(const CampaignResult& run) {
  std::int64_t steps_ns = 0, evaluation_ns = 0, checkpoint_ns = 0, pause_ns = 0;
  result::ScriptTime time;
  for (const TrialRecord& trial : run.trials) {
    const trial::SeenScript* const seen = seen_by(trial);
    if (seen == nullptr || trial.spec.cell != "baseline") {
      continue;
    }
    ++time.trials;
    for (const std::int64_t step_ns : trial.outcome.reply->step_ns) {
      steps_ns += step_ns;
    }
    evaluation_ns += seen->evaluation_ns;
    checkpoint_ns += seen->checkpoint_ns;
    pause_ns += seen->pause_ns;
  }
  if (time.trials > 0) {
    const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-9; };
    time.steps = seconds(steps_ns);
    time.evaluation = seconds(evaluation_ns);
    time.checkpoints = seconds(checkpoint_ns);
    time.pauses = seconds(pause_ns);
  }
  return time;
}

std::vector<std::string> notes_of(const CampaignResult& run) {
  std::vector<std::string> notes;
  for (const TrialRecord& trial : run.trials) {
    const trial::SeenScript* const seen = seen_by(trial);
    for (const std::string& note : seen == nullptr ? std::vector<std::string>() : seen->notes) {
      if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(note);
      }
    }
  }
  return notes;
}

}  // namespace

// A setting may bring code of other lines.
const trial::SeenScript* typical_script(const CampaignResult& run) {
  const trial::SeenScript* first = nullptr;
  for (const TrialRecord& trial : run.trials) {
    const trial::SeenScript* const seen = seen_by(trial);
    if (seen != nullptr && trial.spec.cell == "baseline") {
      return seen;
    }
    first = first == nullptr ? seen : first;
  }
  return first;
}

std::string short_file(const std::string& file, const std::string& folder) {
  const std::string begin = folder.ends_with('/') ? folder : folder + "/";
  return file.starts_with(begin) ? file.substr(begin.size()) : file;
}

result::Script script_of(const trial::Script& script, const trial::SeenScript* seen) {
  result::Script filled;
  filled.command = script.command;
  filled.folder = script.folder;
  filled.count = script.count;
  filled.options.assign(script.flags.begin(), script.flags.end());
  filled.observed = setting_of(script.observed);
  if (seen != nullptr) {
    filled.python = seen->python;
    filled.ranks = seen->ranks;
    for (const trial::ScriptPlace& place : seen->places) {
      filled.places.push_back(
          {place.what, short_file(place.file, script.folder), place.function, place.line});
    }
  }
  return filled;
}

void fill_script(const CampaignResult& run, result::Result& result) {
  const trial::Script& script = run.scenario.workload.script;
  if (!script.exists()) {
    return;
  }
  result::Script& filled = result.script.emplace(script_of(script, typical_script(run)));
  filled.knobs = tried_knobs(run);
  filled.time = time_of_baseline(run);
  filled.notes = notes_of(run);
}

}  // namespace tune::report
