#pragma once

#include "probe/probe_record.h"

#include <string>

namespace tune::cli {

/// The limits as a table, how noisy each of them is, and what was not measured and why.
std::string probe_table(const probe::ProbeRecord& record);

/// --plain: id, label, value, unit, noise, n, reason; one line a number.
std::string probe_rows(const probe::ProbeRecord& record);

}  // namespace tune::cli
