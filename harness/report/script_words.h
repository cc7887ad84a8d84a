#pragma once

#include "result/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

// What sections of a run say of the user's own script; "" or nothing of a run without one.

/// Where a knob belongs in the script: "the DataLoader of train.py:14"; "" where that is not one
/// line.
std::string place_of_knob(const result::Result& result, std::string_view knob);

/// The same of all knobs of a recommendation, each place once: "the DataLoader of train.py:14, the
/// forward call of train.py:19"; then the busiest lines of the part of a step that it is about:
/// "data.py:9 image = Image.open(path) (68.0 % of the time)".
std::string places_of(const result::Result& result, const result::Recommendation& recommendation);

/// What begins the words about a cell of which nothing was in effect.
inline constexpr std::string_view kIgnored = "ignored: ";

/// By cell, why it tested less than its setting says: "ignored: no parameter has four dimensions"
/// where nothing of it was in effect, "channels_last ignored" where a part was.
std::map<std::string, std::string> untested_cells(const result::Result& result);

/// What a recommendation does to the losses: of its fresh pairs "equal to the baseline's to the
/// last digit in 6 pairs: ...", else "not compared: amp may change the numbers"; "" where it
/// changes none.
std::string losses_words(const result::Result& result,
                         const result::Recommendation& recommendation);

/// "in the form that is applied (--workers 2), nothing injected", or "by injection: <why>".
std::string form_words(const result::PairForm& form);

/// The same two of the fresh pairs of the best setting, as a terminal shows them.
struct PairWords {
  std::string form, losses;  ///< or ""
};
PairWords words_of_best_pairs(const result::Result& result);

/// "batch_size 32, num_workers 0".
std::string settings_words(const result::Setting& setting);

/// What a terminal shows, a line each, with its heading before the colon.
std::vector<std::string> script_lines(const result::Result& result);

}  // namespace tune::report
