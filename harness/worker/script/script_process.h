#pragma once

#include "trial/trial_spec.h"
#include "worker/script/shield.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tune::script {

/// What a trial starts.
struct ScriptCommand {
  std::vector<std::string> words;
  std::vector<std::string> environment;  ///< "NAME=value", all of it
  std::filesystem::path folder;
  std::string cpus;  ///< "0-1,4" that it may use; "": all that we may
  Shield shield;
  /// Called where we are ended with it, once it is dead.
  std::function<void()> at_our_end = nullptr;
  int output = -1;  ///< a descriptor that it prints to; -1: where we do
};

/// The command of the spec with the options of the script's own for what the trial changes, or with
/// the change that is to be applied, and the environment of this process with the agent in it
/// (`agent`: its folder of Python modules) and with trackers offline. `folder`: of the agent's
/// files.
ScriptCommand script_command(const trial::TrialSpec& spec,
                             const std::filesystem::path& agent,
                             const std::filesystem::path& folder,
                             const char* const* environment);

/// Settings that the agent makes: what the trial changes, but for what the script's own options and
/// script_command() set; none of a change that is applied.
trial::KnobSettings injected_settings(const trial::TrialSpec& spec);

/// Why the agent could not be loaded by this command ("python -I ignores PYTHONPATH"); "" where it
/// can.
std::string why_not_attached(const std::vector<std::string>& command);

/// From now on SIGTERM, and the death of the parent, end the script that runs with all that it has
/// started; this process ends by SIGTERM then, within ScriptProcess::wait().
void take_script_along();

/// A script that runs, in a process group of its own: what it sends to its group does not reach us.
/// It dies with us. As long as it is there, what its descendants leave behind become our children.
class ScriptProcess {
 public:
  /// Throws tune::Error when it cannot be started, or not be shielded.
  explicit ScriptProcess(const ScriptCommand& command);
  ~ScriptProcess();
  ScriptProcess(const ScriptProcess&) = delete;
  ScriptProcess& operator=(const ScriptProcess&) = delete;

  /// Waits until it has ended, `longest_ns` at most. Returns whether it has.
  bool wait(std::int64_t longest_ns);

  /// "exit code 1", "SIGSEGV"; "" while it runs, and where it ended well.
  std::string how_it_failed() const;

  /// Ends it and everything that it has started, wherever that has gone; at once, and without a
  /// word to them. Who runs as another user by now is left behind.
  void kill();

 private:
  void look(std::int64_t longest_ns);
  void reap();

  ShieldSpace space_;
  std::function<void()> at_our_end_;
  int process_ = -1, ended_ = -1;
  bool has_ended_ = false, is_reaped_ = false, was_signalled_ = false;
  int status_ = 0;  // exit code or signal
  int was_subreaper_ = 0;
  std::vector<int> other_children_;  // that we had before
};

}  // namespace tune::script
