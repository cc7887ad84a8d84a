#pragma once

#include "measure/gate/fingerprint.h"
#include "measure/gate/policy.h"
#include "measure/gate/process_summary.h"
#include "measure/gate/run_gate.h"
#include "trial/own_model.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::gate {

constexpr std::string_view kBaselineSchema = "tune-baseline/1";
constexpr std::int64_t kOldAfterDays = 30;

/// One run whose processes became a part of a baseline.
struct Recording {
  std::string utc;  ///< when the run began
  std::string run;  ///< its directory
  /// The hash of the file of the user's own model; "" without one, and in recordings from before it
  /// was kept.
  std::string model_sha256;
  std::vector<ProcessSummary> processes;
  std::vector<std::optional<trial::Structure>> structures;
};

/// Absolute numbers of one setting on one machine. Two recordings must agree before a gate may rest
/// on them: what one process of time measures may be a bad hour.
struct StoredBaseline {
  std::string name, scenario;  ///< of the scenario
  std::string setting;         ///< "batch_size=32 num_workers=0"
  Fingerprint fingerprint;
  std::vector<Recording> recordings;  ///< oldest first, at most ten
};

/// As it is kept, but for the order of the fields.
void fields_of(Fields& fields, StoredBaseline& baseline);
std::string to_json(const StoredBaseline& baseline);

/// Throws Incomparable when the text is not a baseline of this schema.
StoredBaseline parse_baseline(std::string_view text, const std::string& where);

/// <data folder>/baselines/<name>.json. Throws tune::Error for a name that is not a plain word.
std::filesystem::path baseline_file(const std::filesystem::path& data_folder,
                                    const std::string& name);

/// Throws Incomparable, with the nearest name as suggestion, when there is none or it is damaged.
StoredBaseline load_baseline(const std::filesystem::path& data_folder, const std::string& name);

/// One that `tune baseline show NAME --json` printed into a file. Throws Incomparable when there is
/// none or it is damaged.
StoredBaseline load_baseline_file(const std::filesystem::path& file);

/// Names, sorted.
std::vector<std::string> baseline_names(const std::filesystem::path& data_folder);

/// What the processes of one cell in a run's (or a gate's) directory say. Throws tune::Error when
/// it is not a run, or fewer than three processes of the cell completed.
StoredBaseline record_baseline(const std::filesystem::path& directory, const std::string& cell);

/// How far the last two recordings lie apart, on the log scale, in the metric in which they differ
/// most. Nothing when there are fewer than two.
std::optional<double> disagreement(const StoredBaseline& baseline, const Policy& policy);

/// The baseline as run_gate() takes it. Throws Incomparable with a sentence that says what to do
/// when it does not fit `now`, has one recording only, or two that disagree by more than the
/// smallest effect of interest.
StoredSide usable_side(const StoredBaseline& baseline,
                       const Fingerprint& now,
                       const Policy& policy);

/// "the model file libmine.so changed since baseline main was recorded"; "" where it is the same,
/// or nobody knows. The two are compared anyway: the model may be the change that is asked about.
std::string model_change(const StoredBaseline& baseline, const trial::OwnModel& now);

/// Between two moments "2026-11-21T19:49:55Z"; nothing when one of them is none.
std::optional<std::int64_t> days_between(const std::string& then, const std::string& now);

}  // namespace tune::gate
