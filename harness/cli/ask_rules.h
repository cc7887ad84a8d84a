#pragma once

#include "advice/rule/catalog.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/limit_use.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// --rules DIR [--scenario FILE] [--only ID...] [--skip ID...] as typed.
struct RuleOptions {
  std::string folder;    ///< of the user's own rules, beside those that came with tune
  std::string scenario;  ///< whose `rules:` switch rules off and override limits
  std::vector<std::string> only, skip;
};

/// Declares --rules alone, for commands that look at the catalogue.
void add_rules_folder(CLI::App& command, RuleOptions& options);
/// Declares all of them, for commands that ask the rules.
void add_rule_options(CLI::App& command, RuleOptions& options);

/// The rules that are asked for. Throws tune::Error with everything that is wrong with any of them,
/// and when an id does not exist.
rule::Catalog read_rules(const RuleOptions& options);

/// The same for a run: where --scenario names none, the settings are those of its own scenario.
rule::Catalog read_rules(const RuleOptions& options, const scenario::Scenario& scenario);

/// The rule of that id; tune::Error with the nearest when there is none. `where` begins the
/// complaint: "tune rules show".
const rule::Rule& expect_rule(const std::string& where,
                              const rule::Catalog& catalog,
                              const std::string& id);

/// Copies what `tune probe` last measured of the run's machine into the run directory, so that its
/// report can be made again anywhere. Does nothing where there is a copy already, no probe, or a
/// damaged one.
void keep_probe(const campaign::CampaignResult& result);

/// The limits of the machine that the run was measured on, which need not be this one: from the run
/// directory's probe.json, else from the probe that is stored for it. One that cannot be read costs
/// the comparison only, and is the reason.
campaign::StoredProbe probe_of(const campaign::CampaignResult& result);

/// The limits that are stored for that machine; why there are none, as above.
campaign::StoredProbe probe_of(const machine::MachineFacts& machine);

/// The rules that came with tune and those of `folder` ("" for none), as the scenario's `rules:`
/// want them. Throws tune::Error when a rule or a setting is wrong.
rule::Catalog rules_of(const scenario::Scenario& scenario, const std::string& folder);

/// Asks the rules what limits the run's baseline, and adds what they say, also of the limits of its
/// machine (tune probe), ranked by how often each was right in the runs next to it that began
/// before it, and what `tune calibrate` found of it. Needs the traces to be read (run_profiles.h).
/// Throws tune::Error as rules_of() does.
void ask_rules(campaign::CampaignResult& result, const std::string& folder);

/// The same of the rules that are asked for.
void ask_rules(campaign::CampaignResult& result, const RuleOptions& options);

/// What the rules propose after the first trials of a run, before its search. Where they cannot be
/// asked, no proposal and the reason: a run does without.
campaign::Proposals propose(const campaign::RecordedRun& run, const std::string& folder);

}  // namespace tune::cli
