#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

// What the formats of other programs and `tune compare` are made of: a result.json, whichever
// version of the schema "tune-result/1" wrote it. Texts are one line of valid UTF-8 without control
// characters, at most 10,000 characters long; numbers are finite; what is not known is nothing, or
// "".

/// {value, lower, upper, confidence, n, unit, reason} of result.json.
struct StoredNumber {
  std::optional<double> value;
  std::optional<double> lower, upper;  ///< both or none; only with a value
  std::optional<double> confidence;    ///< what the interval covers, 0-1
  std::int64_t n = 0;                  ///< values, or pairs, behind it; 0: not said
  std::string unit;                    ///< samples/s, s, ratio, B, ...
  std::string reason;                  ///< why something is missing, or what the value assumes
};

/// Knobs and their values, as text: {"amp", "bf16"}.
using StoredSetting = std::vector<std::pair<std::string, std::string>>;

struct StoredCell {
  std::string id;
  std::string setting;             ///< "amp=bf16 batch_size=256"; "baseline" where nothing differs
  std::vector<std::string> knobs;  ///< names of those that differ
  StoredSetting whole_setting;     ///< every knob
  std::string outcome, reason, window;
  std::int64_t rounds = 0;
  StoredNumber throughput, gain;
};

struct StoredMetric {
  std::string id, cell, window;  ///< no cell: of a trace
  StoredNumber number;
};

struct StoredSlice {
  std::int64_t steps = 0, samples = 0;
  double seconds = 0;
  bool counts = true;  ///< false: it was disturbed
};

struct StoredTrial {
  std::string id, cell, stage, outcome, reason;
  std::int64_t round = 0;
  std::optional<double> seconds;      ///< of the whole process
  std::optional<double> throughput;   ///< samples/s of the slices that count
  std::int64_t samples = 0;           ///< in them; 0: not said
  std::optional<double> cpu_seconds;  ///< that the process used in them
  std::vector<StoredSlice> slices;
};

struct StoredRecommendation {
  std::string id, rule, title, severity;
  std::string verdict;             ///< CONFIRMED, REFUTED, AMBIGUOUS, or "": not measured
  std::string change;              ///< "num_workers 0 -> 2", or the change of code in words
  std::vector<std::string> knobs;  ///< that it changes
  std::string link;                ///< to read more, or ""
  StoredNumber predicted, measured;
};

/// A count that differed between processes is a range.
struct StoredRange {
  std::optional<double> low, high;  ///< both or none
};

struct StoredGateRow {
  std::string metric, unit;
  bool is_measured = true;  ///< false: counted
  bool is_gated = true;
  StoredRange baseline, candidate;
  StoredNumber delta;  ///< candidate / baseline - 1
  std::optional<double> budget, mde;
  std::int64_t pairs = 0;
  std::string verdict;  ///< PASS, REGRESSED, IMPROVED, INCONCLUSIVE
  std::string why;
};

/// Baseline or candidate.
struct StoredSide {
  std::string words;  ///< what it is, for people
  StoredSetting whole_setting;
};

/// A gate's second comparison, with something older than its baseline.
struct StoredAnchor {
  std::string words;    ///< what it is, for people
  std::string skipped;  ///< why it was not compared, or ""
  std::string verdict, why;
  std::string end, end_reason;  ///< as of a gate; "" where it was not compared
  std::vector<StoredGateRow> rows;
  std::string move;  ///< whether the candidate may be the next one: a sentence
  std::string directory;
  std::vector<std::string> warnings;
};

struct StoredGate {
  std::string verdict, why;
  std::string mode;          ///< enforce, warn, shadow
  std::string inconclusive;  ///< warn, pass, fail
  std::string end;           ///< judged, candidate-failed, ...; "" in old results
  std::string end_reason;
  std::vector<StoredGateRow> rows;
  StoredSide baseline, candidate;
  std::optional<StoredAnchor> anchor;
  bool is_after_the_fact = false;  ///< nothing was measured for it
};

struct StoredScenario {
  std::string name;
  std::string file;  ///< of a trace without scenario: the trace
  std::string text;  ///< as it is, also over several lines
  std::string sha256;
};

/// What the numbers of a result depend on beside the scenario.
struct StoredEnvironment {
  std::vector<std::string> gpus;
  std::string cpu_capability;            ///< what LibTorch's kernels use: AVX512
  std::string data_source, data_sha256;  ///< no checksum: the data have no manifest
  std::string worker_sha256;
};

struct StoredResult {
  std::string kind;      ///< run, analyze, gate, calibrate
  std::string headline;  ///< one sentence, or ""
  std::vector<std::string> warnings;
  StoredScenario scenario;
  std::vector<StoredCell> cells;  ///< baseline first
  std::vector<StoredMetric> metrics;
  std::vector<StoredTrial> trials;
  std::vector<StoredRecommendation> recommendations;
  std::optional<StoredGate> gate;
  std::string version, commit, started;  ///< of tune; ISO 8601
  std::optional<double> elapsed_s;
  std::string incomplete_reason;  ///< of a run that lacks something, or ""
  std::string device, cpu_model, torch_version;
  std::int64_t cpus = 0;  ///< 0: not known
  std::optional<double> load1;
  StoredEnvironment environment;
  bool is_complete = true;  ///< false: the run lacks something
  std::string best_cell;    ///< that the headline is about, or ""
  StoredNumber best_gain;   ///< of fresh pairs

  /// The cell's setting; its id where it has none (the sides of a gate).
  const std::string& setting_of(const std::string& cell) const;
};

/// Reads a result.json of any kind. Members that are not known here are left alone, and those that
/// were added to the schema later may be missing. Throws tune::Error naming `where` when the text
/// is no JSON or not of the schema "tune-result/1".
StoredResult read_stored_result(std::string_view text, const std::string& where);

}  // namespace tune::report
