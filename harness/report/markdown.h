#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tune::report {

/// What a pull-request comment takes (64 KB), with room for a sentence of the poster.
constexpr std::size_t kMarkdownLimitBytes = 60'000;

/// What a step summary takes (1 MiB; GitHub shows nothing of a larger one), with room for what else
/// the step writes into it.
constexpr std::size_t kStepSummaryLimitBytes = 900'000;

/// Text for a table cell or a line: nothing in it formats, breaks the row or starts a tag.
std::string escape_markdown(std::string_view text);

/// Text for a <summary>: raw HTML, in which nothing of Markdown is read.
std::string escape_summary(std::string_view text);

}  // namespace tune::report
