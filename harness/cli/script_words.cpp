#include "cli/script_words.h"

#include "base/error.h"
#include "base/file.h"
#include "measure/runner/output_log.h"
#include "trial/worker_lines.h"

#include <iostream>
#include <utility>

namespace tune::cli {

namespace {

std::string printed_in(const std::filesystem::path& folder) {
  try {
    return read_file(folder / "stderr.log");
  } catch (const Error&) {
    return "";
  }
}

std::string last_wait(const std::filesystem::path& folder) {
  const std::string text = runner::printable(printed_in(folder));
  const std::size_t line = text.rfind("\n" + std::string(trial::kNoStepLine));
  return line == std::string::npos ? ""
                                   : text.substr(line + 1, text.find('\n', line + 1) - line - 1);
}

}  // namespace

std::string last_words(const std::filesystem::path& folder) {
  constexpr std::size_t kMost = 16 << 10;
  std::string text = printed_in(folder);
  if (text.size() > kMost) {
    const std::size_t line = text.find('\n', text.size() - kMost);
    text = text.substr(line == std::string::npos ? text.size() - kMost : line + 1);
  }
  return runner::printable(text) + (text.empty() || text.ends_with('\n') ? "" : "\n");
}

std::function<void()> tell_waits(const std::filesystem::path& folder) {
  return [folder, told = std::string()]() mutable {
    std::string line = last_wait(folder);
    if (!line.empty() && line != told) {
      told = std::move(line);
      std::cerr << "  " << told << "\n" << std::flush;
    }
  };
}

}  // namespace tune::cli
