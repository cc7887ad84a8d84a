#pragma once

#include "cli/command_options.h"
#include "cli/output_wish.h"
#include "cli/terminal.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/locks.h"
#include "measure/campaign/recorded_run.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// What a `tune run` was asked.
struct RunRequest {
  std::string file;                    ///< scenario; may be empty with `resume`
  std::vector<std::string> overrides;  ///< --set, --rounds, --seed, --time as "key=value"
  std::optional<std::int64_t> budget_ns;
  std::string budget_source;  ///< "--time", "environment variable TUNE_TIME", "scenario"
  std::string resume;         ///< run directory to continue, or ""
  std::string rules;          ///< --rules: folder of the user's own, or ""
  std::string output;         ///< -o: run directory, or ""
  bool fresh = false;         ///< --fresh: an earlier run in it is moved aside
  bool dry_run = false;
  bool fail_fast = false;  ///< --fail-fast: the first trial that failed ends the run
  bool waits = false;      ///< --wait: for another run on this machine
  bool as_json = false;
  bool quiet = false;
  bool is_verbose = false;
  bool plain_progress = false;               ///< --progress never: no status block
  bool live = false;                         ///< --watch: a page that fills up
  std::string port;                          ///< --port of --watch, or ""
  std::string executor = "local";            ///< local | slurm
  std::vector<std::string> slurm_arguments;  ///< of sbatch, verbatim
  std::string slurm_jobs;                    ///< --slurm-jobs, or ""
  OutputWish outputs;
  ColorWish color = ColorWish::automatic;
  std::vector<std::string> words;    ///< tune's command as typed
  std::vector<std::string> command;  ///< behind --: a training of the user's own, or none
  CommandOptions command_options;
};

/// Where a new run goes: what -o names, else tune-runs/<scenario>-<UTC> in the current folder.
/// Throws tune::Error when -o names a folder that holds something; with --fresh it may be an
/// earlier run. `can_resume`: the command has --resume and --fresh, which are then suggested.
std::filesystem::path choose_run_directory(const RunRequest& request,
                                           const std::string& scenario,
                                           const std::string& utc,
                                           bool can_resume = false);

/// Makes it, with the folder of its trials. Throws tune::Error.
void make_run_directory(const std::filesystem::path& directory);

/// A run that can be worked on.
struct OpenRun {
  campaign::RecordedRun run;
  campaign::Ledger ledger;
  std::optional<campaign::DirectoryLock> lock;  ///< nothing: whoever opened it holds it
};

/// What both ways of opening need.
struct RunInput {
  const RunRequest& request;
  std::filesystem::path worker;
  std::string utc;  ///< now, ISO 8601
  /// Data are being made: what is shown meanwhile.
  std::function<void(const std::string&)> show;
};

/// Prepares data, reads the machine, plans, moves an earlier run aside where --fresh asks for it
/// (`dir.1`, `dir.2`, ...), makes the directory and begins the ledger.
OpenRun begin_run(const scenario::Scenario& scenario,
                  const std::filesystem::path& directory,
                  const RunInput& input);

/// Opens a recorded run, whose directory is locked, for more trials. Throws tune::Error with a
/// sentence that says what to do when it belongs to another machine, data set or worker: its
/// numbers would not compare.
OpenRun resume_run(campaign::RecordedRun run, const RunInput& input);

/// Throws tune::Error when a run was made from another scenario text or with other flags than those
/// of this request.
void check_resumable(const campaign::RecordedRun& run, const RunRequest& request);

/// Throws tune::Error: why the run in `directory` cannot be gone on with.
[[noreturn]] void refuse_resume(const std::filesystem::path& directory, const std::string& why);

/// Throws tune::Error where the request overrides what the run was not made with: only its budget
/// may change on the way. `known`: its overrides, "key=value".
void check_overrides(const std::filesystem::path& directory,
                     const std::vector<std::string>& known,
                     const RunRequest& request);

/// A run that is in `directory` keeps all that it has, under the first free of <directory>.1,
/// <directory>.2, ..., which is said; nothing where there is none. Throws tune::Error when it
/// cannot.
void move_aside(const std::filesystem::path& directory, bool quiet);

/// Now as "2026-11-21T19:49:55Z".
std::string utc_now();

}  // namespace tune::cli
