#include "report/headline.h"

#include "base/units.h"
#include "measure/campaign/objective.h"
#include "report/cell_times.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/objective_words.h"
#include "report/result_of.h"
#include "report/run_facts.h"
#include "report/run_words.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cctype>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::Confirmation;

constexpr std::size_t kLongestReason = 300;

const ObjectiveWords& words_of(const CampaignResult& result) {
  return objective_words(objective_metric(result.scenario, result.machine.device));
}

bool has_pairs(const CampaignResult& result) {
  return result.confirmation && result.confirmation->pairs > 0 &&
         is_finite(result.confirmation->gain);
}

// The first with a gain, of those that break a constraint or of the others.
const CellResult* find_measured(const CampaignResult& result, bool is_broken) {
  const auto found =
      std::find_if(result.cells.begin(), result.cells.end(), [&](const CellResult& cell) {
        return cell.gain && cell.broken_constraints.empty() != is_broken;
      });
  return found == result.cells.end() ? nullptr : &*found;
}

const CellResult* find_best(const CampaignResult& result) {
  if (has_pairs(result)) {
    return result.find_cell(result.confirmation->cell);
  }
  return find_measured(result, false);
}

std::string why_not_confirmed(const CampaignResult& result) {
  if (result.scenario.verify == "none" && result.complete) {
    return "fresh pairs were not asked for (--verify none)";
  }
  if (!result.complete && !result.incomplete_reason.empty()) {
    return shortened(result.incomplete_reason, kLongestReason);
  }
  if (result.scenario.shard) {
    return "a shard confirms nothing, tune merge joins it with the others";
  }
  if (!result.confirmation && !result.confirmations.empty()) {  // none that may be recommended
    const Confirmation& row = result.confirmations.front();
    return shortened(setting_text(result, row.cell) + ", which ran in fresh pairs, " +
                         campaign::constraint_text(row.broken_constraints),
                     kLongestReason);
  }
  return result.confirmation ? "no confirming pair completed" : "the confirmation has not run";
}

Standing judge(const Confirmation& confirmation) {
  return confirmation.verdict == "confirmed"   ? Standing::faster
         : confirmation.verdict == "refuted"   ? Standing::not_faster
         : confirmation.verdict == "ambiguous" ? Standing::undecided
                                               : Standing::too_few_pairs;
}

std::string pairs_text(const Confirmation& confirmation) {
  return confirmation.verdict.empty() ? std::to_string(confirmation.pairs) + " of " +
                                            counted(confirmation.wanted, "fresh pair")
                                      : counted(confirmation.gain.n, "fresh pair");
}

std::string evidence(const Confirmation& confirmation) {
  const stats::Number& gain = confirmation.gain;
  std::string text = gain_interval_text(gain) + " in " + pairs_text(confirmation);
  if (gain.confidence) {
    text += ", " + confidence_text(*gain.confidence) + " confidence";
  }
  return text;
}

// "107.4 against 58.3 samples/s", after what the objective is about where that is not speed.
std::string rates(const CampaignResult& result) {
  const Confirmation& confirmation = *result.confirmation;
  const ObjectiveWords& words = words_of(result);
  const auto best = objective_value(result, confirmation.cell, "confirm");
  const auto baseline = objective_value(result, "baseline", "confirm");
  const std::string before = best && baseline ? change_words(words, *best, *baseline) + ", " : "";
  return before + number_text(confirmation.best.value) + " against " +
         number_text(confirmation.baseline.value) + " samples/s";
}

// Which of the two is faster cannot be said then; the medians of both may even contradict the
// pairs.
bool holds_zero(const stats::Number& gain) {
  return gain.lower && gain.upper && *gain.lower <= 0 && *gain.upper >= 0;
}

std::string nothing_faster(const CampaignResult& result, const Conclusion& conclusion) {
  const CellResult* const broken = find_measured(result, true);
  if (conclusion.best == nullptr && broken != nullptr) {
    return "No setting can be recommended: " + conclusion.doubt + ", such as " +
           setting_text(broken->cell) + ": " +
           shortened(broken->broken_constraints.front(), kLongestReason) + ".";
  }
  std::string text = "No setting is worth a change: none of " +
                     counted(static_cast<std::int64_t>(result.cells.size()) - 1, "setting") +
                     " can be expected to beat the baseline by 1 %";
  const CellResult* const best = conclusion.best;
  return best == nullptr
             ? text + "."
             : text + "; the best of the " + best->stage + ", " + setting_text(best->cell) +
                   ", gave " + gain_text(best->gain->value) + " (" +
                   gain_interval_text(*best->gain) + ", " + counted(best->gain->n, "round") + ").";
}

