#pragma once

#include "campaign/campaign_result.h"
#include "report/block.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tune::report {

/// The answer as rows of text, one per cell: terminal, Markdown and HTML print these same rows.
struct RankedTable {
  using Align = Table::Align;
  using Column = Table::Column;
  enum class Kind { baseline, measured, failed };
  struct Row {
    std::string cell;
    Kind kind = Kind::measured;
    bool is_best = false;            ///< the one that the headline is about
    std::vector<std::string> texts;  ///< one per column, one line each; "" where nothing applies
  };
  std::vector<Column> columns;
  std::vector<Row> rows;     ///< in the result's order: the baseline first, what failed last
  std::size_t left_out = 0;  ///< cells behind the last row
  std::string note;          ///< how to read it
};

/// The first cells of the result, in its order. What the search saw of them is headed so; where
/// cells ran in fresh pairs, a column has their gain from these, a check mark beside what was
/// CONFIRMED.
RankedTable ranked_table(const campaign::CampaignResult& result,
                         std::size_t most_rows = std::numeric_limits<std::size_t>::max());

}  // namespace tune::report
