#pragma once

#include "result/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::report {

/// Something that a team should see at a line of the scenario.
struct Notice {
  enum class Level { error, warning, note };

  Level level = Level::note;
  std::string rule;     ///< "synchronous-loader", "gate/epoch_time", "cell/crashed"
  std::string subject;  ///< what else tells it from others of its rule: a setting, or ""
  std::string title;    ///< imperative of a recommendation, descriptive of a finding
  std::string text;     ///< one line with the numbers
  std::string link;     ///< to read more, or ""
  std::int64_t line = 1;
};

/// For a run: recommendations (confirmed ones are warnings, others notes, refuted ones are left
/// out) and settings that failed. For a gate: rows that are worse or undecided, and why it judged
/// nothing. In mode warn nothing is an error, in mode shadow all are notes. Worst first.
std::vector<Notice> notices(const result::Result& result);

/// The same for the same notice in every result of a scenario, whatever its numbers: of rule,
/// scenario and subject.
std::string fingerprint(const result::Result& result, const Notice& notice);

}  // namespace tune::report
