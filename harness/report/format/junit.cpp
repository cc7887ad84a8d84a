#include "report/format/formats.h"
#include "report/format/stored_text.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestName = 300;
constexpr std::size_t kLongestMessage = 1000;

struct Case {
  enum class Kind { passed, failure, error, skipped };

  std::string name;
  Kind kind = Kind::passed;
  std::string head;  ///< of a failure, for lists
  std::string text;
  std::optional<double> seconds;
};

std::string seconds_text(double seconds) {
  constexpr double kMost = 1e9;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", std::clamp(seconds, 0.0, kMost));
  return text.data();
}

Case case_of(const result::Cell& cell) {
  Case found{.name = cell.setting + ": throughput"};
  const std::string reason = cell.outcome + (cell.reason.empty() ? "" : ": " + cell.reason);
  if (has_failed(cell)) {
    found.kind = Case::Kind::error;
    found.text = found.head = reason;
  } else if (!cell.throughput.value) {
    found.kind = Case::Kind::skipped;
    found.text = reason.empty() ? "not measured" : reason;
  } else {
    found.text = number_words(cell.throughput);
    if (cell.gain.value) {
      found.text += ", gain " + gain_words(cell.gain);
    }
    if (cell.rounds > 0) {
      found.text += " in " + counted(cell.rounds, "round");
    }
  }
  return found;
}

std::vector<Case> cases_of_run(const result::Result& result) {
  std::map<std::string, double> seconds;
  for (const result::Trial& trial : result.provenance.trials) {
    seconds[trial.cell] += trial.seconds.value_or(0);
  }
  std::vector<Case> cases;
  for (const result::Cell& cell : result.cells) {
    cases.push_back(case_of(cell));
    const auto took = seconds.find(cell.id);
    if (took != seconds.end()) {
      cases.back().seconds = took->second;
    }
  }
  if (!result.provenance.incomplete_reason.empty()) {
    cases.push_back({.name = "every trial that was promised",
                     .kind = Case::Kind::skipped,
                     .text = result.provenance.incomplete_reason});
  }
  return cases;
}

Case judged_case(const result::Gate& gate,
                 const std::string& name,
                 const std::string& verdict,
                 const std::string& text) {
  const bool is_open = verdict == "INCONCLUSIVE";
  const bool fails = verdict == "REGRESSED" || (is_open && gate.inconclusive == "fail");
  Case found{.name = name, .head = name + ": " + verdict, .text = text};
  if (fails && gate.mode != "warn" && gate.mode != "shadow") {
    found.kind = Case::Kind::failure;
  } else if (is_open && gate.inconclusive == "warn") {
    found.kind = Case::Kind::skipped;
  } else {
    found.text = verdict + ": " + text;
  }
  return found;
}

bool is_error(const std::string& end) {
  return end == "candidate-failed" || end == "baseline-failed" || end == "row-missing" ||
         end == "incomparable";
}

void add_anchor(const result::Gate& gate, std::vector<Case>& cases) {
  const result::GateAnchor& anchor = *gate.anchor;
  const std::string name = "the anchor, " + anchor.words;
  if (!anchor.skipped.empty()) {
    cases.push_back({.name = name, .kind = Case::Kind::skipped, .text = anchor.skipped});
    return;
  }
  for (const result::GateRow& row : anchor.rows) {
    cases.push_back(judged_case(gate, row.metric + " against " + name, row.verdict, sentence(row)));
  }
  if (is_error(anchor.end)) {
    const std::string& why = anchor.end_reason;
    cases.push_back(
        {.name = name, .kind = Case::Kind::error, .head = shortened(why, 200), .text = why});
  } else if (anchor.end != "judged") {
    cases.push_back(
        judged_case(gate, name, verdict_of_end(anchor.end, anchor.verdict), anchor.end_reason));
  }
}

std::vector<Case> cases_of_gate(const result::Gate& gate) {
  std::vector<Case> cases;
  for (const result::GateRow& row : gate.rows) {
    if (row.is_gated) {
      cases.push_back(judged_case(gate, row.metric, row.verdict, sentence(row)));
    }
  }
  const std::string why = gate.end_reason.empty() ? gate.why : gate.end_reason;
  if (is_error(gate.end)) {
    cases.push_back(
        {.name = "gate", .kind = Case::Kind::error, .head = shortened(why, 200), .text = why});
  } else if (gate.end.empty() ? cases.empty() : gate.end != "judged") {  // old ones do not say
    cases.push_back(judged_case(gate, "gate", verdict_of_end(gate.end, gate.verdict), why));
  }
  if (gate.anchor) {
    add_anchor(gate, cases);
  }
  return cases;
}

void add(const Case& found, const std::string& suite, Markup& xml) {
  Attributes attributes = {{"classname", "tune." + suite},
                           {"name", shortened(found.name, kLongestName)}};
  if (found.seconds) {
    attributes.emplace_back("time", seconds_text(*found.seconds));
  }
  const std::string text = shortened(found.text, kLongestMessage);
  const std::string head = shortened(found.head, kLongestName);
  xml.open("testcase", attributes);
  switch (found.kind) {
    case Case::Kind::passed:
      xml.leaf("system-out", text);
      break;
    case Case::Kind::failure:
      xml.leaf("failure", text, {{"message", head}});
      break;
    case Case::Kind::error:
      xml.leaf("error", text, {{"message", head}});
      break;
    case Case::Kind::skipped:
      xml.empty("skipped", {{"message", text}});
      break;
  }
  xml.close().line();
}

}  // namespace

std::string to_junit(const result::Result& result, const FormatOptions& /*options*/) {
  const std::vector<Case> cases = result.gate ? cases_of_gate(*result.gate) : cases_of_run(result);
  const std::string suite =
      result.scenario.name.empty() ? "unnamed" : shortened(result.scenario.name, kLongestName);
  const auto count = [&](Case::Kind kind) {
    return std::to_string(std::count_if(
        cases.begin(), cases.end(), [&](const Case& each) { return each.kind == kind; }));
  };
  Attributes attributes = {{"name", suite},
                           {"tests", std::to_string(cases.size())},
                           {"failures", count(Case::Kind::failure)},
                           {"errors", count(Case::Kind::error)},
                           {"skipped", count(Case::Kind::skipped)}};
  if (!result.provenance.started.empty()) {
    attributes.emplace_back("timestamp", shortened(result.provenance.started, 40));
  }
  if (result.provenance.elapsed) {
    attributes.emplace_back("time", seconds_text(*result.provenance.elapsed));
  }
  Markup xml;
  xml.open("testsuites", {{"name", "tune " + shortened(result.kind, 20)}}).line();
  xml.open("testsuite", attributes).line();
  for (const Case& found : cases) {
    add(found, suite, xml);
  }
  xml.close().line().close().line();
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml.finished();
}

}  // namespace tune::report
