#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::history {

/// One run of a series.
struct Point {
  std::int64_t id = 0;  ///< in the store; 0: the run that is being reported
  std::string kind;     ///< "run" or "gate"
  std::string started_utc;
  double value = 0;  ///< finite, in the series' unit
  std::string commit, torch_version, worker_sha256;
};

/// How much worse or better the candidate of a gate was in a metric: candidate / baseline - 1.
struct PastChange {
  std::string metric;
  double ratio = 0;
};

/// A gate of a scenario on one class of machine, whatever its text and settings were then.
struct PastGate {
  std::int64_t id = 0;  ///< in the store
  std::string started_utc;
  std::string verdict;    ///< PASS, REGRESSED, ...
  std::string reason;     ///< a sentence, or a code and a sentence: "ENV_SHIFT: ..."; or ""
  std::string candidate;  ///< in words
  std::vector<PastChange> changes;
};

/// A metric over the runs that compare: of one scenario's text, data and settings on one class of
/// machine.
struct Series {
  std::string scenario, machine, subject;
  std::string metric, unit;
  std::vector<Point> points;  ///< oldest first; the newest kMostPoints that have the metric
  std::int64_t runs = 0;      ///< all of them, also those without the metric
  std::string last_started;   ///< of any of its runs
  /// Newest first; only of a series that a run directory keeps (kept_series.h).
  std::vector<PastGate> gates = {};
};

/// More are not looked at: what changed before is no news, and looking costs the square of it.
constexpr std::size_t kMostPoints = 300;

/// Gates that a run directory keeps.
constexpr std::size_t kMostGates = 10;

}  // namespace tune::history