std::string provisional(const CampaignResult& result, const Conclusion& conclusion) {
  const ObjectiveWords& words = words_of(result);
  const CellResult& best = *conclusion.best;
  const std::string rounds = " in the " + best.stage + " (" + gain_interval_text(*best.gain) +
                             ", " + counted(best.gain->n, "round") + "); " + conclusion.doubt + ".";
  if (!is_finite(*best.gain) || *best.gain->value <= 0) {
    const auto all = static_cast<std::int64_t>(result.cells.size()) - 1;
    const std::int64_t measured =
        std::count_if(result.cells.begin(), result.cells.end(), [](const auto& cell) {
          return cell.gain.has_value();
        });
    const std::string gave =
        setting_text(best.cell) + ", gave " + gain_text(best.gain->value) + rounds;
    if (measured == 1 && all > 1) {
      return "Provisional, not confirmed: the only setting measured so far, " + gave;
    }
    return std::string("Provisional, not confirmed: no setting was ") + words.better +
           " than the baseline; the best of " + counted(measured, "setting") +
           (measured < all ? " measured so far, " : ", ") + gave;
  }
  return "Provisional, not confirmed: " + setting_text(best.cell) + " was " +
         faster_text(best.gain->value, words) + " than the baseline" + rounds;
}

std::string confirmed(const CampaignResult& result, const Conclusion& conclusion) {
  const Confirmation& confirmation = *result.confirmation;
  const ObjectiveWords& words = words_of(result);
  const std::string setting =
      conclusion.best != nullptr ? setting_text(conclusion.best->cell) : confirmation.cell;
  const std::string verdict = " (" + verdict_word(confirmation) + ")";
  switch (conclusion.standing) {
    case Standing::faster:
      return setting + " is " + sure_faster_text(confirmation.gain, words) + " than the baseline" +
             verdict + ": " + rates(result) + ", gain " + evidence(confirmation) + ".";
    case Standing::undecided:
      return "No proven gain: fresh pairs do not decide whether " + setting + " is " +
             words.better + " than the baseline" + verdict + ", gain " + evidence(confirmation) +
             (confirmation.why.empty() ? "" : "; " + confirmation.why) + ".";
    case Standing::not_faster:
      return std::string("No setting was measurably ") + words.better +
             " than the baseline: the best of the " +
             (conclusion.best != nullptr ? conclusion.best->stage : "search") + ", " + setting +
             ", gave " + gain_text(confirmation.gain.value) + verdict + ", " +
             evidence(confirmation) + ".";
    default:
      if (holds_zero(confirmation.gain)) {
        return "Provisional: " + setting +
               " is not proven to differ from the baseline so far: gain " + evidence(confirmation) +
               ", and " + conclusion.doubt + ".";
      }
      return "Provisional: " + setting + " was " + faster_text(confirmation.gain.value, words) +
             " than the baseline, " + rates(result) + ", gain " + evidence(confirmation) +
             ", but " + conclusion.doubt + ".";
  }
}

}  // namespace

Conclusion conclude(const CampaignResult& result) {
  Conclusion conclusion;
  conclusion.baseline = result.find_cell("baseline");
  if (result.trials.empty()) {
    conclusion.doubt = result.incomplete_reason.empty()
                           ? "no trial was run"
                           : shortened(result.incomplete_reason, kLongestReason);
    return conclusion;
  }
  if (conclusion.baseline == nullptr || !conclusion.baseline->throughput) {
    conclusion.standing = Standing::baseline_failed;
    conclusion.doubt = "the baseline did not complete";
    return conclusion;
  }
  conclusion.best = find_best(result);
  if (has_pairs(result)) {
    conclusion.standing = judge(*result.confirmation);
    if (conclusion.standing == Standing::too_few_pairs) {
      conclusion.doubt = "these are too few pairs to be sure";
      if (!result.complete && !result.incomplete_reason.empty()) {
        conclusion.doubt += " (" + shortened(result.incomplete_reason, kLongestReason) + ")";
      }
    }
  } else if (conclusion.best == nullptr && find_measured(result, true) != nullptr) {
    conclusion.standing = Standing::nothing_faster;
    conclusion.doubt = "every setting that completed breaks a constraint";
  } else if (conclusion.best == nullptr) {
    conclusion.standing = Standing::baseline_only;
    const bool is_cut = !result.complete && !result.baseline_failed;
    conclusion.doubt = result.cells.size() == 1 ? "the grid holds no other setting"
                       : is_cut && !result.incomplete_reason.empty()
                           ? shortened(result.incomplete_reason, kLongestReason)
                           : "no other setting completed";
  } else if (result.complete && result.scenario.confirms() && !result.confirmation &&
             result.confirmations.empty()) {
    conclusion.standing = Standing::nothing_faster;
    conclusion.doubt = "nothing that ran can beat the baseline by 1 %";
  } else {
    conclusion.standing = Standing::provisional;
    conclusion.doubt = why_not_confirmed(result);
  }
  return conclusion;
}

