// What a gate says of single pairs, those that were lost too.

#include "report/gate_row_words.h"
#include "report/gate_sections.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kMostPlots = 6;
constexpr std::size_t kLongestMetric = 80, kLongestReason = 300;

PairPlot plot_of(const GateRecord& record, const result::GateRow& row, std::size_t number) {
  PairPlot plot{.id = "pairs-" + std::to_string(number),
                .metric = row.metric,
                .pairs = changes_of(record.gate().pairs, row.metric),
                .change = row.delta,
                .judged = row.pairs,
                .budget = budget_change(row)};
  for (const result::GateLook& look : record.gate().looks) {
    plot.looks.push_back(look.pairs);
  }
  return plot;
}

const char* first_side(bool baseline_first) {
  return baseline_first ? "baseline" : "candidate";
}

// The numbers behind a drawing.
Table plotted_numbers(const GateRecord& record, const result::GateRow& row, const PairPlot& plot) {
  Table table{.caption = shortened(row.metric, kLongestMetric) + " of each pair",
              .columns = {{"pair"},
                          {"ran first"},
                          {"baseline", Align::right},
                          {"candidate", Align::right},
                          {"difference", Align::right}}};
  for (const PairChange& change : plot.pairs) {
    if (table.rows.size() == kMostListed) {
      break;
    }
    const result::GatePair& pair =
        record.gate().pairs.at(static_cast<std::size_t>(change.pair) - 1);
    table.rows.push_back({std::to_string(change.pair),
                          first_side(change.baseline_first),
                          value_words(pair.baseline.values.at(row.metric), row.unit),
                          value_words(pair.candidate.values.at(row.metric), row.unit),
                          gain_text(change.change)});
  }
  return table;
}

std::string slices_words(const result::GateProcess& process) {
  return std::to_string(process.clean_slices) + " of " +
         std::to_string(process.clean_slices + process.tainted_slices);
}

std::string disturbance_words(const result::GatePair& pair) {
  std::string text;
  for (const auto& [name, side] :
       {std::pair("baseline", &pair.baseline), std::pair("candidate", &pair.candidate)}) {
    if (!side->taint.empty()) {
      text += (text.empty() ? "" : "; ") + std::string(name) + ": " + side->taint;
    }
  }
  return shortened(text, kLongestReason);
}

std::string steadiness_words(const result::GateProcess& process) {
  const std::string text = process.steadiness_why.empty()
                               ? process.steadiness
                               : process.steadiness + ": " + process.steadiness_why;
  return shortened(text, kLongestReason);
}

Table conditions(const std::vector<result::GatePair>& pairs, std::string caption) {
  Table table{.caption = std::move(caption),
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
  if (!record.gate().has_pairs && record.gate().pair_count > 0) {
    return "What single pairs said was not kept by the version of tune that measured them (" +
           std::to_string(record.gate().pair_count) + " pairs).";
  }
  const result::Gate& gate = *record.result.gate;
  const std::string why = gate.end_reason.empty() ? "" : ": " + gate.end_reason;
  return "No pair of processes was measured" + why + ".";
}

void add_plots(const GateRecord& record, Section& section) {
  const auto rows = worst_first(record.result.gate->rows, true);
  std::size_t drawn = 0;
  for (const result::GateRow* row : rows) {
    if (drawn == kMostPlots) {
      break;
    }
    const PairPlot plot = plot_of(record, *row, drawn + 1);
    const auto drawing = gate_pair_plot(plot);
    if (!drawing) {
      continue;
    }
    ++drawn;
    section.add(Figure{{*drawing},
                       "Candidate against baseline, a mark a pair: a circle where the baseline ran "
                       "first, a diamond where the candidate did. The band is the interval over "
                       "the pairs that were judged, the dashed line across is the budget.",
                       "The pairs in numbers: " + shortened(row->metric, kLongestMetric),
                       plotted_numbers(record, *row, plot)});
  }
  if (drawn == 0) {
    section.add(Sentence{"No metric was judged that every pair has."});
  } else if (drawn < rows.size()) {
    section.add(Sentence{"Drawn are the worst " + std::to_string(drawn) + " of " +
                         std::to_string(rows.size()) + " metrics; result.json has all pairs."});
  }
}

void add_rest(const std::vector<result::GatePair>& pairs, Section& section) {
  if (pairs.size() > kMostListed) {
    section.add(Sentence{rest_sentence(pairs.size() - kMostListed, "pair")});
  }
}

}  // namespace

Section gate_pairs_section(const GateRecord& record) {
  Section section{.title = "Pairs in the order run"};
  if (record.gate().pairs.empty()) {
    section.add(Sentence{why_none(record)});
  } else {
    if (!record.gate().stored_baseline.empty()) {
      section.add(
          Sentence{"The processes of the baseline were not measured together with the "
                   "candidate: they are those of the stored baseline, in turn."});
    }
    add_plots(record, section);
    section.add(
        Folded{"What every pair was measured under",
               {{conditions(record.gate().pairs, "Slices and steady state of each pair")}}});
    add_rest(record.gate().pairs, section);
  }
  if (!record.gate().lost_pairs.empty()) {
    section.add(conditions(
        record.gate().lost_pairs,
        "Pairs that do not count: other work left one side no slice. They were measured again"));
    add_rest(record.gate().lost_pairs, section);
  }
  return section;
}

}  // namespace tune::report
