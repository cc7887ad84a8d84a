#pragma once

#include "trial/trial_spec.h"
#include "worker/script/script_facts.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tune::script {

/// The folder through which tune and the agent in a script talk; tune_agent/__init__.py lists its
/// files. The script may have written anything into them.
class AgentFiles {
 public:
  /// Makes a new <the trial's folder>/agent, with the agent's orders in it. Throws tune::Error when
  /// it cannot be, MachineError when there is no room for notes.
  explicit AgentFiles(const trial::TrialSpec& spec);

  const std::filesystem::path& folder() const { return folder_; }  ///< absolute

  /// A Python with the agent in it has begun.
  bool has_begun() const;

  /// What the agent has seen of rank 0; nothing where it has not said it yet. Throws tune::Error
  /// where it cannot be understood.
  std::optional<ScriptFacts> facts() const;

  /// When a phase began, by the agent, ns on CLOCK_MONOTONIC.
  std::optional<std::int64_t> begin_of(std::string_view phase) const;

  /// "the script is in make_dataset (folder.py:91), which train.py:12 called": where it hangs
  /// before its first step, as far as that is known.
  std::string whereabouts() const;
  /// Says it on standard error, after so many seconds, in the line that trial::kNoStepLine begins.
  void tell_whereabouts(std::int64_t seconds) const;

  /// Says that the trial is over, to processes that train only later: they end at their first step.
  void call_off() const;

  /// Moves the agent's file of that name next to the reply, where readers of traces look. Nothing
  /// where there is none.
  std::optional<std::filesystem::path> keep_trace(const std::string& name) const;

  /// Removes what nobody reads after a trial that was measured: a megabyte of notes of each rank.
  void forget_notes() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace tune::script
