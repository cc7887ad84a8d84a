// The section of a gate's report.html that says what was compared.

#include "report/html_gate_sections.h"
#include "report/html_parts.h"
#include "report/html_table.h"

#include <algorithm>
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

Beside beside(const StoredSetting& baseline, const StoredSetting& candidate) {
  Beside all;
  for (const auto& [name, text] : baseline) {
    all[name].first = text;
  }
  for (const auto& [name, text] : candidate) {
    all[name].second = text;
  }
  return all;
}

void add_fact(HtmlTable& table,
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

HtmlTable sides_table(const GateRecord& record) {
  const GateSide &baseline = record.baseline, &candidate = record.candidate;
  HtmlTable table{.caption = "Both sides", .columns = {{"what"}, {"baseline"}, {"candidate"}}};
  const StoredGate& gate = *record.result.gate;
  add_fact(table, "in words", gate.baseline.words, gate.candidate.words);
  add_fact(table, "stored under", record.stored_baseline, "");
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

// A row each name; nothing without one.
Markup compared(const Beside& all, const char* name, std::string caption) {
  HtmlTable table{.caption = std::move(caption),
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
  return all.empty() ? Markup()
                     : html_table(table).append(rest_in_json(all.size() - table.rows.size(), name));
}

}  // namespace

Markup gate_sides_section(const GateRecord& record) {
  const StoredGate& gate = *record.result.gate;
  const Beside settings = beside(gate.baseline.whole_setting, gate.candidate.whole_setting);
  const Beside changed = differing(settings);
  Markup html;
  html.open("section").leaf("h2", "What was compared").line();
  const HtmlTable sides = sides_table(record);
  html.append(sides.rows.empty() ? paragraph("What was compared was not recorded.")
                                 : html_table(sides));
  if (changed.empty() && !settings.empty()) {
    html.append(paragraph("All settings are equal."));
  }
  html.append(compared(changed, "setting", "Settings in which the sides differ"));
  html.append(
      compared(beside(record.baseline.files, record.candidate.files),
               "file",
               "Files of the commits, or built of them, that decide what is measured (SHA-256)"));
  if (!settings.empty()) {
    html.append(
        folded("Every setting", compared(settings, "setting", "Every setting of both sides")));
  }
  return html.close().line();
}

}  // namespace tune::report
