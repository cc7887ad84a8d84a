#pragma once

#include "cli/gate_request.h"
#include "revision/repository.h"

#include <filesystem>
#include <optional>

namespace tune::cli {

/// Two commits of one clone that a gate compares.
struct GateRevisions {
  revision::Repository repository;
  std::filesystem::path file;  ///< the scenario, relative to the top of the clone
  revision::Revision baseline, candidate;
};

/// Decides what `--baseline WORD` means:
///
///   stored:NAME  a stored baseline      git:REF  a revision
///   WORD         whichever of the two there is; both are an error, not a guess
///
/// A revision is given back, and request.baseline is "" then; the name of a stored one stays there.
/// Without --baseline, and where nothing else says what the baseline is (--against, a knob of
/// --set,
/// --inject), it is the merge base with the main branch, for a scenario that is committed in a
/// clone; else nothing.
///
/// Throws gate::Incomparable when there is no such baseline, revision::Unavailable when the merge
/// base cannot be told, and tune::Error when a revision is
/// asked for but HEAD is not what lies in the working tree, or does not have the scenario.
std::optional<GateRevisions> choose_baseline(GateRequest& request);

}  // namespace tune::cli
