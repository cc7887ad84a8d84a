#pragma once

#include "scenario/scenario.h"
#include "trace/metric/metric.h"
#include "trace/partition.h"
#include "trace/table/table.h"
#include "trial/profile.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

struct RecordedRun;
struct Slot;

/// How different the kernels are that two recordings of one cell ran.
struct KernelSets {
  std::optional<double> distance;  ///< 0-1; nothing: `reason`
  std::vector<std::string>
      differing;  ///< names that only one has, the longest first; at most three
  std::string reason;
};

/// The share of the device time in kernels whose names the other recording does not have, from the
/// recording in which that share is larger. Both are the tables of a trace
/// (trace/table/tables.h); those without kernels are of a CPU.
KernelSets compare_kernels(const std::vector<table::Table>& first,
                           const std::vector<table::Table>& second);

/// Whether the steps after the measured window of this trial are recorded, by what the scenario
/// says under `profile: {cells: ...}`:
///
///     none      no trial
///     baseline  the first of the baseline
///     best      that, and the first round of the confirmation and of the ladder: both sides of
///               their pairs alike
///     all       that, and every cell in the first round of the search
///
/// On the ladder only where the budget has room for it besides the pairs: Progress::is_recorded().
/// has_diagnosis: a trial of the stage "diagnose" is the first of the baseline.
bool is_profiled(const scenario::Scenario& scenario, const Slot& slot, bool has_diagnosis = false);

/// Trials of one such round of the confirmation, for the baseline and `cells` others.
std::int64_t profiled_in_confirmation(const scenario::Scenario& scenario, std::size_t cells);

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

/// The median of so many ns, s; nothing without any.
std::optional<double> median_s(const std::vector<std::int64_t>& ns);

/// The median step of the measured window, s; nothing where steps were not kept.
std::optional<double> measured_step_s(const trial::TrialReply& reply);

/// Whether what a reply says of where its trace is stays in the trial's folder.
bool is_plain_name(const std::string& file);

/// One entry a cell that was asked to record, the baseline first: of its trials the one with a
/// trace, one that was not stretched too much before others, of the confirmation before others, the
/// newest of those. Another one with a trace is its repeat.
std::vector<ProfiledCell> profiled_cells(const RecordedRun& run);

/// Takes back what says something about times where the steps are stretched too much.
void refuse_stretched_times(TraceNumbers& numbers, std::optional<double> dilation);

}  // namespace tune::campaign
