#pragma once

#include "result/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

// What several sections of a run say, read from its result.json.

/// What gains are measured against; null where there is none.
const result::Cell* baseline_of(const result::Result& result);
/// The setting that the headline is about; null where there is none.
const result::Cell* best_of(const result::Result& result);

/// The one that has exactly the change of a recommendation; null where none has, or a value of it
/// is not known.
const result::Cell* cell_with(const result::Result& result,
                              const result::Recommendation& recommendation);

/// A rule of validity that fired.
bool is_doubt(const result::Finding& finding);

/// The answer comes from fresh pairs, not from the search.
bool has_fresh_pairs(const result::Result& result);
/// Fresh pairs CONFIRMED the best setting.
bool is_proven(const result::Result& result);
/// Why the answer is not confirmed: "no confirming pair completed"; "" where it is.
std::string doubt_of(const result::Result& result);

/// The answer in one sentence; that there is none, where an older version wrote none.
const std::string& headline_text(const result::Result& result);

/// "amp=bf16 num_workers=2", "the baseline"; of a long setting the number of its knobs.
std::string setting_words(const result::Cell& cell);
/// The same of the cell with that id; the id where there is none.
std::string setting_words(const result::Result& result, const std::string& id);

/// All that comes above the numbers: warnings and what rules of validity doubt, each once. Of very
/// many warnings the last ones are only counted.
std::vector<std::string> doubts_about(const result::Result& result);

/// "24 cells, 78 trials (3 failed) in 12m04s on 2 CPUs": what the headline rests on.
std::string effort(const result::Result& result);

/// "3 of 24 trials of the setting were not steady (...)"; "" where all were. `group` is "trials of
/// the setting".
std::string steadiness_words(const result::Steadiness& steadiness, const std::string& group);

/// "80 of 80 trials had too few steps for their noise to rule out a slow drift (weak)".
std::string weakness_words(std::int64_t weak, std::int64_t trials);

/// What cannot be made of a result.json alone, in one sentence.
std::string what_is_missing(const result::Result& result);

/// Samples per second of a cell: of its fresh pairs where it ran in them, else of the rounds that
/// rank it; nothing where it was not measured.
std::optional<double> shown_rate(const result::Result& result, const std::string& cell);

/// A number that has an id, by cell: of its fresh pairs where they have it, for then the report
/// says no other; `ranking`: of the rounds that all cells have, so that they compare.
class MetricByCell {
 public:
  enum class Window { fresh_pairs, ranking };
  MetricByCell(const result::Result& result,
               std::string_view id,
               Window window = Window::fresh_pairs);

  /// Null where it was not measured.
  const result::Number* find(const std::string& cell) const;
  /// "412 MiB", "28.6 %"; `otherwise` where it was not measured.
  std::string text(const std::string& cell, const std::string& otherwise = "") const;

 private:
  std::map<std::string_view, const result::Number*> by_cell_;
};

}  // namespace tune::report
