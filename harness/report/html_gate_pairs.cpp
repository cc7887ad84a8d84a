// The section of a gate's report.html that shows single pairs, those that were lost too.

#include "report/gate_row_words.h"
#include "report/html_gate_sections.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = RankedTable::Align;

constexpr std::size_t kMostPlots = 6;
constexpr std::size_t kLongestMetric = 80, kLongestReason = 300;

PairPlot plot_of(const GateRecord& record, const StoredGateRow& row, std::size_t number) {
  PairPlot plot{.id = "pairs-" + std::to_string(number),
                .metric = row.metric,
                .pairs = changes_of(record.pairs, row.metric),
                .change = row.delta.value,
                .lower = row.delta.lower,
                .upper = row.delta.upper,
                .judged = row.pairs,
                .budget = budget_change(row)};
  for (const GateLook& look : record.looks) {
    plot.looks.push_back(look.pairs);
  }
  return plot;
}

const char* first_side(bool baseline_first) {
  return baseline_first ? "baseline" : "candidate";
}

// The numbers behind a drawing.
Markup plotted_numbers(const GateRecord& record, const StoredGateRow& row, const PairPlot& plot) {
  HtmlTable table{.caption = shortened(row.metric, kLongestMetric) + " of each pair",
                  .columns = {{"pair"},
                              {"ran first"},
                              {"baseline", Align::right},
                              {"candidate", Align::right},
                              {"difference", Align::right}}};
  for (const PairChange& change : plot.pairs) {
    if (table.rows.size() == kMostListed) {
      break;
    }
    const GatePair& pair = record.pairs.at(static_cast<std::size_t>(change.pair) - 1);
    table.rows.push_back({std::to_string(change.pair),
                          first_side(change.baseline_first),
                          value_words(pair.baseline.values.at(row.metric), row.unit),
                          value_words(pair.candidate.values.at(row.metric), row.unit),
                          gain_text(change.change)});
  }
  return folded("The pairs in numbers: " + shortened(row.metric, kLongestMetric),
                html_table(table));
}

std::string slices_words(const GateProcess& process) {
  return std::to_string(process.clean_slices) + " of " +
         std::to_string(process.clean_slices + process.tainted_slices);
}

std::string disturbance_words(const GatePair& pair) {
  std::string text;
  for (const auto& [name, side] :
       {std::pair("baseline", &pair.baseline), std::pair("candidate", &pair.candidate)}) {
    if (!side->taint.empty()) {
      text += (text.empty() ? "" : "; ") + std::string(name) + ": " + side->taint;
    }
  }
  return shortened(text, kLongestReason);
}

std::string steadiness_words(const GateProcess& process) {
  const std::string text = process.steadiness_why.empty()
                               ? process.steadiness
                               : process.steadiness + ": " + process.steadiness_why;
  return shortened(text, kLongestReason);
}

HtmlTable conditions(const std::vector<GatePair>& pairs, std::string caption) {
  HtmlTable table{.caption = std::move(caption),
                  .columns = {{"pair"},
                              {"ran first"},
                              {"slices that count, baseline", Align::right},
                              {"slices that count, candidate", Align::right},
                              {"disturbed by"},
                              {"steady state, baseline"},
                              {"steady state, candidate"}}};
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostListed); ++i) {
    table.rows.push_back({std::to_string(i + 1),
                          first_side(pairs[i].baseline_first),
                          slices_words(pairs[i].baseline),
                          slices_words(pairs[i].candidate),
                          disturbance_words(pairs[i]),
                          steadiness_words(pairs[i].baseline),
                          steadiness_words(pairs[i].candidate)});
  }
  return table;
}

std::string why_none(const GateRecord& record) {
  if (!record.has_pairs && record.pair_count > 0) {
    return "What single pairs said was not kept by the version of tune that measured them (" +
           std::to_string(record.pair_count) + " pairs).";
  }
  const StoredGate& gate = *record.result.gate;
  const std::string why = gate.end_reason.empty() ? "" : ": " + gate.end_reason;
  return "No pair of processes was measured" + why + ".";
}

void append_plots(const GateRecord& record, Markup& html) {
  const auto rows = worst_first(record.result.gate->rows, true);
  std::size_t drawn = 0;
  for (const StoredGateRow* row : rows) {
    if (drawn == kMostPlots) {
      break;
    }
    const PairPlot plot = plot_of(record, *row, drawn + 1);
    const auto drawing = gate_pair_plot(plot);
    if (!drawing) {
      continue;
    }
    ++drawn;
    html.append(figure({*drawing},
                       "Candidate against baseline, a mark a pair: a circle where the baseline ran "
                       "first, a diamond where the candidate did. The band is the interval over "
                       "the pairs that were judged, the dashed line across is the budget."));
    html.append(plotted_numbers(record, *row, plot));
  }
  if (drawn == 0) {
    html.append(paragraph("No metric was judged that every pair has."));
  } else if (drawn < rows.size()) {
    html.append(paragraph("Drawn are the worst " + std::to_string(drawn) + " of " +
                          std::to_string(rows.size()) + " metrics; result.json has all pairs."));
  }
}

}  // namespace

Markup gate_pairs_section(const GateRecord& record) {
  Markup html;
  html.open("section").leaf("h2", "Pairs in the order run").line();
  if (record.pairs.empty()) {
    html.append(paragraph(why_none(record)));
  } else {
    if (!record.stored_baseline.empty()) {
      html.append(
          paragraph("The processes of the baseline were not measured beside the "
                    "candidate: they are those of the stored baseline, in turn."));
    }
    append_plots(record, html);
    html.append(
        folded("What every pair was measured under",
               html_table(conditions(record.pairs, "Slices and steady state of each pair"))));
    html.append(
        rest_in_json(record.pairs.size() - std::min(record.pairs.size(), kMostListed), "pair"));
  }
  if (!record.lost_pairs.empty()) {
    html.append(html_table(conditions(
        record.lost_pairs,
        "Pairs that do not count: other work left one side no slice. They were measured again")));
    html.append(rest_in_json(
        record.lost_pairs.size() - std::min(record.lost_pairs.size(), kMostListed), "pair"));
  }
  return html.close().line();
}

}  // namespace tune::report
