// What a gate says of what was compared.

#include "base/units.h"
#include "report/gate_sections.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestText = 300;

/// What both sides say under one name; "" where a side says nothing.
using Beside = std::map<std::string, std::pair<std::string, std::string>>;

template <class Named>
Beside beside(const Named& baseline, const Named& candidate) {
  Beside all;
  for (const auto& [name, value] : baseline) {
    all[name].first = result::value_text(value);
  }
  for (const auto& [name, value] : candidate) {
    all[name].second = result::value_text(value);
  }
  return all;
}

void add_fact(Table& table,
              const char* name,
              const std::string& baseline,
              const std::string& candidate) {
  if (!baseline.empty() || !candidate.empty()) {
    const auto said = [](const std::string& text) {
      return text.empty() ? "not known" : shortened(text, kLongestText);
    };
    table.rows.push_back({name, said(baseline), said(candidate)});
  }
}

Table sides_table(const GateRecord& record) {
  const result::GateSide &baseline = record.gate().baseline, &candidate = record.gate().candidate;
  Table table{.caption = "Both sides", .columns = {{"what"}, {"baseline"}, {"candidate"}}};
  const result::Gate& gate = *record.result.gate;
  add_fact(table, "in words", gate.baseline.words, gate.candidate.words);
  add_fact(table, "stored under", record.gate().stored_baseline, "");
  add_fact(table, "commit", baseline.commit, candidate.commit);
  add_fact(table, "model", baseline.model, candidate.model);
  add_fact(table, "worker (SHA-256)", baseline.worker_sha256, candidate.worker_sha256);
  add_fact(table, "data manifest (SHA-256)", baseline.data_sha256, candidate.data_sha256);
  return table;
}

Beside differing(Beside all) {
  std::erase_if(all, [](const auto& each) { return each.second.first == each.second.second; });
  return all;
}

// A row each name.
Table compared(const Beside& all, const char* name, std::string caption) {
  Table table{.caption = std::move(caption),
              .columns = {{name}, {"baseline"}, {"candidate"}, {"sides"}}};
  const auto said = [](const std::string& text) {
    return text.empty() ? "-" : shortened(text, kLongestText);
  };
  for (const auto& [key, texts] : all) {
    const auto& [before, after] = texts;
    if (table.rows.size() < kMostListed) {
      table.rows.push_back({shortened(key, kLongestText),
                            said(before),
                            said(after),
                            before == after ? "equal" : "differ"});
    }
  }
  table.left_out = all.size() - table.rows.size();
  table.row_word = name;
  return table;
}

// "Baseline: main. Candidate: HEAD. 22 processes in 12.3s, seed 7."
Sentence effort_of(const GateRecord& record) {
  constexpr std::size_t kLongestWords = 400;
  constexpr double kNsPerS = 1e9;
  const result::Result& result = record.result;
  const result::Gate& gate = *result.gate;
  const std::string time =
      result.provenance.elapsed
          ? " in " + format_time(std::llround(*result.provenance.elapsed * kNsPerS))
          : "";
  return {"Baseline: " + shortened(gate.baseline.words, kLongestWords) +
          ". Candidate: " + shortened(gate.candidate.words, kLongestWords) + ". " +
          std::to_string(result.provenance.trials.size()) + " processes" + time + ", seed " +
          (result.provenance.seed ? seed_text(result.provenance) : "not known") + "."};
}

void add_table(Table table, Section& section) {
  if (!table.rows.empty()) {
    section.add(std::move(table), kInHtml);
  }
}

}  // namespace

Section gate_sides_section(const GateRecord& record) {
  const result::Gate& gate = *record.result.gate;
  const Beside settings = beside(gate.baseline.knobs, gate.candidate.knobs);
  const Beside changed = differing(settings);
  const Table sides = sides_table(record);
  Section section{.title = "What was compared"};
  section.add(List{{"baseline:  " + gate.baseline.words, "candidate: " + gate.candidate.words}},
              kAsLines);
  section.add(effort_of(record), kInMarkdown);
  if (sides.rows.empty()) {
    section.add(Sentence{"What was compared was not recorded."}, kInHtml);
  }
  add_table(sides, section);
  if (changed.empty() && !settings.empty()) {
    section.add(Sentence{"All settings are equal."}, kInHtml);
  }
  add_table(compared(changed, "setting", "Settings in which the sides differ"), section);
  add_table(
      compared(beside(record.gate().baseline.files, record.gate().candidate.files),
               "file",
               "Files of the commits, or built of them, that decide what is measured (SHA-256)"),
      section);
  if (!settings.empty()) {
    section.add(
        Folded{"Every setting", {{compared(settings, "setting", "Every setting of both sides")}}},
        kInHtml);
  }
  return section;
}

}  // namespace tune::report
