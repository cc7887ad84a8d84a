#pragma once

#include <span>
#include <string_view>

namespace tune::report {

// Stable words for scripts, beside what `tune compare` says in sentences: one for each difference
// between two runs, one for how two numbers stand to each other. `tune help reason-codes` explains
// them.

struct ReasonCode {
  std::string_view code;     ///< "OTHER_CPU"
  std::string_view meaning;  ///< a sentence without its full stop
};

/// All of them, differences first, in the order of `tune help reason-codes`.
std::span<const ReasonCode> all_reason_codes();

/// The sentence of the code, which there is.
std::string_view meaning_of(std::string_view code);

/// The code of what is not the same, in the words of gate::Difference and report::RunDifference:
/// "CPU", "data", "tune-worker", ... What is not known there is OTHER_MACHINE.
std::string_view code_of_difference(std::string_view what);

}  // namespace tune::report
