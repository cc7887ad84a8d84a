// The begin of report.html: what a reader needs without scrolling.

#include "base/units.h"
#include "report/cell_times.h"
#include "report/confirmation_text.h"
#include "report/failures.h"
#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/trial_steps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::Estimate;

constexpr std::size_t kMostChanges = 4, kLongestDoubt = 160;
constexpr std::size_t kLongestDescription = 300, kLongestName = 120;

bool has_fresh_pairs(const Conclusion& conclusion) {
  return conclusion.standing == Standing::too_few_pairs ||
         conclusion.standing == Standing::undecided ||
         conclusion.standing == Standing::not_faster || conclusion.standing == Standing::faster;
}

Card how_much(const CampaignResult& result, const Conclusion& conclusion) {
  Card fact{.name = "How much faster"};
  if (has_fresh_pairs(conclusion)) {
    const campaign::Confirmation& fresh = *result.confirmation;
    fact.values = {gain_text(fresh.gain.value)};
    fact.detail = number_text(fresh.best.value) + " against " + number_text(fresh.baseline.value) +
                  " samples/s";
  } else if (conclusion.best != nullptr && conclusion.best->gain) {
    fact.values = {gain_text(conclusion.best->gain->value)};
    fact.detail = "in the " + conclusion.best->stage + " only, which flatters the best of many";
  } else {
    fact.values = {"not known"};
    fact.detail = shortened(conclusion.doubt, kLongestDoubt);
  }
  return fact;
}

Card how_sure(const CampaignResult& result, const Conclusion& conclusion) {
  Card fact{.name = "How sure"};
  if (!has_fresh_pairs(conclusion)) {
    fact.values = {"not confirmed"};
    fact.detail = shortened(conclusion.doubt, kLongestDoubt);
    return fact;
  }
  const campaign::Confirmation& fresh = *result.confirmation;
  const std::string verdict = verdict_word(fresh);
  fact.values = {verdict.empty() ? "not decided yet" : verdict};
  fact.detail = gain_interval_text(fresh.gain);
  if (fresh.gain.lower && fresh.gain.upper) {
    fact.detail += " at " + confidence_text(fresh.gain.confidence) + " confidence";
  }
  fact.detail += ", " + counted(fresh.pairs, "fresh pair");
  return fact;
}

// "num_workers: 2 (was 0)"
std::vector<std::string> changes_of(const Conclusion& conclusion) {
  std::vector<std::string> changes;
  const trial::KnobSettings& now = conclusion.baseline->cell.knobs;
  for (const auto& [name, value] : conclusion.best->cell.changed) {
    const auto before = now.find(name);
    changes.push_back(
        fact_change(name,
                    trial::to_text(value),
                    before == now.end() ? "not set" : trial::to_text(before->second)));
  }
  return changes;
}

Card what_to_change(const Conclusion& conclusion) {
  Card fact{.name = "What to change"};
  if (conclusion.best == nullptr || conclusion.baseline == nullptr) {
    fact.values = {"nothing yet"};
    return fact;
  }
  std::vector<std::string> changes = changes_of(conclusion);
  const std::size_t all = changes.size();
  changes.resize(std::min(all, kMostChanges));
  if (conclusion.standing == Standing::faster && all > 0) {
    fact.values = std::move(changes);
  } else {
    fact.values = {"nothing is proven to pay"};
    fact.detail = "the best tried:";
    for (const std::string& change : changes) {
      fact.detail += " " + change;
      fact.detail += &change == &changes.back() ? "" : ",";
    }
  }
  if (all > kMostChanges) {
    fact.detail += (fact.detail.empty() ? "and " : " and ") + std::to_string(all - kMostChanges) +
                   " more, below";
  }
  return fact;
}

constexpr const char* kArrow = " \xE2\x86\x92 ";  // "to" would read as a range

// "58.3 -> 166.6" of the baseline and the best, one of them where there is no other.
template <class Text>
std::string from_to(const Conclusion& conclusion, Text text) {
  const std::string now =
      conclusion.baseline == nullptr ? "not measured" : text(*conclusion.baseline);
  return conclusion.best == nullptr ? now : now + kArrow + text(*conclusion.best);
}

std::string seconds_text(std::optional<double> seconds) {
  return seconds && std::isfinite(*seconds) ? format_seconds(*seconds) : "not measured";
}

// Of the fresh pairs where there are some, else of the rounds that rank.
std::optional<Estimate> rate_of(const CampaignResult& result,
                                const Conclusion& conclusion,
                                const CellResult& cell) {
  if (has_fresh_pairs(conclusion)) {
    return &cell == conclusion.baseline ? result.confirmation->baseline : result.confirmation->best;
  }
  return cell.throughput;
}

