#pragma once

#include "profile/reader/timeline_builder.h"
#include "table/tables.h"

#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace tune::cli {

/// --table NAME [--group-by name|shape|stack:N|module] [--sort COLUMN] [--top N] as typed.
struct TableRequest {
  std::string table;  ///< "": none is asked for
  std::string group_by, sort;
  std::size_t top = 0;  ///< 0: all rows

  bool is_asked() const { return !table.empty(); }
};

void add_table_options(CLI::App& command, TableRequest& request);

/// Throws tune::Error when a word is not understood, or stands without --table: before the trace,
/// which takes its time, is read.
void check(const TableRequest& request);

/// Reads what the groups need: stacks and Python frames.
void keep_what_is_needed(const TableRequest& request, profile::ReadOptions& options);

/// Makes, sorts and cuts the table. Throws tune::Error when it has no column to sort by.
table::Table requested_table(const TableRequest& request, const table::TableInput& input);

}  // namespace tune::cli