std::vector<const CellResult*> baseline_and_best(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  std::vector<const CellResult*> cells;
  for (const CellResult* const cell : {conclusion.baseline, conclusion.best}) {
    if (cell != nullptr) {
      cells.push_back(cell);
    }
  }
  return cells;
}

namespace {

std::string conclusion_sentence(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  switch (conclusion.standing) {
    case Standing::nothing_measured:
      return "Nothing was measured: " + conclusion.doubt + ".";
    case Standing::baseline_failed: {
      const CellResult* baseline = conclusion.baseline;
      const std::string outcome = baseline == nullptr ? "not run" : baseline->outcome;
      const std::string reason = baseline == nullptr ? "" : baseline->reason;
      return "Nothing can be compared: the baseline did not complete (" +
             shortened(reason.empty() ? outcome : outcome + ": " + reason, kLongestReason) + ").";
    }
    case Standing::baseline_only:
      return "Only the baseline was measured, " +
             number_text(conclusion.baseline->throughput->value) +
             " samples/s: " + conclusion.doubt + ".";
    case Standing::nothing_faster:
      return nothing_faster(result, conclusion);
    case Standing::provisional:
      return provisional(result, conclusion);
    default:
      return confirmed(result, conclusion);
  }
}

std::string objective_sentence(const CampaignResult& result) {
  const ObjectiveWords& words = words_of(result);
  return words.metric.empty() || result.cells.size() < 2
             ? ""
             : std::string(" Better means ") + words.direction + " " + words.name +
                   ": that is the objective.";
}

}  // namespace

std::string headline(const CampaignResult& result) {
  const std::string place = on_cpu_text(result.machine);
  return conclusion_sentence(result) + objective_sentence(result) +
         (place.empty() ? "" : " " + place);
}

std::optional<stats::Number> objective_value(const CampaignResult& result,
                                             std::string_view cell,
                                             std::string_view stage) {
  const std::string metric = objective_metric(result.scenario, result.machine.device);
  if (metric.empty()) {
    return std::nullopt;
  }
  std::vector<double> values;
  const std::optional<double> flops =
      metric == "mfu" ? campaign::sample_flops(result) : std::nullopt;
  for (const campaign::TrialRecord* const trial :
       trials_of(completed_trials(result), cell, stage)) {
    const auto value = campaign::metric_value(metric,
                                              {.spec = trial->spec,
                                               .reply = *trial->outcome.reply,
                                               .device_joules = trial->outcome.device_joules,
                                               .sample_flops = flops});
    if (value) {
      values.push_back(*value);
    }
  }
  return estimate_of(values);
}

std::string verdict_word(const Confirmation& confirmation) {
  std::string word = confirmation.verdict;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return word;
}

std::string setting_text(const scenario::Cell& cell) {
  return setting_words({.id = cell.id, .changed = setting_of(cell.changed)});
}

std::string setting_text(const CampaignResult& result, const std::string& id) {
  const CellResult* const cell = result.find_cell(id);
  return cell == nullptr ? id : setting_text(cell->cell);
}

namespace {

std::string drawn_name(const std::string& id, const std::string& best, const std::string& setting) {
  return id == "baseline" ? id : id == best ? "best setting" : setting;
}

}  // namespace

std::string drawn_name(const result::Result& result, const std::string& id) {
  return drawn_name(id, result.summary.best.side.cell, setting_words(result, id));
}

std::string drawn_name(const CampaignResult& result, const std::string& id) {
  const CellResult* const best = conclude(result).best;
  return drawn_name(id, best == nullptr ? "" : best->cell.id, setting_text(result, id));
}

std::vector<const result::Cell*> baseline_and_best(const result::Result& result) {
  std::vector<const result::Cell*> shown;
  for (const std::string* const id :
       {&result.summary.baseline.cell, &result.summary.best.side.cell}) {
    if (const result::Cell* const cell = result.find_cell(*id)) {
      shown.push_back(cell);
    }
  }
  return shown;
}

}  // namespace tune::report
