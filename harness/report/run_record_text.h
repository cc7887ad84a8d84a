#pragma once

#include "result/result.h"

#include <string>
#include <vector>

namespace tune::report {

// What pages of a result.json alone say in sentences. Texts are one line and short.

/// One line of at most 300 characters.
std::string short_text(const std::string& text);

/// "first; second"; the other one alone where one is "".
std::string both(const std::string& first, const char* between, const std::string& second);

/// What stands above the numbers: the warnings, then rules of validity that fired.
std::vector<std::string> doubts_of(const result::Result& record);

/// What fired and is no recommendation, one line each; then how many were quiet or not applicable.
std::vector<std::string> finding_lines(const result::Result& record);

/// What to do, one line each: knobs, then code, variables or words.
std::vector<std::string> change_lines(const result::Change& change);

/// The finding of that rule; null where there is none.
const result::Finding* finding_of(const result::Result& record, const std::string& rule);

/// "tune report: resnet18": what the file is of.
std::string title_of(const result::Result& record);

/// The answer in one sentence, in any version.
std::string headline_of(const result::Result& record);

/// What cannot be made of a file alone.
std::string what_is_missing(const result::Result& record);

}  // namespace tune::report
