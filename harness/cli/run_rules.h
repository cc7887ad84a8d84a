#pragma once

#include "campaign/campaign_result.h"
#include "campaign/proposal.h"
#include "campaign/recorded_run.h"
#include "cli/rule_options.h"

#include <string>

namespace tune::cli {

/// The rules that came with tune and those of `folder` ("" for none), as the scenario's `rules:`
/// want them. Throws tune::Error when a rule or a setting is wrong.
rule::Catalog rules_of(const scenario::Scenario& scenario, const std::string& folder);

/// Asks the rules what limits the run's baseline, and adds what they say, also of the limits of its
/// machine (tune probe), ranked by how often each was right in the runs beside it that began before
/// it, and what `tune calibrate` found of it. Needs the traces to be read (run_profiles.h). Throws
/// tune::Error as rules_of() does.
void ask_rules(campaign::CampaignResult& result, const std::string& folder);

/// The same of the rules that are asked for.
void ask_rules(campaign::CampaignResult& result, const RuleOptions& options);

/// What the rules propose after the first trials of a run, before its search. Where they cannot be
/// asked, no proposal and the reason: a run does without.
campaign::Proposals propose(const campaign::RecordedRun& run, const std::string& folder);

}  // namespace tune::cli
