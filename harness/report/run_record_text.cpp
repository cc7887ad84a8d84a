#include "report/run_record_text.h"

#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace tune::report {

namespace {

constexpr std::size_t kLongestLine = 600, kLongestName = 120;

bool is_doubt(const result::Finding& finding) {
  return finding.state == "fired" && finding.group == "validity";
}

std::size_t count_of(const result::Result& record, const char* state) {
  return static_cast<std::size_t>(std::count_if(
      record.findings.begin(), record.findings.end(), [&](const result::Finding& finding) {
        return finding.state == state;
      }));
}

bool is_recommended(const result::Result& record, const std::string& rule) {
  const auto& all = record.recommendations;
  return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.rule == rule; });
}

}  // namespace

std::string short_text(const std::string& text) {
  constexpr std::size_t kLongest = 300;
  return shortened(text, kLongest);
}

std::string both(const std::string& first, const char* between, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + between + second;
}

std::vector<std::string> doubts_of(const result::Result& record) {
  constexpr std::size_t kMostWarnings = 50;  // of a page that must fit into 100 KB
  std::vector<std::string> doubts;
  if (!record.provenance.complete) {
    doubts.push_back("Promised work is missing: " +
                     (record.provenance.incomplete_reason.empty()
                          ? "the run was stopped"
                          : short_text(record.provenance.incomplete_reason)) +
                     ".");
  }
  std::set<std::string> told;
  std::size_t more = 0;
  for (const std::string& warning : record.warnings) {
    const auto [doubt, is_new] = told.insert(shortened(warning, kLongestLine));
    if (is_new && told.size() <= kMostWarnings) {
      doubts.push_back(*doubt);
    } else if (is_new) {
      ++more;
    }
  }
  if (more > 0) {
    doubts.push_back(counted(static_cast<std::int64_t>(more), "more warning") +
                     (more == 1 ? " is" : " are") + " in result.json.");
  }
  for (const result::Finding& finding : record.findings) {
    if (is_doubt(finding)) {
      doubts.push_back(shortened(
          both(finding.rule + ": " + finding.expression, "; ", finding.title), kLongestLine));
    }
  }
  return doubts;
}

std::vector<std::string> finding_lines(const result::Result& record) {
  std::vector<std::string> lines;
  for (const result::Finding& finding : record.findings) {
    if (finding.state != "fired" || is_doubt(finding) || is_recommended(record, finding.rule)) {
      continue;
    }
    std::string causes;
    for (const std::string& cause : finding.explained_by) {
      causes += (causes.empty() ? "explained by " : ", ") + cause;
    }
    lines.push_back(shortened(both(finding.rule + ": " + finding.expression,
                                   "; ",
                                   causes.empty() ? finding.title : causes),
                              kLongestLine));
  }
  if (!record.findings.empty()) {
    lines.push_back(counted(static_cast<std::int64_t>(record.findings.size()), "rule") + ": " +
                    std::to_string(count_of(record, "fired")) + " fired, " +
                    std::to_string(count_of(record, "quiet")) + " quiet, " +
                    std::to_string(count_of(record, "not-applicable")) + " not applicable");
  }
  return lines;
}

std::vector<std::string> change_lines(const result::Change& change) {
  std::vector<std::string> lines;
  for (const result::KnobChange& knob : change.knobs) {
    const std::string was = knob.from.empty() ? "" : " (was " + knob.from + ")";
    const std::string to = knob.to ? result::value_text(*knob.to) : "";
    lines.push_back("set " + short_text(knob.name) + ": " +
                    short_text(to.empty() ? "its value could not be computed" : to) +
                    short_text(was));
  }
  for (const auto& [name, text] : {std::pair("Python: ", &change.python),
                                   std::pair("C++: ", &change.cpp),
                                   std::pair("", &change.text)}) {
    if (!text->empty()) {
      lines.push_back(shortened(name + *text, kLongestLine));
    }
  }
  std::string variables;
  for (const std::string& assignments : change.environment) {
    variables += (variables.empty() ? "environment: " : ", or ") + assignments;
  }
  if (!variables.empty()) {
    lines.push_back(shortened(variables, kLongestLine));
  }
  return lines;
}

const result::Finding* finding_of(const result::Result& record, const std::string& rule) {
  const auto found = std::find_if(record.findings.begin(),
                                  record.findings.end(),
                                  [&](const result::Finding& each) { return each.rule == rule; });
  return found == record.findings.end() ? nullptr : &*found;
}

std::string title_of(const result::Result& record) {
  const std::string& kind = record.kind;
  const char* const command = kind == "analyze"     ? "tune analyze: "
                              : kind == "calibrate" ? "tune calibrate: "
                                                    : "tune report: ";
  const std::string& name = record.scenario.name;
  return command + (name.empty() ? "no name" : shortened(name, kLongestName));
}

std::string headline_of(const result::Result& record) {
  const result::Result& result = record;
  if (!result.summary.headline.empty()) {
    return shortened(result.summary.headline, kLongestLine);
  }
  return "This file holds no answer in one sentence.";
}

std::string what_is_missing(const result::Result& record) {
  const std::string by = record.provenance.tune_version.empty()
                             ? ""
                             : ", written by tune " + short_text(record.provenance.tune_version);
  const std::string directory =
      record.provenance.directory.empty()
          ? "the run directory"
          : "the run directory (" + short_text(record.provenance.directory) + ")";
  return "Made of result.json alone" + by +
         ": drawings of steps, curves of the machine and the "
         "output of trials that failed need " +
         directory + ".";
}

}  // namespace tune::report
