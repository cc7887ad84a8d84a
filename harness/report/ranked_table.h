#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::report {

/// The answer as rows of text, one per cell: terminal, Markdown and HTML print these same rows.
struct RankedTable {
  enum class Align { left, right };
  struct Column {
    std::string name;
    Align align = Align::left;
  };
  enum class Kind { baseline, measured, failed };
  struct Row {
    std::string cell;
    Kind kind = Kind::measured;
    bool is_best = false;            ///< the one that the headline is about
    std::vector<std::string> texts;  ///< one per column, one line each; "" where nothing applies
  };
  std::vector<Column> columns;
  std::vector<Row> rows;  ///< baseline, then best gain first, then what failed
  std::string note;       ///< how to read it
};

/// Every cell of the result, in the result's order.
RankedTable ranked_table(const campaign::CampaignResult& result);

}  // namespace tune::report
