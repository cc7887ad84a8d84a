#pragma once

namespace tune {

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
