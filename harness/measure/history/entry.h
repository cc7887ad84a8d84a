#pragma once

#include "advice/prediction_quality.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::history {

/// One number of a run, in its metric's unit; ratios 0-1, gains relative (0.1 is +10 %).
struct Measure {
  std::string name;
  std::string unit;
  double value = 0;                    ///< finite
  std::optional<double> lower, upper;  ///< nothing where it has no interval
  std::int64_t n = 0;                  ///< samples or pairs behind it
};

/// What the history keeps of one finished run or gate.
///
/// The measures `throughput`, `epoch_time`, `step_time`, `data_wait_ratio` and `peak_memory_bytes`
/// are those of the setting that the scenario's text calls its baseline, so that they can be
/// followed over time; in a gate of two commits, as HEAD has it. A run adds `best_throughput` and
/// `gain` of the cell that its headline is about, a gate `delta_<metric>` of its candidate.
struct Entry {
  std::int64_t id = 0;      ///< in its store; 0: in none
  std::string key;          ///< the same run has the same key in every store (entry_key())
  std::string kind;         ///< "run" or "gate"
  std::string scenario;     ///< its name
  std::string machine;      ///< class of machine: "2 CPUs Intel(R) Xeon(R) Processor"
  std::string subject;      ///< equal where text, data and settings were: only then do numbers
                            ///< of one machine class compare
  std::string started_utc;  ///< ISO 8601
  double elapsed_s = 0;
  std::string directory;  ///< absolute
  std::string setting;    ///< that the answer is about: "amp=bf16 num_workers=2", or ""
  std::string verdict;    ///< "faster", "not-faster", ... of a run; "PASS", ... of a gate
  std::string headline;   ///< the answer in one sentence
  bool complete = true;
  std::string tune_version, commit, torch_version, worker_sha256;  ///< "" where not known
  std::vector<Measure> measures;
  std::vector<advice::JudgedPrediction> predictions;  ///< `run` is the directory

  /// Null when it has no such measure.
  const Measure* find(std::string_view name) const;
};

/// Names a run or a gate by kind, machine class, directory and start: 16 hexadecimal digits. A run
/// that is gone on with keeps its key.
std::string entry_key(const Entry& entry);

/// Texts of an entry are cut to so many bytes, at the end of a character.
constexpr std::size_t kLongestText = 4096;

/// The text, cut, with a space for each zero byte.
std::string bounded_text(std::string_view text);

/// The schema of an export: its first line is {"schema": "tune-history/1"}, every other line one
/// entry.
constexpr std::string_view kExportSchema = "tune-history/1";

void fields_of(Fields& fields, Measure& measure);

/// All of it but its number in the store, which means nothing elsewhere.
void fields_of(Fields& fields, Entry& entry);

/// Entries as text, oldest first as given; every line ends.
std::string to_export(const std::vector<Entry>& entries);

/// Reads an export that nobody vouches for. Throws tune::Error "<where>:<line>: ..." for what is
/// damaged or of another schema.
std::vector<Entry> read_export(std::string_view text, const std::string& where);

}  // namespace tune::history
