// What was read of a trace and how, and how to do it again; also of several traces.

#include "base/units.h"
#include "report/number_text.h"
#include "report/run_facts.h"
#include "report/trace_notes.h"
#include "report/trace_sections.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestText = 300;
constexpr std::size_t kMostLines = 100;

using Facts = std::vector<std::pair<std::string, std::string>>;

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

Table facts_table(const profile::Timeline& timeline) {
  Facts facts;
  add_file(timeline, facts);
  add_devices(timeline, facts);
  add_metadata(timeline, facts);
  Table table{.caption = "What the trace says about itself", .columns = {{"fact"}, {"value"}}};
  table.rows.reserve(facts.size());
  for (const auto& [name, value] : facts) {
    table.rows.push_back({shortened(name, kLongestText), shortened(value, kLongestText)});
  }
  return table;
}

}  // namespace

std::vector<std::string> shown_lines(std::vector<std::string> lines) {
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

std::string reading_line(const TraceAnalysis& analysis) {
  const profile::ReadCost& cost = analysis.input.timeline.cost;
  constexpr double kMega = 1e6;
  const double seconds = static_cast<double>(std::max<std::int64_t>(analysis.read_ns, 1)) * 1e-9;
  const std::string packed = cost.compression == "none" ? "" : " (" + cost.compression + ")";
  return grouped(cost.rows) + " rows, " +
         number_text(static_cast<double>(cost.json_bytes) / kMega) + " MB of JSON" + packed +
         " in " + format_time(analysis.read_ns) + ": " +
         grouped(static_cast<std::int64_t>(static_cast<double>(cost.rows) / seconds)) +
         " rows/s, " + number_text(static_cast<double>(cost.json_bytes) / kMega / seconds) +
         " MB/s";
}

List analysis_method() {
  return {
      {("Steps are the rows ProfilerStep#N of the host. Each moment of a step belongs to the first "
        "of kernel, communication, memcpy, memset, runtime, data_loading and cpu_op that any row "
        "has at it, over all threads, streams and devices, else to other: in whole ns, so that the "
        "parts sum to the step exactly."),
       ("Exposed: nothing before it in that order ran at the same time. Overlapped: something did; "
        "what is overlapped gains nothing when it goes. The time of kernels added up is not wall "
        "time."),
       ("The trace was recorded with a profiler, whose own cost is in these times. What a change "
        "gains is only known when it is measured without one."),
       ("A share is an upper bound of what could be gained: other parts may grow when one shrinks, "
        "and who occupies a device or a thread need not be who caused the wait."),
       "What was not recorded is not known, and never a zero."}};
}

Section trace_method_section(const TraceAnalysis& analysis) {
  Section section{.title = "How it was computed, and from what"};
  section.add(analysis_method(), kInHtml)
      .add(facts_table(analysis.input.timeline), kInHtml)
      .add(Sentence{"Reading: " + reading_line(analysis) + "."}, kInHtml);
  const std::vector<std::string> all = note_lines(analysis, true);
  std::vector<std::string> lines = {reading_line(analysis)};
  lines.insert(lines.end(), all.begin(), all.end());
  section.add(List{std::move(lines)}, kInMarkdown);
  if (!all.empty()) {
    section.add(Folded{"What reading left out or repaired", {{List{shown_lines(all)}}}}, kInHtml);
  }
  return section;
}

Section analysis_reproduce_section(const AnalysisRecord& record) {
  Section section{.title = "Run it again"};
  return section.add(Code{command_line(record.command)})
      .add(Sentence{"tune " + one_line(record.tune_version) + ", commit " +
                    (record.commit.empty() ? "not known" : one_line(record.commit)) + "; started " +
                    one_line(record.started_utc) +
                    ". All numbers, also those that are not shown here, are in result.json "
                    "beside this page."});
}

Section trace_reproduce_section(const TraceAnalysis& analysis) {
  AnalysisRecord record;
  record.tune_version = analysis.tune_version;
  record.commit = analysis.commit;
  record.command = analysis.command;
  record.started_utc = analysis.started_utc;
  return analysis_reproduce_section(record);
}

}  // namespace tune::report
