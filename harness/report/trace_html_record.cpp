// Sections that say what is not known, what was read and how, and how to do it again.

#include "base/units.h"
#include "report/analysis_method.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/trace_notes.h"
#include "report/trace_sections.h"
#include "report/trace_text.h"

#include <algorithm>
#include <utility>

namespace tune::report {

namespace {

constexpr std::size_t kLongestText = 300;
constexpr std::size_t kMostLines = 100;

using Facts = std::vector<std::pair<std::string, std::string>>;

// The first lines, each cut; how many are missing is the last.
std::vector<std::string> first_lines(std::vector<std::string> lines) {
  const std::size_t count = lines.size();
  lines.resize(std::min(count, kMostLines));
  for (std::string& line : lines) {
    line = shortened(line, kLongestText);
  }
  if (count > lines.size()) {
    lines.push_back(std::to_string(count - lines.size()) + " more in result.json");
  }
  return lines;
}

void add_file(const profile::Timeline& timeline, Facts& facts) {
  const profile::ReadCost& cost = timeline.cost;
  facts.emplace_back("file", timeline.file);
  facts.emplace_back("size",
                     format_bytes(cost.file_bytes) +
                         (cost.compression == "none" ? "" : ", " + cost.compression) + "; " +
                         format_bytes(cost.json_bytes) + " of JSON");
  facts.emplace_back("rows", grouped(cost.rows));
  facts.emplace_back("rank",
                     timeline.rank.rank ? std::to_string(*timeline.rank.rank)
                                        : "not known: neither distributedInfo nor the name says");
}

void add_devices(const profile::Timeline& timeline, Facts& facts) {
  constexpr std::size_t kMostDevices = 16;
  if (timeline.devices.empty()) {
    facts.emplace_back("devices", "not known: the trace has no deviceProperties");
  }
  for (std::size_t i = 0; i < std::min(timeline.devices.size(), kMostDevices); ++i) {
    const profile::DeviceProperties& device = timeline.devices[i];
    std::string text = device.name.empty() ? "no name" : device.name;
    text += device.memory_bytes > 0 ? ", " + format_bytes(device.memory_bytes) : "";
    text +=
        device.multiprocessors > 0 ? ", " + counted(device.multiprocessors, "multiprocessor") : "";
    facts.emplace_back("device " + std::to_string(device.id), std::move(text));
  }
}

void add_metadata(const profile::Timeline& timeline, Facts& facts) {
  for (const auto& [name, value] : timeline.metadata) {
    if (facts.size() < kMostLines) {
      facts.emplace_back(name, value);
    }
  }
}

Markup facts_table(const profile::Timeline& timeline) {
  Facts facts;
  add_file(timeline, facts);
  add_devices(timeline, facts);
  add_metadata(timeline, facts);
  HtmlTable table{.caption = "What the trace says about itself", .columns = {{"fact"}, {"value"}}};
  table.rows.reserve(facts.size());
  for (const auto& [name, value] : facts) {
    table.rows.push_back({shortened(name, kLongestText), shortened(value, kLongestText)});
  }
  return html_table(table);
}

}  // namespace

Markup trace_unknown_section(const TraceAnalysis& analysis) {
  Markup html;
  html.section("What could not be known, and why");
  const std::vector<std::string> lines = first_lines(unknown_lines(analysis));
  html.append(lines.empty() ? paragraph("Every metric has a value.") : bullets(lines));
  return html.close().line();
}

Markup trace_method_section(const TraceAnalysis& analysis) {
  Markup html;
  html.section("How it was computed, and from what");
  html.append(bullets(analysis_method_lines()));
  html.append(facts_table(analysis.input.timeline));
  html.append(paragraph("Reading: " + reading_line(analysis) + "."));
  const std::vector<std::string> notes = first_lines(note_lines(analysis));
  if (!notes.empty()) {
    html.append(folded("What reading left out or put right", bullets(notes)));
  }
  return html.close().line();
}

Markup trace_reproduce_section(const TraceAnalysis& analysis) {
  AnalysisRecord record;
  record.tune_version = analysis.tune_version;
  record.commit = analysis.commit;
  record.command = analysis.command;
  record.started_utc = analysis.started_utc;
  return analysis_reproduce_section(record);
}

}  // namespace tune::report
