#pragma once

#include "profile/partition.h"
#include "report/text_table.h"
#include "result/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

// What pages of a result.json alone list, in the same words for HTML, Markdown and text. Texts are
// one line and short.

/// A row each setting, in the result's order: rate, gain in the search with interval, verdict of
/// its fresh pairs, memory, wait for data; what differs from the baseline, and remarks.
TextTable settings_table(const result::Result& record, std::size_t most);

/// Settings of which a trial failed, or that failed themselves.
TextTable failures_table(const result::Result& record, std::size_t most);

/// Fresh pairs of each cell that had some; no rows without.
TextTable pairs_table(const result::Result& record);

/// What to do, predicted and measured gain, verdict.
TextTable recommendations_table(const result::Result& record, std::size_t most);

TextTable evidence_table(const result::Finding& finding);

/// Every number of the file that has an id.
TextTable metrics_table(const result::Result& record, std::size_t most);

TextTable trials_table(const result::Result& record, std::size_t most);

/// Where the time of the recorded steps of a cell goes.
struct RecordedSteps {
  std::string cell;
  profile::RoleTimes exposed_ns{}, overlapped_ns{};
};

/// Those that say where some time goes.
std::vector<RecordedSteps> recorded_steps_of(const result::Result& record);

/// Exposed and overlapped time of a mean part of the recorded steps, as shares; no rows without.
TextTable steps_table(const result::Result& record);

}  // namespace tune::report
