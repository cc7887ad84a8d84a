#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune {

/// What the user can put right: bad scenario, bad flag, bad file. Caught once, in cli/main.cpp.
/// One line a complaint, each reading "<where>: <problem> (<why>) <suggestion>?".
class Error : public std::runtime_error {
 public:
  struct Parts {
    std::string where, problem, why, suggestion;
  };
  explicit Error(const Parts& complaint);
  /// All complaints about one input at once; needs at least one.
  explicit Error(std::vector<Parts> complaints);

  const std::vector<Parts>& complaints() const { return complaints_; }

 private:
  std::vector<Parts> complaints_;
};

/// The complaints of `error`, each behind the place in the user's file that names what is wrong.
std::vector<Error::Parts> at_place(const std::string& place, const Error& error);

/// All complaints of `error` as the reason of another one.
std::string as_reason(const Error& error);

/// One complaint as the sentence that the user reads: one line, whatever names of files and words
/// of others stand in it.
std::string to_sentence(const Error::Parts& complaint);

/// What the machine could not give at this moment: room on a disk, a file that can be read, a
/// folder that nobody removes. Nothing is wrong with the input, and nothing was found out about
/// what was to be measured: it is tried again. Where it ends a command, its exit code is 75.
class MachineError : public Error {
 public:
  using Error::Error;
};

/// Whether an errno is such a condition: a full disk, a quota or a limit that is used up, a device
/// that fails, no descriptors, no memory.
bool is_of_machine(int reason);

/// Throws a MachineError where `reason`, an errno, is of the machine, else an Error.
[[noreturn]] void throw_failed_call(const std::filesystem::path& where,
                                    const char* problem,
                                    int reason);

/// What `tune` answers to the shell. Stable; documented by `tune help exit-codes`.
enum class ExitCode {
  fine = 0,
  negative_verdict = 1,  ///< the baseline failed, the gate saw a regression, data are damaged
  wrong_input = 2,       ///< nothing was run
  inconclusive = 3,
  incomparable = 4,
  nothing_matched = 5,
  partial = 6,  ///< promised work is missing: trials (`tune run --resume` goes on), or a report
  our_bug = 70,
  not_available = 75,  ///< device, lock or scheduler not available: try again
  hung_up = 129,       ///< SIGHUP (the terminal was closed), after saving
  interrupted = 130,   ///< SIGINT, after saving
  terminated = 143     ///< SIGTERM, after saving
};

/// The one to report when both happened: 70 > 2 > 75 > 4 > 1 > 3 > 6 > 5 > 0; an interruption wins
/// over everything but our own bug.
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace tune
