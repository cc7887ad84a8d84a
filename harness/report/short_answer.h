#pragma once

#include "report/block.h"
#include "report/objective_words.h"
#include "result/result.h"

#include <string>

namespace tune::report {

// The answer of a run as every output begins with it, made of its result.json alone.

/// "66.6 % faster: change 4 settings"; "no proven gain" where pairs do not decide.
std::string short_answer(const result::Result& result);
Mood mood_of_answer(const result::Result& result);

/// The words of what was to be improved.
const ObjectiveWords& words_of(const result::Result& result);

/// "57.0 against 34.2 samples/s"; before it what the objective is about, where that is not speed:
/// "median peak memory 334 MiB against 368 MiB"; "" where a rate is not known.
std::string rates_words(const result::Result& result);

/// "57.0 against 34.2 samples/s, gain [+54.9, +94.7] % in 8 fresh pairs, 95.0 % confidence"; ""
/// without fresh pairs.
std::string proof_words(const result::Result& result);

/// "58.5s → 35.1s (2,000 samples)": an epoch before and after a proven change; "" where the size of
/// the data is not known.
std::string epoch_words(const result::Result& result);

/// Whether the answer can be trusted, one reason and one action.
struct Trust {
  std::string grade;  ///< good, fair, low
  std::string reason, action;
  std::string doubt;  ///< the first warning, where there is one: how the reason continues
};
Trust trust_in(const result::Result& result);

}  // namespace tune::report
