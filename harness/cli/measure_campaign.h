#pragma once

#include "base/error.h"
#include "cli/open_run.h"
#include "measure/campaign/run_trials.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace tune::cli {

class LivePage;

/// A campaign that is about to be measured, new or gone on with.
struct CampaignToMeasure {
  const RunRequest& request;     ///< budget, -q, colours
  std::string utc;               ///< now, ISO 8601
  std::int64_t start_ns = 0;     ///< of this sitting, CLOCK_MONOTONIC
  std::string go_on;             ///< the command that continues where this sitting ends
  std::filesystem::path worker;  ///< find_worker_program()
  std::function<OpenRun(const RunInput&)> open;
  std::function<std::string(const OpenRun&)> greeting;
  /// What the rules propose (campaign::TrialLoop); none: nobody asks them.
  std::function<campaign::Proposals(const campaign::RecordedRun&)> propose = nullptr;
  std::function<ExitCode()> present;  ///< of what the directory then says
  /// The form of fresh pairs (campaign::TrialLoop); none: by injection.
  using MakeForm =
      std::function<campaign::PairForm(const campaign::RecordedRun&, const scenario::Cell&)>;
  MakeForm make_form = nullptr;
  /// What the worker is given for a trial; none: its spec.
  std::function<trial::TrialSpec(const trial::TrialSpec&)> form = nullptr;
  LivePage* live = nullptr;  ///< a page that shows it meanwhile; none
};

/// Opens it, runs what is missing, notes in its ledger why that ended, and presents it. Ctrl-C and
/// the like end it after saving, with their exit codes. The machine's lock is the caller's. Throws
/// tune::Error before the first trial, or what `present` throws.
///
/// A disk that is full or a worker that is gone stops it too, a bug of ours (say, in the display)
/// may, but what finished is on disk. The ledger is not touched again then: its last line may be
/// half written.
ExitCode measure_campaign(const CampaignToMeasure& campaign);

}  // namespace tune::cli
