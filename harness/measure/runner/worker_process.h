#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::runner {

/// How a process ended.
struct ProcessEnd {
  std::optional<int> signal;
  int exit_code = 0;  ///< when there was no signal
};

/// What the pipe next to that of the output is for.
enum class SecondPipe {
  phases,  ///< descriptor 3, on which a worker tells its phases
  answer,  ///< standard output; the output is standard error alone then
  none     ///< nothing: it is closed
};

/// What is started, and how.
struct ProcessCommand {
  std::string program;  ///< a path, or a name that is found in PATH
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  ///< "NAME=value", all of it
  std::filesystem::path folder;          ///< where it runs; "": here
  SecondPipe second = SecondPipe::phases;
};

/// A worker, or another program that a run needs, in a process group of its own. Whatever happens
/// here, it does not outlive this object.
class WorkerProcess {
 public:
  /// Starts it with stdin closed to /dev/null, and stdout and stderr in one pipe unless `second`
  /// says otherwise. Throws tune::Error when it cannot be started.
  explicit WorkerProcess(const ProcessCommand& command);

  /// Starts `program argument` with stdin closed to /dev/null, stdout and stderr in one pipe, and
  /// descriptor 3 another. Throws tune::Error when it cannot be started.
  WorkerProcess(const std::filesystem::path& program,
                const std::filesystem::path& argument,
                const std::vector<std::string>& environment);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int id() const { return process_; }
  int output() const { return output_; }           ///< non-blocking; -1 once closed
  int phases() const { return phases_; }           ///< or the answer; non-blocking; -1 once closed
  int ended_descriptor() const { return ended_; }  ///< readable when it has ended; -1: ask ended()
  void close_output();
  void close_phases();

  void signal_group(int signal) const;

  /// True when the process has ended; it is not reaped, so its group can still be named.
  bool ended() const;

  /// Kills what is left of the group and of what the worker started elsewhere, then reaps all.
  /// The worker must have ended.
  ProcessEnd reap();

 private:
  int process_ = -1;  // also the group
  int output_ = -1, phases_ = -1, ended_ = -1;
  bool reaped_ = false;
  int was_subreaper_ = 0;
  std::vector<int> other_children_;  // that this process had before
};

}  // namespace tune::runner
