#pragma once

#include "cli/gate_request.h"
#include "measure/gate/gate_result.h"
#include "measure/gate/run_gate.h"
#include "measure/gate/stored_baseline.h"
#include "measure/revision/repository.h"

#include <filesystem>
#include <optional>
#include <string>

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
///   file:PATH    a file that `tune baseline show NAME --json` printed
///   WORD         whichever of them there is, a file only with a folder or .json in its name; more
///                than one are an error, not a guess
///
/// A revision is given back, and request.baseline is "" then; name or file of a stored one stays
/// there. Without --baseline, and where nothing else says what the baseline is (--against, a knob
/// of --set, --inject), it is the merge base with the main branch, for a scenario that is committed
/// in a clone; else nothing. `role` is what complaints call it: "baseline", "anchor".
///
/// Throws gate::Incomparable when there is no such baseline, revision::Unavailable when the merge
/// base cannot be told, and tune::Error when a revision is
/// asked for but HEAD is not what is in the working tree, or does not have the scenario.
std::optional<GateRevisions> choose_baseline(GateRequest& request,
                                             const std::string& role = "baseline");

/// The same where nothing is measured: only what was stored can be meant. Throws tune::Error for a
/// revision.
void choose_stored_baseline(GateRequest& request);

/// Whether a word names a file of a baseline: a file that is there, with a folder or .json in its
/// name.
bool names_baseline_file(const std::string& word);

/// What choose_baseline() found to be stored. Throws gate::Incomparable when it is missing or
/// cannot be read.
gate::StoredBaseline load_stored(const GateRequest& request);

/// The baseline of a gate where choose_baseline() found a stored one, or a file of one: its name is
/// told in `result`, and what makes it worth less is a warning there. Nothing where the baseline is
/// measured as well. Throws gate::Incomparable when it does not go with the result's scenario, data
/// and machine.
std::optional<gate::StoredSide> find_stored(gate::GateResult& result, const GateRequest& request);

}  // namespace tune::cli
