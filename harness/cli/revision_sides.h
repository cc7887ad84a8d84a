#pragma once

#include "cli/choose_baseline.h"
#include "cli/gate_sitting.h"
#include "cli/open_gate.h"
#include "measure/revision/workshop.h"
#include "scenario/read_parts.h"
#include "trial/trial_spec.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// The sides of a gate across revisions: both commits are checked out and built, and their
/// scenarios read there. As long as it lives, a process can be started for either; afterwards no
/// working tree of git is left.
class RevisionSides {
 public:
  /// `sitting` shows what is done, says when to stop and what the worker is. Throws tune::Error
  /// when the cache cannot be written.
  RevisionSides(const GateRevisions& revisions, const GateRequest& request, GateSitting& sitting);

  /// The candidate's first: what most often does not build. Throws revision::BuildFailed,
  /// revision::Stopped, tune::Error for what is wrong with the candidate's scenario, and
  /// gate::Incomparable for what is wrong with the baseline's. The sources refer to this object.
  GateSources make();

 private:
  GateSource make_side(const std::string& side, const revision::Revision& revision);
  void check_files(const scenario::BuildOrder& order, const revision::Revision& revision) const;
  void find_data(const std::string& written, trial::Data& data) const;

  const GateRevisions& revisions_;
  const GateRequest& request_;
  revision::Workshop workshop_;
};

/// Where commits of a clone are built: a folder of the cache, which one gate at a time may use.
std::filesystem::path workshop_folder(const GateRevisions& revisions);

/// What a side that failed may have missed: the working folder has it, but no commit. "" when there
/// is nothing.
std::string uncommitted_hint(const GateRevisions& revisions);

/// The commits as sources of a plan: nothing is built, both sides have the scenario as it is in the
/// working folder. Throws tune::Error as make() does where a script is not in the commits.
GateSources planned_sources(const GateRevisions& revisions, const GateRequest& request);

}  // namespace tune::cli
