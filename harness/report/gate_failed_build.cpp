#include "report/gate_failed_build.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "report/format/formats.h"
#include "report/gate_pages.h"
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
constexpr std::size_t kLongestLine = 300, kIndentBytes = 5;  // with its end
constexpr std::size_t kOutputLimitBytes = 40'000;  // of a comment, whose other parts are short
constexpr std::size_t kOtherPartsBytes = 12'000;   // at most, once marks are escaped
constexpr std::size_t kPageOutputLimitBytes = 200'000;
constexpr std::size_t kLongestText = 9'997;  // of a result::Result

bool is_candidate(const FailedBuild& build) {
  return build.side == "candidate";
}

// The end says why: what has no room is the begin.
std::string output_text(const std::string& output, std::size_t limit_bytes) {
  const std::string text = printable(output);
  std::string lines;
  std::size_t size_bytes = 0;
  std::size_t end = text.find_last_not_of('\n');
  while (end != std::string::npos) {
    const std::size_t before = text.rfind('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string line = shortened(text.substr(begin, end + 1 - begin), kLongestLine);
    size_bytes += line.size() + kIndentBytes;
    if (size_bytes > limit_bytes) {
      break;
    }
    lines.insert(0, line + (lines.empty() ? "" : "\n"));
    end = begin < 2 ? std::string::npos : begin - 2;
  }
  return lines;
}

}  // namespace

std::string to_markdown(const FailedBuild& build, std::size_t limit_bytes) {
  const std::size_t room_bytes = limit_bytes - std::min(limit_bytes, kOtherPartsBytes);
  const std::string output = output_text(build.output, std::min(kOutputLimitBytes, room_bytes));
  Section section;
  section.add(Headline{shortened(build.verdict, kLongestVerdict),
                       is_candidate(build) ? Mood::bad : Mood::undecided});
  if (output.empty()) {
    section.add(Sentence{"Nothing was measured."});
  } else {
    section.add(Sentence{"Nothing was measured. The end of what the build printed:"})
        .add(Code{output});
  }
  section.add(Sentence{"Run it again:"})
      .add(Code{shortened(command_line(build.command), kLongestVerdict)});
  return gate_page_head(build.scenario.name) + to_markdown(section.blocks);
}

std::string to_html(const FailedBuild& build) {
  GateRecord record;
  record.result = to_result(build);
  record.headline = record.result.gate->verdict + ": " + record.result.gate->why;
  record.result.provenance.command = build.command;
  const std::size_t size = build.output.size();
  record.build_output =
      build.output.substr(size - std::min(size, kPageOutputLimitBytes));  // its end says why
  return to_gate_html(record);
}

result::Result to_result(const FailedBuild& build) {
  result::Result result;
  result.kind = "gate";
  result.has_scenario = true;
  result.scenario.name = shortened(build.scenario.name, kLongestText);
  result.scenario.file = shortened(build.scenario.file, kLongestText);
  result.scenario.text = build.scenario.text;
  result.provenance.tune_version = build.version;
  result.provenance.commit.text = build.commit;
  result.provenance.started = build.started_utc;
  result::Gate gate;
  gate.verdict = is_candidate(build) ? "REGRESSED" : "INCONCLUSIVE";
  gate.end = is_candidate(build) ? "candidate-failed" : "baseline-failed";
  gate.why = gate.end_reason = shortened(build.verdict, kLongestText);
  result.gate = std::move(gate);
  return result;
}

std::string failed_build_json(const FailedBuild& build,
                              const std::filesystem::path& directory,
                              ExitCode exit_code) {
  const result::Gate gate = to_result(build).gate.value();
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
  make_folders(directory);
  write_file_synced(directory / "report.html", to_html(build));
  write_file_synced(directory / "report.md", to_markdown(build));
  write_file_synced(directory / "junit.xml", to_junit(to_result(build), {}));
}

}  // namespace tune::report
