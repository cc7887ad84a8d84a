// What fresh pairs say of the settings that were confirmed.

#include "base/text.h"
#include "base/units.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "report/script_words.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr double kNotablePosition = 0.02;
constexpr std::size_t kMostCells = 200;  // a run confirms three
constexpr std::size_t kLongestLine = 800;

std::string points(double difference) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%+.1f points", 100 * difference);
  return text.data();
}

std::string slices_text(const result::SliceCounts& slices) {
  return slices.tainted + slices.baseline_tainted == 0
             ? ""
             : "; left out because others used the CPUs: " + std::to_string(slices.tainted) +
                   " of " + counted(slices.clean + slices.tainted, "slice") + ", " +
                   std::to_string(slices.baseline_tainted) + " of " +
                   counted(slices.baseline_clean + slices.baseline_tainted, "slice") +
                   " of the baseline";
}

std::string unsteady_text(const result::Confirmation& row) {
  const std::string setting = steadiness_words(row.steadiness, "trials of the setting");
  const std::string baseline = steadiness_words(row.baseline_steadiness, "trials of the baseline");
  return (setting.empty() ? "" : "; " + setting) + (baseline.empty() ? "" : "; " + baseline);
}

// Gain, verdict, what the search had promised, losses and the order of the pairs.
std::string line_of(const result::Result& result, const result::Confirmation& row) {
  const std::string begin = setting_words(result, row.cell) + ": ";
  if (row.pairs == 0 || !row.gain.value) {
    return begin + "no pair completed";
  }
  std::string text = begin + gain_text(*row.gain.value) + ", " + gain_interval_text(row.gain) +
                     " in " + counted(row.gain.n, "fresh pair");
  text += row.verdict.empty() ? ", no verdict" : ", " + row.verdict;
  text += row.why.empty() ? "" : " (" + row.why + ")";
  if (row.search_gain && std::isfinite(*row.search_gain)) {
    text += "; the search had shown " + gain_text(*row.search_gain) + " (" +
            points(*row.gain.value - *row.search_gain) + ")";
  }
  text += slices_text(row.slices) + unsteady_text(row);
  if (row.position_effect && std::abs(*row.position_effect) > kNotablePosition) {
    text += "; running second costs " + gain_text(*row.position_effect) + " of the time";
  }
  text += row.losses.empty() ? "" : "; losses " + row.losses;
  return row.form ? text + "; the pairs ran " + form_words(*row.form) : text;
}

// Beside a whole one, where it was run.
std::string line_of(const result::Result& result, const campaign::EpochResult& epoch) {
  std::string text = "epoch: " + setting_words(result, epoch.cell) + ", ";
  if (!epoch.computed) {
    return text + "not computed: " + epoch.reason;
  }
  const stats::Number& computed = *epoch.computed;
  text += format_seconds(*computed.value) + " computed";
  if (computed.lower && computed.upper) {
    text += " (" + format_seconds(*computed.lower) + " to " + format_seconds(*computed.upper) + ")";
  }
  text += " from " + counted(computed.n, "trial");
  text += epoch.warning.empty()
              ? ", of which " + format_seconds(epoch.begin_s) + " for the start of an epoch"
              : " (" + epoch.warning + ")";
  return epoch.check
             ? text + "; a whole one took " + format_seconds(epoch.check->measured_s) + ", " +
                   format_seconds(epoch.check->estimated_s) + " computed in the same process (" +
                   gain_text(epoch.check->difference()) + ")"
             : text + "; no whole one was run: " + epoch.reason;
}

std::string text_of(const result::Look& look) {
  constexpr double kNone = std::numeric_limits<double>::infinity();  // with too few pairs
  std::array<char, 400> text{};
  std::snprintf(text.data(),
                text.size(),
                "%lld pairs, alpha %.4f (%.4f so far): %+.1f %% [%+.1f, %+.1f] %%, p %.2g, ",
                static_cast<long long>(look.pairs),
                look.alpha,
                look.alpha_total,
                100 * look.value.value_or(std::numeric_limits<double>::quiet_NaN()),
                100 * look.lower.value_or(-kNone),
                100 * look.upper.value_or(kNone),
                look.p);
  return text.data() + look.verdict;
}

void add_looks(const result::Result& result, const result::Confirmation& row, Section& section) {
  const std::string setting = setting_words(result, row.cell);
  Table table{.caption = "Looks at " + setting +
                         ": nothing is decided between them, and each spends certainty",
              .columns = {{"look"}}};
  List list;
  for (const result::Look& look : row.looks) {
    table.rows.push_back({text_of(look)});
    list.items.push_back("look at " + setting + ": " + table.rows.back().front());
  }
  if (!table.rows.empty()) {
    section.add(std::move(table), kInHtml).add(std::move(list), kInMarkdown);
  }
}

List labelled(const std::vector<std::string>& lines) {
  List list;
  for (const std::string& line : lines) {
    list.items.push_back("fresh pairs: " + shortened(line, kLongestLine));
  }
  return list;
}

}  // namespace

Section run_confirmation_section(const Run& run) {
  const auto& rows = run.result.confirmations;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(rows.size(), kMostCells); ++i) {
    lines.push_back(line_of(run.result, rows[i]));
  }
  if (run.directory != nullptr) {
    for (const campaign::EpochResult& epoch : run.directory->epochs) {
      lines.push_back(line_of(run.result, epoch));
    }
  }
  Section section{.title = "Fresh pairs"};
  if (lines.empty()) {
    return section;
  }
  section.add(labelled(lines), kInMarkdown).add(List{lines}, kInHtml);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostCells); ++i) {
    add_looks(run.result, rows[i], section);
  }
  return section;
}

}  // namespace tune::report
