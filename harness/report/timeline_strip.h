#pragma once

#include "report/markup.h"
#include "trace/partition.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// Recorded steps of one setting. Refers to a partition, which must outlive it.
struct RecordedStrip {
  std::string label;
  const profile::Partition* partition = nullptr;
};

struct TimelineStrips {
  std::string id;  ///< unique in the page
  std::vector<RecordedStrip> strips;
};

constexpr std::size_t kMostStripSteps = 5;
/// About so many bytes has one strip: blocks that lie near each other are drawn as one where there
/// would be more of them.
constexpr std::size_t kStripBytes = 12'000;

/// When something of each role ran, below one another and on one time scale: of each setting up to
/// kMostStripSteps steps that follow each other and are nearest to its median step. A lane a role
/// that any setting has, blank where nothing of it ran. Nothing when no setting has a step.
std::optional<Markup> timeline_strips(const TimelineStrips& content);

/// Steps that follow each other: so many from this index on.
struct StripSteps {
  std::size_t first = 0, count = 0;
};

/// Those that a strip of this partition draws; nothing where it has no step.
std::optional<StripSteps> strip_steps(const profile::Partition& partition);

/// Index of the first of `count` steps that follow each other and lie nearest to the median, by the
/// sum of their distances. Needs steps, and a count from 1 to their number.
std::size_t typical_steps(const std::vector<profile::Step>& steps, std::size_t count);

}  // namespace tune::report
