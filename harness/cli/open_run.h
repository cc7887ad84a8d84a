#pragma once

#include "campaign/directory_lock.h"
#include "campaign/ledger.h"
#include "campaign/recorded_run.h"
#include "cli/run_request.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

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
