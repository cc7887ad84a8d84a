#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// What a page may have at most: a mail takes it, and any browser opens it.
constexpr std::size_t kPageLimitBytes = 5'000'000;

/// The least that a limit may ask for: style, script and the answer have room.
constexpr std::size_t kLeastPageLimitBytes = 100'000;

/// How much a page shows of what may be much. Where it leaves something out, a sentence says so.
struct PageDetail {
  bool has_data = true;                 ///< result.json in the page
  bool has_single_steps = true;         ///< the steps of a trial one by one
  std::size_t table_rows = 200;         ///< of operators and kernels
  std::size_t strips = 10;              ///< cards whose recorded steps are drawn
  std::size_t settings = 2'000;         ///< of each list of them
  std::size_t best_settings = 12;       ///< of them in Markdown
  bool has_plots = true;                ///< of all settings
  bool has_drawings = true;             ///< false: no rendering of it could show them
  std::size_t trials = 1'000;           ///< of the list of all
  std::size_t tails = 200;              ///< trials that failed whose last lines are shown
  std::size_t scenario_bytes = 64'000;  ///< of its text
};

/// First everything; then, in the order in which a page that is too large loses it, ever less.
const std::vector<PageDetail>& page_details();

/// "The steps of single trials are left out, because this page would be too large; they are in
/// reply.json of each."
std::string left_out_sentence(const std::string& what, const std::string& where);

/// The begin of a text, at the end of a line where there is one, and a sentence that says how much
/// of it that is; the whole text and "" where it is no longer than that.
struct CutText {
  std::string text, remark;
};
CutText cut_text(const std::string& text, std::size_t most_bytes);

}  // namespace tune::report