Card rate_tile(const CampaignResult& result, const Conclusion& conclusion) {
  const auto value = [&](const CellResult& cell) {
    const auto rate = rate_of(result, conclusion, cell);
    return rate ? number_text(rate->value) : std::string("not measured");
  };
  const auto interval = [&](const CellResult& cell) {
    const auto rate = rate_of(result, conclusion, cell);
    return rate ? interval_text(*rate) : std::string("no interval");
  };
  const std::string stage = has_fresh_pairs(conclusion)      ? "fresh pairs"
                            : conclusion.baseline == nullptr ? "no trial"
                                                             : conclusion.baseline->stage;
  return {"throughput, samples/s",
          {from_to(conclusion, value)},
          from_to(conclusion, interval) + ", " + stage};
}

// Of a step where both settings take as many samples at once, else of a sample.
Card step_tile(const CampaignResult& result, const Conclusion& conclusion) {
  constexpr double kSameSize = 0.01;
  const auto spread_of = [&](const CellResult* cell) {
    return cell == nullptr ? std::nullopt : step_spread(result, *cell);
  };
  const auto now = spread_of(conclusion.baseline), best = spread_of(conclusion.best);
  const bool of_sample =
      now && best && std::fabs(best->samples_per_step / now->samples_per_step - 1) > kSameSize;
  const auto text = [&](double StepSpread::*seconds) {
    const auto of = [&](const std::optional<StepSpread>& spread) {
      const double parts = spread && of_sample ? spread->samples_per_step : 1;
      return seconds_text(spread ? std::optional<double>((*spread).*seconds / parts)
                                 : std::nullopt);
    };
    return conclusion.best == nullptr ? of(now) : of(now) + kArrow + of(best);
  };
  std::string detail = "p99: " + text(&StepSpread::p99_s);
  if (of_sample) {
    detail += "; steps of " + grouped(std::llround(now->samples_per_step)) + kArrow +
              grouped(std::llround(best->samples_per_step)) + " samples";
  }
  return {of_sample ? "time of a step per sample, median" : "step time, median",
          {text(&StepSpread::median_s)},
          detail};
}

std::vector<Card> tiles_of(const CampaignResult& result, const Conclusion& conclusion) {
  const auto first_step = [&](const CellResult& cell) {
    return seconds_text(time_to_first_step_s(result, cell));
  };
  const auto memory = [](const CellResult& cell) {
    return cell.peak_memory_bytes ? format_bytes(*cell.peak_memory_bytes)
                                  : std::string("not measured");
  };
  const auto waiting = [&](const CellResult& cell) {
    const auto wait = estimate_of(cell_times(result, cell.cell.id).data_wait_ratios);
    return wait ? share_text(wait->value) : std::string("not measured");
  };
  return {
      rate_tile(result, conclusion),
      step_tile(result, conclusion),
      {"time to first step",
       {from_to(conclusion, first_step)},
       "from the start of the process, baseline to best"},
      {"peak memory", {from_to(conclusion, memory)}, "in the measured window, baseline to best"},
      {"waiting for data", {from_to(conclusion, waiting)}, "of the step, baseline to best"}};
}

}  // namespace

Markup answer_section(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  const std::string& description = result.scenario.description;
  Section section{.title = "tune report: " + shortened(result.scenario.name, kLongestName),
                  .is_begin = true};
  if (!description.empty()) {
    section.add(Sentence{.text = shortened(description, kLongestDescription), .is_quiet = true});
  }
  section.add(Headline{headline(result)})
      .add(Cards{
          {how_much(result, conclusion), how_sure(result, conclusion), what_to_change(conclusion)},
          Cards::Kind::facts})
      .add(Doubts{doubts_about(result)})
      .add(Cards{tiles_of(result, conclusion)})
      .add(Sentence{.text = effort(result) + ", started " + one_line(result.started_utc) + ".",
                    .is_quiet = true});
  return to_markup(section);
}

Markup change_section(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  Markup html;
  if (conclusion.best == nullptr || conclusion.baseline == nullptr) {
    return html;
  }
  html.section("What to change");
  if (conclusion.standing != Standing::faster) {
    html.append(paragraph("The best setting found, for the record; it is not a proven gain."));
  }
  HtmlTable table{.caption = "Knobs of the best setting that differ from the baseline",
                  .columns = {{"knob"}, {"baseline"}, {"best setting"}}};
  const auto& now = conclusion.baseline->cell.knobs;
  for (const auto& [name, value] : conclusion.best->cell.changed) {
    const auto before = now.find(name);
    table.rows.push_back(
        {one_line(name),
         before == now.end() ? "not set" : one_line(trial::to_text(before->second)),
         one_line(trial::to_text(value))});
  }
  return html.append(html_table(table)).close().line();
}

}  // namespace tune::report
