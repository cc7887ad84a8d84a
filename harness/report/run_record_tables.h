#pragma once

#include "report/run_record.h"
#include "report/text_table.h"

#include <cstddef>

namespace tune::report {

// What pages of a result.json alone list, in the same words for HTML, Markdown and text. Texts are
// one line and short.

/// A row each setting, in the result's order: rate, gain in the search with interval, verdict of
/// its fresh pairs, memory, wait for data; what differs from the baseline, and remarks.
TextTable settings_table(const RunRecord& record, std::size_t most);

/// Settings of which a trial failed, or that failed themselves.
TextTable failures_table(const RunRecord& record, std::size_t most);

/// Fresh pairs of each cell that had some; no rows without.
TextTable pairs_table(const RunRecord& record);

/// What to do, predicted and measured gain, verdict.
TextTable recommendations_table(const RunRecord& record, std::size_t most);

TextTable evidence_table(const RecordedFinding& finding);

/// Every number of the file that has an id.
TextTable metrics_table(const RunRecord& record, std::size_t most);

TextTable trials_table(const RunRecord& record, std::size_t most);

/// Exposed and overlapped time of a mean part of the recorded steps, as shares; no rows without.
TextTable steps_table(const RunRecord& record);

}  // namespace tune::report
