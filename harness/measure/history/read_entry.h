#pragma once

#include "measure/history/entry.h"

#include <optional>
#include <string>

namespace tune::history {

/// What a result.json (schema tune-result/1) says of the run or the gate that wrote it; nothing
/// where it is of neither, as that of an analysis, and of a gate that measured nothing but judged
/// what another one had. The end of a run and a later import read the
/// same file, so both give the same entry. Throws tune::Error "<where>: ..." for what is damaged or
/// of another version.
///
/// What a file does not say (an older version, a baseline that failed) is missing in the entry.
/// Predictions are those that fresh pairs have judged.
std::optional<Entry> read_entry(const std::string& result_json, const std::string& where);

}  // namespace tune::history
