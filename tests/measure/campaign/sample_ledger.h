#pragma once

#include "base/error.h"
#include "measure/campaign/ledger.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::campaign {

inline LedgerHeader make_header() {
  LedgerHeader header;
  header.tune_version = "0.1.0";
  header.scenario_text = "tune: 1\n\"quoted\" \xc3\xa9\n";
  header.seed = 18446744073709551615U;
  header.machine.cpu_model = "A CPU";
  header.machine.cgroup_cpus = 1.5;
  header.data.path = "/data/jpeg";
  header.command = {"tune", "run", "x.yaml"};
  header.started_utc = "2026-11-21T12:00:00Z";
  return header;
}

inline LoggedTrial make_trial(const std::string& id) {
  LoggedTrial trial;
  trial.id = id;
  trial.stage = "search";
  trial.cell = "c01";
  trial.round = 2;
  trial.outcome.kind = runner::OutcomeKind::crashed;
  trial.outcome.reason = "SIGSEGV in phase warmup";
  trial.outcome.stderr_tail = std::string("\xff\xfe broken\0bytes", 15);
  trial.outcome.start_ns = 5;
  trial.outcome.end_ns = 9;
  trial.outcome.arrivals = {{"setup", 6, 6}};
  return trial;
}

inline std::string ledger_of_three() {
  Sitting sitting;
  sitting.started_utc = "2026-11-21T12:00:01Z";
  sitting.start_ns = 3;
  return to_line(make_header()) + "\n" + sitting_start_line(sitting) + "\n" +
         to_line(make_trial("r1-c01")) + "\n" + to_line(make_trial("r2-c01")) + "\n";
}

/// The lines that are left out, each as "<number>: <why>".
inline std::vector<std::string> left_out(const std::string& text) {
  std::vector<std::string> lines;
  for (const LeftOutLine& line : parse_ledger(text, "ledger.jsonl").left_out) {
    lines.push_back(std::to_string(line.number) + ": " + line.why);
  }
  return lines;
}

/// Why a line is left out, of which there is one at most; else "".
inline std::string why_left_out(const std::string& text) {
  const std::vector<std::string> lines = left_out(text);
  EXPECT_LE(lines.size(), 1U) << text;
  return lines.empty() ? "" : lines.front();
}

inline std::string complaint(const std::string& text) {
  try {
    parse_ledger(text, "ledger.jsonl");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace tune::campaign
