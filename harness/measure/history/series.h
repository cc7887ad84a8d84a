#pragma once

#include "measure/history/entry.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune {
class Fields;
}

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
  /// Newest first; only of a series that a run directory keeps.
  std::vector<PastGate> gates = {};
};

/// Older points are ignored: a change among them is not news, and the cost grows with the square.
constexpr std::size_t kMostPoints = 300;

/// Gates that a run directory keeps.
constexpr std::size_t kMostGates = 10;

/// What a run directory keeps of the history as it was when the run ended, so that its report can
/// be made again anywhere, and says the same: <run directory>/history.json, schema
/// "tune-series/1".
constexpr std::string_view kSeriesSchema = "tune-series/1";

std::filesystem::path kept_series_file(const std::filesystem::path& run_directory);

void fields_of(Fields& fields, Series& series);
std::string to_json(const Series& series);

/// Throws tune::Error "<where>: ..." when it is damaged or of another schema.
Series parse_series(std::string_view text, const std::string& where);

/// Nothing where there is none. One that cannot be read costs the drawing only: nothing, and
/// `problem` says why.
std::optional<Series> load_kept_series(const std::filesystem::path& run_directory,
                                       std::string& problem);

/// The gates of `own`'s scenario on its class of machine that began before it: the newest
/// kMostGates of these entries, newest first.
std::vector<PastGate> gates_before(const Entry& own, const std::vector<Entry>& entries);

}  // namespace tune::history
