#include "report/gate_failed_build.h"

#include "base/error.h"
#include "base/file.h"
#include "base/printable.h"
#include "report/format/formats.h"
#include "report/gate_markdown.h"
#include "report/gate_record.h"
#include "report/html_gate.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/run_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestVerdict = 2'000;
constexpr std::size_t kLongestLine = 300;
constexpr std::size_t kOutputLimitBytes = 40'000;  // of a comment, whose other parts are short
constexpr std::size_t kOtherPartsBytes = 12'000;   // at most, once marks are escaped
constexpr std::size_t kPageOutputLimitBytes = 200'000;
constexpr std::size_t kLongestText = 9'997;  // of a StoredResult

bool is_candidate(const FailedBuild& build) {
  return build.side == "candidate";
}

// Indented, it is text whatever it holds. The end says why: what has no room is the begin.
std::string output_text(const std::string& output, std::size_t limit_bytes) {
  const std::string text = printable(output);
  std::string lines;
  std::size_t end = text.find_last_not_of('\n');
  while (end != std::string::npos) {
    const std::size_t before = text.rfind('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string line =
        "    " + shortened(text.substr(begin, end + 1 - begin), kLongestLine) + "\n";
    if (lines.size() + line.size() > limit_bytes) {
      break;
    }
    lines.insert(0, line);
    end = begin < 2 ? std::string::npos : begin - 2;
  }
  return lines;
}

}  // namespace

std::string to_markdown(const FailedBuild& build, std::size_t limit_bytes) {
  const auto verdict =
      is_candidate(build) ? stats::GateVerdict::regressed : stats::GateVerdict::inconclusive;
  std::string page = gate_page_head(build.scenario.name) + verdict_sign(verdict) + " **" +
                     escape_markdown(shortened(build.verdict, kLongestVerdict)) +
                     "**\n\nNothing was measured.";
  const std::size_t room_bytes = limit_bytes - std::min(limit_bytes, kOtherPartsBytes);
  const std::string output = output_text(build.output, std::min(kOutputLimitBytes, room_bytes));
  if (!output.empty()) {
    page += " The end of what the build printed:\n\n" + output;
  } else {
    page += "\n";
  }
  return page + "\nRun it again:\n\n    " +
         shortened(command_line(build.command), kLongestVerdict) + "\n";
}

std::string to_html(const FailedBuild& build) {
  GateRecord record;
  record.result = to_stored_result(build);
  record.headline = record.result.gate->verdict + ": " + record.result.gate->why;
  record.run.command = build.command;
  record.run.scenario.has_seed = true;  // no process was put in order
  const std::size_t size = build.output.size();
  record.build_output =
      build.output.substr(size - std::min(size, kPageOutputLimitBytes));  // its end says why
  return to_gate_html(record);
}

StoredResult to_stored_result(const FailedBuild& build) {
  StoredResult result;
  result.kind = "gate";
  result.scenario.name = shortened(build.scenario.name, kLongestText);
  result.scenario.file = shortened(build.scenario.file, kLongestText);
  result.scenario.text = build.scenario.text;
  result.version = build.version;
  result.commit = build.commit;
  result.started = build.started_utc;
  StoredGate gate;
  gate.verdict = is_candidate(build) ? "REGRESSED" : "INCONCLUSIVE";
  gate.end = is_candidate(build) ? "candidate-failed" : "baseline-failed";
  gate.why = gate.end_reason = shortened(build.verdict, kLongestText);
  result.gate = std::move(gate);
  return result;
}

std::string failed_build_json(const FailedBuild& build,
                              const std::filesystem::path& directory,
                              ExitCode exit_code) {
  const StoredGate gate = to_stored_result(build).gate.value();
  const Json json = {{"schema", "tune-result/1"},
                     {"kind", "gate"},
                     {"directory", directory.string()},
                     {"gate",
                      {{"verdict", gate.verdict},
                       {"why", gate.why},
                       {"end", gate.end},
                       {"end_reason", gate.end_reason},
                       {"exit_code", static_cast<int>(exit_code)},
                       {"build_output", build.output}}}};
  return tune::escaped(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

void write_failed_build(const FailedBuild& build, const std::filesystem::path& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be made", failed.message(), ""});
  }
  write_file_synced(directory / "report.html", to_html(build));
  write_file_synced(directory / "report.md", to_markdown(build));
  write_file_synced(directory / "junit.xml", to_junit(to_stored_result(build), {}));
}

}  // namespace tune::report
