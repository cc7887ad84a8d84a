#include "report/gate_junit.h"

#include "report/gate_text.h"
#include "report/markup.h"

#include <array>
#include <cstdio>

namespace tune::report {

namespace {

using gate::GateResult;
using stats::GateVerdict;

std::string seconds(std::int64_t ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", static_cast<double>(ns) * 1e-9);
  return text.data();
}

class Suite {
 public:
  explicit Suite(const GateResult& result) : result_(result) {}

  void add(const std::string& name, GateVerdict verdict, const std::string& sentence) {
    ++cases_;
    xml_.open("testcase", {{"classname", "tune." + result_.run.scenario.name}, {"name", name}});
    const bool enforced = result_.policy.mode == gate::Mode::enforce;
    const bool fails = verdict == GateVerdict::regressed ||
                       (verdict == GateVerdict::inconclusive &&
                        result_.policy.inconclusive == gate::Inconclusive::fail);
    if (fails && enforced) {
      ++failures_;
      xml_.leaf("failure", sentence, {{"message", name + ": " + gate::verdict_word(verdict)}});
    } else if (verdict == GateVerdict::inconclusive &&
               result_.policy.inconclusive == gate::Inconclusive::warn) {
      ++skipped_;
      xml_.empty("skipped", {{"message", sentence}});
    } else {
      xml_.leaf("system-out", gate::verdict_word(verdict) + ": " + sentence);
    }
    xml_.close().line();
  }

  void add_error(const std::string& name, const std::string& sentence) {
    ++cases_;
    ++errors_;
    xml_.open("testcase", {{"classname", "tune." + result_.run.scenario.name}, {"name", name}});
    xml_.leaf("error", sentence, {{"message", shortened(sentence, 200)}});
    xml_.close().line();
  }

  std::string finish() const {
    Markup document;
    document.open("testsuites", {{"name", "tune gate"}})
        .line()
        .open("testsuite",
              {{"name", result_.run.scenario.name},
               {"tests", std::to_string(cases_)},
               {"failures", std::to_string(failures_)},
               {"errors", std::to_string(errors_)},
               {"skipped", std::to_string(skipped_)},
               {"timestamp", result_.run.started_utc},
               {"time", seconds(result_.run.elapsed_ns)}})
        .line()
        .append(xml_)
        .close()
        .line()
        .close()
        .line();
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.finished();
  }

 private:
  const GateResult& result_;
  Markup xml_;
  std::int64_t cases_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
};

}  // namespace

std::string to_gate_junit(const GateResult& result) {
  Suite suite(result);
  for (const gate::Row& row : result.rows) {
    suite.add(row.metric, row.verdict, row_sentence(row));
  }
  for (const gate::CountedRow& row : result.counted) {
    if (row.is_gated) {
      suite.add(row.metric, row.verdict, row_sentence(row));
    }
  }
  if (result.end == gate::End::candidate_failed || result.end == gate::End::baseline_failed ||
      result.end == gate::End::row_missing || result.end == gate::End::incomparable) {
    suite.add_error("gate", result.end_reason);
  } else if (result.end != gate::End::judged) {
    suite.add("gate", GateVerdict::inconclusive, result.end_reason);
  }
  return suite.finish();
}

}  // namespace tune::report
