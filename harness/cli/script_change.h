#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/recorded_run.h"
#include "trial/knob_catalog.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tune::cli {

/// A knob that cannot be written into a script, and code to start from.
struct KnobByHand {
  std::string knob, why, suggestion;
};

/// A file as the change was made of it, and as the trial ran it; "" where its facts do not say, as
/// those of older runs. SHA-256.
struct SourceHashes {
  std::string before, observed;
};

/// How a script is given a setting; made by harness/worker/python/tune_change.
struct ScriptChange {
  std::vector<std::string> options;                ///< words for its command
  std::map<std::string, std::string> environment;  ///< by name
  std::string diff;  ///< of its source, as `git apply` takes it; or ""
  std::vector<KnobByHand> by_hand;
  std::vector<std::string> notes;  ///< what else the change reaches, a sentence each
  /// Files of the script after the change, byte for byte, by their path from its folder on.
  std::map<std::string, std::string> files;
  std::map<std::string, SourceHashes> sources;  ///< of the same files
};

/// What a run knows of its script; the run may be over or not. Refers to it.
struct ScriptRun {
  const std::filesystem::path& directory;
  const scenario::Scenario& scenario;
  const std::vector<campaign::TrialRecord>& trials;
};

ScriptRun script_run(const campaign::CampaignResult& run);
ScriptRun script_run(const campaign::RecordedRun& run);

/// The change that gives the script of the run these settings, found with the Python that ran it
/// and the facts of a trial of its baseline; nothing of the user's is written. Throws tune::Error
/// with a sentence: the run has no such facts any more, that Python is gone, the script is not the
/// one that ran.
ScriptChange change_of_script(const ScriptRun& run, const trial::KnobSettings& knobs);

/// Files that the change would replace and that have changed since the run's trials saw them.
std::vector<std::string> changed_files(const ScriptRun& run, const ScriptChange& change);

/// Writes the files of the change, all of them or none. Throws tune::Error where one has changed
/// since, or cannot be written.
void write_change(const ScriptRun& run, const ScriptChange& change);

}  // namespace tune::cli
