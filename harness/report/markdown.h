#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <string_view>

namespace tune::report {

/// What a pull-request comment takes (64 KB), with room for a sentence of the poster.
constexpr std::size_t kMarkdownLimitBytes = 60'000;

/// report.md: headline, top settings, phases, failures, what was not tried, environment, how to
/// repeat. It begins with an invisible marker that names the scenario, by which a comment can be
/// found and replaced. Above the limit whole sections go, with a line that says so.
std::string to_markdown(const campaign::CampaignResult& result);

/// Text for a table cell or a line: nothing in it formats, breaks the row or starts a tag.
std::string escape_markdown(std::string_view text);

}  // namespace tune::report
