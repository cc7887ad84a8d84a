#include "cli/run_profiles.h"

#include "base/background_thread.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/answer.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/profiled_cell.h"
#include "measure/campaign/recorded_run.h"
#include "trace/metric/trace_input.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/read_trace.h"
#include "trace/table/tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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
  throw Error(Error::Parts{typed_path(run),
                           "has no trace of cell " + cell,
                           reason.empty() ? there : reason + "; " + there,
                           did_you_mean(cell, cells)});
}

namespace {

campaign::TraceNumbers numbers_of(const profile::Timeline& timeline) {
  const metric::TraceInput input = metric::examine(timeline);
  campaign::TraceNumbers numbers;
  numbers.partition = input.partition;
  numbers.metrics = metric::trace_metrics(input);
  numbers.tables = table::all_tables(metric::table_input(input));
  numbers.warnings = timeline.notes.warnings();
  if (input.partition.parts.empty()) {
    numbers.partition.reset();
    numbers.partition_reason = metric::why_no_steps(input);
  }
  return numbers;
}

// Whether the same cell ran the same kernels twice; a CPU has none, so that its repeat is not read.
void compare_with_repeat(campaign::ProfiledCell& cell) {
  campaign::KernelSets own = campaign::compare_kernels(cell.trace->tables, cell.trace->tables);
  if (cell.repeat.empty() || !own.distance) {
    cell.kernels = std::move(own);
    if (cell.kernels->distance) {
      cell.kernels = campaign::KernelSets{.reason = "the cell was recorded but once"};
    }
    return;
  }
  try {
    cell.kernels = campaign::compare_kernels(cell.trace->tables,
                                             numbers_of(profile::read_trace(cell.repeat)).tables);
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    cell.kernels = campaign::KernelSets{.reason = error.what()};
  }
}

void read_one(campaign::ProfiledCell& cell) {
  try {
    cell.trace = numbers_of(profile::read_trace(cell.file));
    campaign::refuse_stretched_times(*cell.trace, cell.dilation);
    compare_with_repeat(cell);
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    cell.reason = error.what();
  }
}

// So that reading several at once takes little memory. A trace of this size has some 100 MB of
// JSON.
bool is_small(const campaign::ProfiledCell& cell) {
  constexpr std::uintmax_t kSmallBytes = 4'000'000;
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(cell.file, failed);
  return failed || bytes <= kSmallBytes;
}

}  // namespace

void read_profiles(campaign::CampaignResult& result) {
  constexpr std::size_t kMostReaders = 4;
  std::vector<campaign::ProfiledCell*> cells;
  for (campaign::ProfiledCell& cell : result.profiles) {
    if (!cell.file.empty()) {
      cells.push_back(&cell);
    }
  }
  const bool are_small =
      std::all_of(cells.begin(), cells.end(), [](const campaign::ProfiledCell* cell) {
        return is_small(*cell);
      });
  in_parallel(
      cells.size(), are_small ? kMostReaders : 1, [&](std::size_t i) { read_one(*cells[i]); });
}

}  // namespace tune::cli
