#pragma once

#include "result/result.h"

#include <cstddef>
#include <string>

namespace tune::report {

// Words and numbers that several formats share.

/// The shortest decimal text that reads back as the same double: 166.5507, 1e+20; "" of nothing.
/// Needs a finite number.
std::string exact_text(std::optional<double> value);

/// With so many significant digits, never as an exponent between 1e-6 and 1e15: 167, 0.547.
std::string rounded_text(double value, int digits);

/// "resnet18/amp=bf16 batch_size=256": the same name for the same setting in every run, at most
/// `limit` characters.
std::string series_name(const result::Result& result,
                        const std::string& setting,
                        std::size_t limit);

/// "166.6 samples/s [165.1, 168.0]", or why it is not known.
std::string number_words(const result::Number& number);

/// "+18.4 % [+16.9, +19.8] %", or why it is not known.
std::string gain_words(const result::Number& gain);

/// The same of a prediction, which nobody measures: "not known: <why>".

/// "CONFIRMED +18.4 % [+16.9, +19.8] % in 10 pairs; predicted +12.0 % [...]; num_workers 0 -> 2".
std::string sentence(const result::Recommendation& recommendation);

/// "100 samples/s -> 81.7 samples/s, -18.4 % [-19.0, -17.7] % in 10 pairs; budget 5.0 %; ...".
std::string sentence(const result::GateRow& row);

/// What a gate that ended in this way says about the rest, where a row that had REGRESSED gave the
/// verdict.
std::string verdict_of_end(const std::string& end, const std::string& verdict);

/// Crashed, hung, refused or unreadable: a failure. Running out of memory in a search is a result.
bool has_failed(const result::Cell& cell);

/// Percent-encoded for a URI: letters, digits, "-._~/" stay.
std::string uri_text(const std::string& path);

/// The scenario's file as seen from `root` where it is inside, with "/" between folders; else as
/// it is.
std::string path_below(const std::string& file, const std::string& root);

}  // namespace tune::report
