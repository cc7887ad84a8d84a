// The begin of a page that is made of result.json alone.

#include "report/format/stored_text.h"
#include "report/html_parts.h"
#include "report/html_stored_sections.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/run_record_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostChanges = 4;

const result::Cell* cell_of(const result::Result& result, const std::string& id) {
  const auto found = std::find_if(result.cells.begin(),
                                  result.cells.end(),
                                  [&](const result::Cell& cell) { return cell.id == id; });
  return found == result.cells.end() ? nullptr : &*found;
}

std::string value_in(const result::Setting& setting, const std::string& knob) {
  for (const auto& [name, value] : setting) {
    if (name == knob) {
      return result::value_text(value);
    }
  }
  return "not set";
}

// "num_workers: 2 (was 0)" of the best setting.
std::vector<std::string> changes_of(const result::Result& result) {
  const result::Cell* const best = cell_of(result, result.summary.best.side.cell);
  const result::Cell* const baseline = cell_of(result, "baseline");
  std::vector<std::string> changes;
  if (best == nullptr) {
    return changes;
  }
  for (const auto& [knob, value] : best->changed) {
    std::optional<std::string> was;
    if (baseline != nullptr) {
      was = value_in(baseline->knobs, knob);
    }
    changes.push_back(fact_change(knob, value_in(best->knobs, knob), was));
  }
  return changes;
}

std::string sure_text(const result::Result& record) {
  const result::Number& gain = record.summary.best.gain;
  std::string text = gain_words(gain);
  text += gain.n > 0 ? ", " + counted(gain.n, "fresh pair") : "";
  return short_text(text);
}

Cards facts_of(const result::Result& record) {
  const result::Number& gain = record.summary.best.gain;
  const result::Number &now = record.summary.baseline.throughput,
                       &best = record.summary.best.side.throughput;
  std::vector<std::string> changes = changes_of(record);
  const std::size_t all = changes.size();
  changes.resize(std::min(all, kMostChanges));
  const bool is_proven = record.summary.best.verdict == "CONFIRMED";
  std::string detail =
      all > kMostChanges ? "and " + std::to_string(all - kMostChanges) + " more" : "";
  if (!is_proven) {
    detail = changes.empty() ? "" : "the best tried: " + both(changes.front(), " ", detail);
    changes = {"nothing is proven to pay"};
  }
  const std::string rates = now.value && best.value ? number_text(*best.value) + " against " +
                                                          number_text(*now.value) + " samples/s"
                                                    : "";
  const std::string verdict = record.summary.best.verdict.empty()
                                  ? "not confirmed"
                                  : short_text(record.summary.best.verdict);
  return {{{"How much faster", {gain.value ? gain_text(*gain.value) : "not known"}, rates},
           {"How sure", {verdict}, sure_text(record)},
           {"What to change", std::move(changes), std::move(detail)}},
          Cards::Kind::facts};
}

}  // namespace

Markup stored_answer_section(const result::Result& record) {
  Section section{.title = title_of(record), .is_begin = true};
  if (!record.scenario.description.empty()) {
    section.add(Sentence{.text = short_text(record.scenario.description), .is_quiet = true});
  }
  section.add(Headline{headline_of(record)});
  if (record.kind == "run") {
    section.add(facts_of(record));
  }
  const std::string& started = record.provenance.started;
  section.add(Doubts{doubts_of(record)})
      .add(Sentence{.text = what_is_missing(record) +
                            (started.empty() ? "" : " Measured " + short_text(started) + "."),
                    .is_quiet = true});
  return to_markup(section);
}

}  // namespace tune::report
