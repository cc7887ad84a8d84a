// What a gate says of its second comparison.

#include "report/gate_row_words.h"
#include "report/gate_sections.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kLongestWords = 200, kLongestMetric = 80, kLongestWhy = 600;
constexpr std::size_t kLongestItem = 400;

Table whole_table(const result::GateAnchor& anchor) {
  Table table{.caption = "The worst first. Change: candidate against the anchor.",
              .columns = {{"metric"},
                          {"anchor", Align::right},
                          {"candidate", Align::right},
                          {"change", Align::right},
                          {"interval", Align::right},
                          {"budget", Align::right},
                          {"verdict"},
                          {"detectable", Align::right},
                          {"pairs", Align::right}}};
  for (const result::GateRow* const row : worst_first(anchor.rows, true)) {
    if (table.rows.size() == kMostListed) {
      break;
    }
    table.rows.push_back({shortened(row->metric, kLongestMetric),
                          value_words(row->baseline, row->unit),
                          value_words(row->candidate, row->unit),
                          gain_text(row->delta.value),
                          interval_words(row->delta),
                          share_or(row->budget, "none"),
                          row->verdict,
                          share_or(row->mde, "not known"),
                          std::to_string(row->pairs)});
  }
  table.left_out = anchor.rows.size() - std::min(anchor.rows.size(), kMostListed);
  return table;
}

// Whether the verdict is that of a row, as gate::is_of_rows() has it.
bool is_of_rows(const result::GateAnchor& anchor) {
  const bool is_void = anchor.end == "candidate-failed" || anchor.end == "incomparable";
  return anchor.end == "judged" || (!is_void && anchor.verdict == "REGRESSED");
}

// "REGRESSED: throughput -6.1 % [-6.6, -5.5] % in 10 pairs, budget 5.0 %", or why it was not
// compared.
std::string verdict_line(const result::GateAnchor& anchor) {
  if (!anchor.skipped.empty()) {
    return "not compared: " + anchor.skipped;
  }
  const result::GateRow* const row =
      is_of_rows(anchor) ? deciding_row(anchor.rows, anchor.verdict) : nullptr;
  return anchor.verdict + ": " + (row != nullptr ? deciding_words(*row) : anchor.why) +
         (anchor.end != "judged" && is_of_rows(anchor)
              ? "; the gate ended early: " + anchor.end_reason
              : "");
}

const std::string& reason_of(const result::GateAnchor& anchor) {
  return anchor.why.empty() ? anchor.end_reason : anchor.why;
}

std::string verdict_sentence(const result::GateAnchor& anchor) {
  return anchor.skipped.empty()
             ? anchor.verdict + ": " + shortened(reason_of(anchor), kLongestWhy) + "."
             : "It was not compared: " + shortened(anchor.skipped, kLongestWhy) + ".";
}

// What a command prints at its end.
void add_answer(const result::GateAnchor& anchor, Section& section) {
  section.add(Sentence{"against the anchor, " + anchor.words}, kInTerminal);
  if (!anchor.rows.empty()) {
    section.add(table_of_rows(anchor.rows), kInTerminal);
  }
  section.add(List{{verdict_line(anchor), anchor.move}}, kInTerminal);
}

void add_text(const result::GateAnchor& anchor, Section& section) {
  section.add(Sentence{"anchor:    " + anchor.words}, kInText)
      .add(Doubts{anchor.warnings}, kInText)
      .add(Sentence{anchor.skipped.empty()
                        ? "against the anchor: " + anchor.verdict + ": " + reason_of(anchor)
                        : "not compared with the anchor: " + anchor.skipped},
           kInText);
  if (!anchor.move.empty()) {
    section.add(Sentence{anchor.move}, kInText);
  }
}

void add_markdown(const result::GateAnchor& anchor, Section& section) {
  const auto cut = [](const std::string& text) { return shortened(text, kLongestItem); };
  section.add(Heading{"Against the anchor, " + cut(anchor.words)}, kInMarkdown);
  if (!anchor.rows.empty()) {
    add_folding(table_of_rows(anchor.rows), kInMarkdown, section);
  }
  List list{{cut(verdict_line(anchor))}};
  for (const result::GateRow& row : anchor.rows) {
    list.items.push_back(cut(row.metric) + ": " + cut(row.why));
  }
  for (const std::string& warning : anchor.warnings) {
    list.items.push_back("Warning: " + cut(warning));
  }
  list.items.push_back(cut(anchor.move));
  section.add(std::move(list), kInMarkdown);
}

void add_html(const result::GateAnchor& anchor, Section& section) {
  section.add(Sentence{"Anchor: " + shortened(anchor.words, kLongestWords) +
                       ". What many changes cost together, each within its own budget."},
              kInHtml);
  if (!anchor.rows.empty()) {
    section.add(whole_table(anchor), kInHtml);
  }
  section.add(Sentence{verdict_sentence(anchor)}, kInHtml);
  if (!anchor.move.empty()) {
    section.add(Sentence{"Next: " + shortened(anchor.move, kLongestWhy) + "."}, kInHtml);
  }
  section.add(List{anchor.warnings}, kInHtml);
  if (!anchor.directory.empty()) {
    section.add(Sentence{.text = "Its pairs and looks are in anchor/report.html, beside this page.",
                         .is_quiet = true},
                kInHtml);
  }
}

}  // namespace

Section gate_anchor_section(const GateRecord& record) {
  Section section{.title = "Against the anchor"};
  if (const auto& anchor = record.result.gate->anchor) {
    add_answer(*anchor, section);
    add_text(*anchor, section);
    add_markdown(*anchor, section);
    add_html(*anchor, section);
  }
  return section;
}

}  // namespace tune::report
