#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tune::report {

/// A larger result.json stays next to its page.
constexpr std::size_t kMostDataBytes = 2'000'000;

/// The data of a page, in an element that nothing runs: valid JSON in UTF-8, without the spaces
/// between its values, and with what XML or HTML would read as markup, or may not hold, written as
/// \uXXXX. "" where that is larger than kMostDataBytes, or there is no JSON.
std::string data_block(std::string_view json);

}  // namespace tune::report
