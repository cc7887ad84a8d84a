#include "cli/present_gate.h"

#include "base/file.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/embedded_texts.h"
#include "cli/keep_history.h"
#include "cli/output_wish.h"
#include "measure/gate/run_gate.h"
#include "report/gate_failed_build.h"
#include "report/gate_json.h"
#include "report/gate_pages.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_again.h"
#include "scenario/machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <unistd.h>

namespace tune::cli {

std::string gate_answer(const report::GateRecord& record,
                        const std::filesystem::path& directory,
                        const Terminal& terminal) {
  return report::to_gate_answer(record,
                                {.report = short_path(directory / "report.md"),
                                 .next = "tune report " + typed_path(directory) + " --open"},
                                painter_of(terminal));
}

std::string gate_plan(const gate::GateResult& result, bool is_stored) {
  const std::int64_t sides = is_stored ? 1 : 2;
  const std::int64_t process_ns = gate::expected_process_ns(result.candidate.spec);
  std::string text = "scenario        " + result.run.scenario.name + "\nbaseline        " +
                     one_line(result.baseline.words) + "\ncandidate       " +
                     one_line(result.candidate.words) + "\n";
  if (const std::string lost = scenario::lost_gpu_text(result.run.machine); !lost.empty()) {
    text += "note            " + one_line(lost) + "\n";
  }
  for (const std::string& note : result.run.scenario.notes) {
    text += "note            " + one_line(note) + "\n";
  }
  if (result.policy.structural_only) {
    return text + "processes       " + std::to_string(sides) + ", nothing is timed\n";
  }
  for (const gate::Budget& budget : result.policy.budgets) {
    text +=
        "metric          " + budget.metric + ", budget " + report::share_text(budget.ratio) + "\n";
  }
  text += "looks           ";
  for (const std::int64_t pairs : result.looks.pairs) {
    text += (pairs == result.looks.pairs.front() ? "" : ", ") + std::to_string(pairs);
  }
  text += (is_stored ? " fresh processes, each beside one of the baseline; alpha "
                     : " pairs of fresh processes; alpha ") +
          report::share_text(2 * result.looks.alpha) + " over all of them\n";
  text += "wall time       at least " +
          format_time(sides * process_ns * result.looks.pairs.front()) +
          " (decided at the first look) to " +
          format_time(sides * process_ns * result.looks.pairs.back()) + ", " +
          format_time(process_ns) + " a process\n";
  text += "detectable      " +
          (result.calibrated_mde ? report::share_text(*result.calibrated_mde) +
                                       " with 90 % power (" + result.calibration + ")"
                                 : "not known: " + result.calibration) +
          "\n";
  return text;
}

namespace {

// Not read as a scenario: what is wrong with it as well can wait until it builds.
result::Scenario scenario_of(const GateRequest& request, const std::string& name) {
  return {.name = name,
          .file = std::filesystem::absolute(request.file).lexically_normal().string(),
          .text = read_file(request.file)};
}

}  // namespace

ExitCode tell_failed_build(const revision::BuildFailed& error,
                           const gate::GateResult& named,
                           const GateRequest& request) {
  std::cerr << error.output() << error.what() << '\n';
  report::FailedBuild build;
  build.scenario = scenario_of(request, named.run.scenario.name);
  build.side = error.side();
  build.verdict = error.what();
  build.output = error.output();
  build.version = version();
  build.commit = commit();
  build.started_utc = named.run.started_utc;
  build.command = report::with_commits(request.words, {named.baseline.words});
  const std::filesystem::path& directory = named.run.directory;
  report::write_failed_build(build, directory);
  append_step_summary(request.outputs.step_summary, [&](std::size_t room_bytes) {
    return report::to_markdown(build, std::min(room_bytes, report::kCommentLimitBytes));
  });
  write_wished(request.outputs, report::to_result(build), directory);
  const ExitCode exit_code =
      error.side() == "baseline" ? ExitCode::incomparable : ExitCode::negative_verdict;
  if (request.as_json) {
    std::cout << report::failed_build_json(build, directory, exit_code) << std::flush;
  }
  std::cerr << "report:  " << short_path(directory / "report.md") << '\n';
  return exit_code;
}

ExitCode present_gate(const gate::GateResult& result, const GateRequest& request) {
  report::write_gate_reports(result);
  const report::GateRecord record = report::to_gate_record(result);
  note_in_history(result.run.directory);
  append_step_summary(request.outputs.step_summary, [&](std::size_t room_bytes) {
    return report::to_gate_markdown(record, std::min(room_bytes, report::kCommentLimitBytes));
  });
  write_wished(request.outputs, record.result, result.run.directory);
  std::cout << (request.as_json
                    ? report::gate_summary_json(result)
                    : gate_answer(
                          record, result.run.directory, look_at(STDOUT_FILENO, request.color)))
            << std::flush;
  return gate::exit_code(result);
}

}  // namespace tune::cli
