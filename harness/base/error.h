#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune {

/// An error that the user can fix: bad scenario, bad flag, bad file. Caught once, in cli/main.cpp.
/// One line per complaint, each of the form "<where>: <problem> (<why>) <suggestion>?".
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

/// The complaints of `error`, each prefixed with the place in the user's file that caused it.
std::vector<Error::Parts> at_place(const std::string& place, const Error& error);

/// All complaints of `error` as the reason of another one.
std::string as_reason(const Error& error);

/// One complaint as the sentence that the user reads: one line, whatever file names and foreign
/// words it contains.
std::string to_sentence(const Error::Parts& complaint);

/// The machine failed for the moment: a full disk, an unreadable file, a folder that somebody
/// removed. The input is fine and nothing was learned about what was to be measured, so it is tried
/// again. A command that ends this way has exit code 75.
class MachineError : public Error {
 public:
  using Error::Error;
};

/// Whether an errno is such a condition: a full disk, an exhausted quota or limit, a failing
/// device, no descriptors, no memory.
bool is_of_machine(int reason);

/// Throws MachineError when `reason`, an errno, is the machine's fault, else Error.
[[noreturn]] void throw_failed_call(const std::filesystem::path& where,
                                    const char* problem,
                                    int reason);

/// The exit code of `tune`. Stable; documented by `tune help exit-codes`.
enum class ExitCode {
  fine = 0,
  negative_verdict = 1,  ///< the baseline failed, the gate saw a regression, data is damaged
  wrong_input = 2,       ///< nothing was run
  inconclusive = 3,
  incomparable = 4,
  nothing_matched = 5,
  partial = 6,  ///< promised work is missing: trials (`tune run --resume` does it), or a report
  our_bug = 70,
  not_available = 75,  ///< device, lock or scheduler not available: try again
  hung_up = 129,       ///< SIGHUP (the terminal was closed), after saving
  interrupted = 130,   ///< SIGINT, after saving
  terminated = 143     ///< SIGTERM, after saving
};

/// The code to report when both happened: 70 > 2 > 75 > 4 > 1 > 3 > 6 > 5 > 0; an interruption wins
/// over everything except our own bug.
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace tune
