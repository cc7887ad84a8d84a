#include "measure/campaign/proposal.h"

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/recorded_run.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace tune::campaign {

namespace {

constexpr std::size_t kMostProposals = 20;

using Values = std::vector<trial::KnobValue>;

// Whole numbers; nothing where a value is none.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(const Values& values) {
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  for (const trial::KnobValue& value : values) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) {
      return std::nullopt;
    }
    range = range ? std::pair(std::min(range->first, *number), std::max(range->second, *number))
                  : std::pair(*number, *number);
  }
  return range;
}

// A guided search takes whole numbers between those of the grid in, but not in the middle of it.
std::string why_as_written(const CampaignResult& result) {
  const std::string& strategy = result.scenario.strategy;
  const bool has_begun =
      std::any_of(result.trials.begin(), result.trials.end(), [](const TrialRecord& trial) {
        return trial.stage == "search";
      });
  return strategy != "guided" ? "strategy " + strategy + " measures only those"
         : has_begun          ? "the search had begun"
                              : "";
}

std::string why_outside(const CampaignResult& result,
                        const std::string& knob,
                        const trial::KnobValue& value) {
  const scenario::Scenario& scenario = result.scenario;
  const auto axis = std::find_if(scenario.grid.begin(), scenario.grid.end(), [&](const auto& each) {
    return each.first == knob;
  });
  if (axis == scenario.grid.end()) {
    return knob + " is not a knob of the grid";
  }
  Values values = axis->second;
  values.push_back(scenario.baseline.at(knob));
  if (std::find(values.begin(), values.end(), value) != values.end()) {
    return "";
  }
  const auto range = range_of(values);
  const auto* const number = std::get_if<std::int64_t>(&value);
  const std::string what = knob + " " + trial::to_text(value);
  if (!range || number == nullptr) {
    return what + " is not a value of the grid";
  }
  if (*number < range->first || *number > range->second) {
    return what + " is outside of the grid's " + std::to_string(range->first) + " to " +
           std::to_string(range->second);
  }
  const std::string why = why_as_written(result);
  return why.empty() ? "" : what + " is not a value of the grid, and " + why;
}

Proposal proposal_of(const CampaignResult& result, const advice::Recommendation& recommendation) {
  Proposal proposal;
  proposal.rule = recommendation.rule->id;
  if (recommendation.predicted.is_known()) {
    proposal.lower = recommendation.predicted.lower;
    proposal.upper = recommendation.predicted.upper;
  }
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    if (!knob.to) {
      proposal.knobs.clear();
      proposal.outside = "the value of " + knob.name + " is not known: " + knob.reason;
      return proposal;
    }
    proposal.knobs[knob.name] = *knob.to;
    if (proposal.outside.empty()) {
      proposal.outside = why_outside(result, knob.name, *knob.to);
    }
  }
  return proposal;
}

std::vector<const Proposal*> first_testable(const Proposals& proposals) {
  std::vector<const Proposal*> first;
  for (const Proposal& proposal : proposals.list) {
    if (proposal.is_testable() && first.size() < kMostRungs) {
      first.push_back(&proposal);
    }
  }
  return first;
}

}  // namespace

Proposals proposals_of(const CampaignResult& result) {
  Proposals proposals;
  if (!result.diagnosis) {
    proposals.reason = "no trial of the baseline completed";
    return proposals;
  }
  for (const advice::Recommendation& recommendation : result.diagnosis->diagnosis.recommendations) {
    if (proposals.list.size() < kMostProposals) {
      proposals.list.push_back(proposal_of(result, recommendation));
    }
  }
  return proposals;
}

std::optional<std::size_t> cell_with(const scenario::Plan& plan,
                                     const trial::KnobSettings& changed) {
  for (std::size_t cell = 1; cell < plan.cells.size(); ++cell) {
    if (plan.cells[cell].changed == changed) {
      return cell;
    }
  }
  return std::nullopt;
}

std::vector<std::size_t> favoured_cells(const scenario::Plan& plan, const Proposals& proposals) {
  std::vector<std::size_t> cells;
  for (const Proposal* const proposal : first_testable(proposals)) {
    const auto cell = cell_with(plan, proposal->knobs);
    if (cell && std::find(cells.begin(), cells.end(), *cell) == cells.end()) {
      cells.push_back(*cell);
    }
  }
  return cells;
}

void add_proposed_cells(RecordedRun& run) {
  if (!run.ledger.proposals) {
    return;
  }
  std::vector<trial::KnobSettings> missing;
  const auto want = [&](const trial::KnobSettings& changed) {
    if (!cell_with(run.plan, changed)) {
      trial::KnobSettings settings = run.scenario.baseline;
      for (const auto& [knob, value] : changed) {
        settings[knob] = value;
      }
      missing.push_back(std::move(settings));
    }
  };
  trial::KnobSettings together;
  for (const Proposal* const proposal : first_testable(*run.ledger.proposals)) {
    want(proposal->knobs);
    together.insert(proposal->knobs.begin(), proposal->knobs.end());
    want(together);
  }
  if (!missing.empty()) {
    run.plan = scenario::make_plan(run.scenario, run.ledger.header.machine, missing);
  }
}

}  // namespace tune::campaign
