#pragma once

#include "report/markdown.h"
#include "report/page_detail.h"
#include "result/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace tune::report {

// The reports of a result.json alone, of any version: what needs the run directory is missing, and
// a sentence says so.

/// report.html, with the same promises as that of a run (html.h); `json` is the text of the file,
/// which it holds as data.
std::string to_html(const result::Result& record,
                    std::string_view json,
                    std::size_t limit_bytes = kPageLimitBytes);

/// report.md, with the same limits as that of a run (markdown.h).
std::string to_markdown(const result::Result& record,
                        std::size_t limit_bytes = kMarkdownLimitBytes);

/// For a terminal: settings, recommendations, what failed, and last of all the answer.
std::string to_text(const result::Result& record);

}  // namespace tune::report
