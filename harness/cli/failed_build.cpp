#include "cli/failed_build.h"

#include "base/file.h"
#include "cli/answer.h"
#include "cli/commit.h"
#include "cli/output_wish.h"
#include "cli/step_summary.h"
#include "cli/version.h"
#include "report/gate_failed_build.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>

namespace tune::cli {

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
  build.command = request.words;
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

}  // namespace tune::cli
