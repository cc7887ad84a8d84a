#pragma once

#include <string>
#include <vector>

namespace tune::runner {

/// What Slurm did with a job that was handed to it.
struct SlurmJob {
  std::string id;       ///< "17"
  std::string problem;  ///< why it was not taken, in Slurm's words; "" when it was
  /// Nobody can help it here: Slurm is not installed, its controller does not answer, or it takes
  /// no such job (now). Else the arguments are wrong.
  bool is_unavailable = false;
};

/// One job or one task of an array that Slurm's queue still has.
struct SlurmTask {
  std::string id;      ///< "17", "17_3"
  std::string state;   ///< RUNNING, PENDING, COMPLETING, ...
  std::string reason;  ///< why it waits: Resources, Priority, ...
};

/// What the queue has of a job.
struct SlurmQueue {
  std::vector<SlurmTask> tasks;  ///< none: it has ended, or nobody remembers it
  std::string problem;           ///< why the queue could not be asked; "" when it could
};

// Each starts one program of Slurm (sbatch, squeue, scontrol, scancel of PATH) and waits for it, a
// minute at most. They ask for states only to know when to look at files: a job that ended may be
// forgotten within seconds, and without a database nobody keeps how.

/// `arguments` of sbatch, last of all the script.
SlurmJob submit_job(const std::vector<std::string>& arguments);

SlurmQueue ask_queue(const std::string& job);

/// "JobState=TIMEOUT ExitCode=0:15 NodeList=node7", as far as the controller still knows; else "".
std::string describe_job(const std::string& task);

/// Ends it; the processes get SIGTERM first. Failures are not told: it may have ended.
void cancel_job(const std::string& job);

}  // namespace tune::runner
