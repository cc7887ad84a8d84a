#include "cli/recorded_trace.h"

#include "base/error.h"
#include "base/text.h"
#include "campaign/ledger.h"
#include "campaign/profiled_cell.h"
#include "campaign/recorded_run.h"
#include "cli/answer.h"

#include <system_error>
#include <vector>

namespace tune::cli {

namespace fs = std::filesystem;

bool is_run_directory(const fs::path& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown) && fs::exists(campaign::ledger_file(path), unknown);
}

fs::path recorded_trace(const fs::path& run, const std::string& cell) {
  std::vector<std::string> cells;
  std::string reason;
  for (const campaign::ProfiledCell& profile :
       campaign::profiled_cells(campaign::read_recorded_run(run))) {
    if (profile.cell == cell && !profile.file.empty()) {
      return profile.file;
    }
    reason = profile.cell == cell ? profile.reason : reason;
    if (!profile.file.empty()) {
      cells.push_back(profile.cell);
    }
  }
  const std::string there = cells.empty() ? "no cell of the run has one (--profile all records all)"
                                          : "these cells have one: " + joined(cells);
  throw Error(Error::Parts{quoted(run),
                           "has no trace of cell " + cell,
                           reason.empty() ? there : reason + "; " + there,
                           did_you_mean(cell, cells)});
}

}  // namespace tune::cli
