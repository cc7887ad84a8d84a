#pragma once

#include "report/render_blocks.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tune::report {

/// The ranked table in a given width. What the report and the lines below the table say as well
/// goes first: remarks about cells that completed, then the columns that matter least. Settings are
/// never cut: they continue in the next line.
class FittedTable {
 public:
  /// A line counts the rows behind the first `most_rows`.
  FittedTable(Table table,
              std::size_t width,
              std::size_t most_rows = std::numeric_limits<std::size_t>::max() - 1);

  std::string print(const Painter& painter) const;

 private:
  void drop_unmeasured();
  void drop_rows(std::size_t most);
  std::size_t index_of(const std::string& name) const;
  void drop_column(const std::string& name);
  bool has_texts(const std::string& name) const;
  bool has_failures() const;
  void wrap(const std::string& name, std::size_t width, std::size_t narrowest);
  std::vector<std::size_t> column_widths() const;
  std::size_t total_width() const;
  std::string lines(const std::vector<std::string>& texts,
                    const std::vector<std::size_t>& widths) const;

  Table table_;                                ///< its texts may have line breaks
  std::size_t left_out_ = 0, unmeasured_ = 0;  ///< rows
};

}  // namespace tune::report
