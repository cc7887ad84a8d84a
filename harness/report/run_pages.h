#pragma once

#include "report/markdown.h"
#include "report/page_detail.h"
#include "report/render_blocks.h"
#include "report/run_sections.h"

#include <cstddef>
#include <string>

namespace tune::report {

// The reports of a run, of its directory or of a result.json alone, of any version.

/// report.html: one file, nothing from a network, complete without its style sheet and its script,
/// and well-formed XML. The same run always gives the same bytes. A page that would be larger than
/// the limit shows less of what is much (page_detail.h), and says so; then whole sections go. The
/// limit is at least kLeastPageLimitBytes.
std::string to_html(const Run& run, std::size_t limit_bytes = kPageLimitBytes);

/// report.md: headline, top settings, recommendations, history, phases, failures, what was not
/// tried, environment, how to repeat. It begins with an invisible marker that names the scenario,
/// by which a comment can be found and replaced. Above the limit whole sections go, with a line
/// that says so; with more room than a comment has, all settings are listed. The limit is at least
/// 2,000 bytes.
std::string to_markdown(const Run& run, std::size_t limit_bytes = kMarkdownLimitBytes);

/// How wide a terminal is, and how lines stand out in it.
struct TextLook {
  std::size_t width = 100;  ///< columns
  Painter painter = {};
  bool is_verbose = false;  ///< all settings, and conditions of rules with their numbers
};

/// What `tune run` prints at its end: the first rows of the ranked table in as many columns as fit,
/// what was left out and why, what limits the baseline, and last of all the answer.
std::string to_text(const Run& run, const TextLook& look = {});

// The same of a run directory.
std::string to_html(const campaign::CampaignResult& run, std::size_t limit_bytes = kPageLimitBytes);
std::string to_markdown(const campaign::CampaignResult& run,
                        std::size_t limit_bytes = kMarkdownLimitBytes);

}  // namespace tune::report
