#pragma once

#include "base/error.h"
#include "report/gate_pages.h"
#include "result/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::report {

/// A gate of two commits that ended before anything was measured: one of them was not built.
struct FailedBuild {
  result::Scenario scenario;
  std::string side;     ///< "baseline", "candidate"
  std::string verdict;  ///< the sentence that the terminal shows
  std::string output;   ///< the end of what the build printed; "" where nothing was started
  std::string version, commit, started_utc;  ///< of tune; ISO 8601
  std::vector<std::string> command;          ///< as typed
};

/// A comment on the change, with the marker of every gate of the scenario; what the build printed
/// is cut to fit the limit.
std::string to_markdown(const FailedBuild& build, std::size_t limit_bytes = kCommentLimitBytes);

/// report.html of it: the page of a gate, with the end of what the build printed.
std::string to_html(const FailedBuild& build);

/// What the formats of other programs read. There is no result.json of it: nothing was measured.
result::Result to_result(const FailedBuild& build);

/// What `--json` prints of it: gate_summary_json()'s fields as far as they are known, and the end
/// of what the build printed as `build_output`.
std::string failed_build_json(const FailedBuild& build,
                              const std::filesystem::path& directory,
                              ExitCode exit_code);

/// Writes report.html, report.md and junit.xml, so that what continuous integration shows of any
/// gate is there.
/// Throws tune::Error when one cannot be written.
void write_failed_build(const FailedBuild& build, const std::filesystem::path& directory);

}  // namespace tune::report
