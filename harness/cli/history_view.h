#pragma once

#include "cli/terminal.h"
#include "measure/history/entry.h"
#include "measure/history/series.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::cli {

// What `tune history` prints.

/// Each series with its runs, its trend and what changed. Of one scenario on one class of machine
/// only the newest text, data and settings are shown, and how many there were before, unless
/// `with_all`.
struct SeriesView {
  std::vector<history::Series> series;
  bool with_all = false;
};
std::string overview_text(const SeriesView& view, const Terminal& terminal);

/// The same as one JSON document, every series: {schema, store, metric, series}.
std::string overview_json(const std::vector<history::Series>& series,
                          const std::string& metric,
                          const std::filesystem::path& store);

/// One line a run.
std::string entries_table(const std::vector<history::Entry>& entries, const Terminal& terminal);

/// {schema, store, runs}.
std::string entries_json(const std::vector<history::Entry>& entries,
                         const std::filesystem::path& store);

/// Everything about one run.
std::string entry_text(const history::Entry& entry);

/// The same as one JSON document.
std::string entry_document(const history::Entry& entry);

}  // namespace tune::cli
