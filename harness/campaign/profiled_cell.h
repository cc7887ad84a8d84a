#pragma once

#include "campaign/kernel_sets.h"
#include "metric/metric.h"
#include "profile/partition.h"
#include "table/table.h"
#include "trial/profile.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

struct RecordedRun;

/// Recording that makes steps longer than by this factor changes what it looks at: no claim about
/// times is taken from it, counts stay valid. Source: profiler.md, rules.md section 1.
constexpr double kDilationLimit = 1.15;

/// What the recorded steps of a trial say.
struct TraceNumbers {
  /// Where the time of a step goes; nothing where the steps are stretched too much.
  std::optional<profile::Partition> partition;
  std::string partition_reason;  ///< why there is none
  std::vector<metric::Metric> metrics;
  std::vector<table::Table> tables;  ///< in the order of table::table_names()
  std::vector<std::string> warnings;
};

/// The recorded steps of one cell, which came after the measured window of one of its trials.
struct ProfiledCell {
  std::string cell, trial;  ///< ids
  std::string stage;        ///< of the trial
  trial::ProfileOutcome outcome;
  std::filesystem::path file;  ///< absolute; empty where there is no trace
  std::optional<double> measured_step_s, profiled_step_s;  ///< medians, same process; GPU: means
  std::optional<double> dilation;                          ///< their ratio
  std::optional<TraceNumbers> trace;  ///< nothing until it is read (cli/run_profiles)
  std::filesystem::path repeat;  ///< the trace of another trial of the cell; empty: there is none
  std::optional<KernelSets> kernels;  ///< of both, once they are read; nothing: no repeat
  std::string reason;                 ///< why there is no trace, or why it cannot be read
};

/// One entry a cell that was asked to record, the baseline first: of its trials the one with a
/// trace, one that was not stretched too much before others, of the confirmation before others, the
/// newest of those. Another one with a trace is its repeat.
std::vector<ProfiledCell> profiled_cells(const RecordedRun& run);

/// Takes back what says something about times where the steps are stretched too much.
void refuse_stretched_times(TraceNumbers& numbers, std::optional<double> dilation);

}  // namespace tune::campaign
