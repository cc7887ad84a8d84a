#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/progress.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/plan.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// Why a trial has no result, and which one it was: "SIGSEGV in phase warmup (round 1)".
std::string failure_text(const TrialRecord& record);

/// "other processes used 0.45 of 2 CPUs"; "" where they took too little to disturb the trial.
std::string disturbed_by(const TrialRecord& record);

/// What else happened while a trial measured, as a sentence with figures: "other processes used
/// 0.45 of 2 CPUs in c01 round 1"; "" when the trial was left alone, or the kernel did not say.
std::string disturbance_text(const TrialRecord& record);

/// What happened to a run directory since its trials ended, one sentence each: replies that were
/// lost, with what became of their trials, lines of the ledger that are left out, and a ledger that
/// was cut off. At most two handfuls.
std::vector<std::string> damage_warnings(const RecordedRun& run);

/// Some trial lost its reply and has not been run again.
bool has_lost_trials(const RecordedRun& run);

/// "c47 (amp=bf16 num_workers=4) was not confirmed: the budget had room for the pairs of one cell
/// only": of the cells that the search would have confirmed. "" where each of them was.
std::string unconfirmed_text(const scenario::Plan& plan, const Progress& progress);

/// What a reader must know before trusting the numbers, as far as the trials tell: settings that
/// failed, or that were paired and break a constraint, damaged files, variables that were kept from
/// the workers, images that are not read, disturbances, trials that were not steady, a cold page
/// cache, epochs that take other times than computed. One sentence each, without its full stop. Of
/// `result`, the cells, pairs, ladder and epochs must be there.
std::vector<std::string> run_warnings(const RecordedRun& run, const CampaignResult& result);

/// What the loader of the trials did not read of the user's images; "" where it read all.
std::string unread_images_text(const std::vector<TrialRecord>& trials);

}  // namespace tune::campaign
