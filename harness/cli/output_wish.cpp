#include "cli/output_wish.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/flags.h"
#include "cli/terminal.h"
#include "report/format/all_formats.h"
#include "report/markdown.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

constexpr std::size_t kLeastBytes = 2'001;  // a headline and what it needs

// Whoever complains of a file says where its name comes from.
struct Place {
  std::string file, source;
};

Place place_of(const std::string& wish) {
  if (wish != "auto") {
    return {.file = wish == "none" ? "" : wish, .source = " (--step-summary)\n"};
  }
  const char* const file = std::getenv("GITHUB_STEP_SUMMARY");
  return {.file = file == nullptr ? "" : file,
          .source = " (from environment variable GITHUB_STEP_SUMMARY)\n"};
}

}  // namespace

void append_step_summary(const std::string& wish,
                         const std::function<std::string(std::size_t room_bytes)>& page) {
  const auto& [file, source] = place_of(wish);
  if (file.empty()) {
    return;
  }
  std::error_code is_new;
  const std::uintmax_t size = std::filesystem::file_size(file, is_new);
  const std::size_t used = is_new ? 0 : static_cast<std::size_t>(size);
  if (used + kLeastBytes > report::kStepSummaryLimitBytes) {
    std::cerr << file << ": is full, nothing was added" << source;
    return;
  }
  const std::size_t room = report::kStepSummaryLimitBytes - used;
  const std::string text = page(room - 1);  // and the end of its last line
  if (text.size() + 1 > room) {
    std::cerr << file << ": has no room for this report" << source;
    return;
  }
  std::ofstream out(file, std::ios::app);
  out << text << "\n";
  if (!out.flush()) {
    std::cerr << file << ": cannot be written" << source;
  }
}

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const report::OutsideFormat& format : report::all_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

std::vector<std::string> wished_formats(const OutputWish& wish) {
  std::vector<std::string> names;
  std::istringstream list(wish.formats);
  for (std::string name; std::getline(list, name, ',');) {
    expect_word("--files", name, format_names());
    names.push_back(name);
  }
  return names;
}

// Flag, which is the format's name as well, and file.
std::vector<std::pair<std::string_view, const std::string*>> files_of(const OutputWish& wish) {
  std::vector<std::pair<std::string_view, const std::string*>> files;
  for (const auto& [flag, file] : {std::pair("junit", &wish.junit),
                                   std::pair("sarif", &wish.sarif),
                                   std::pair("openmetrics", &wish.openmetrics)}) {
    if (!file->empty()) {
      files.emplace_back(flag, file);
    }
  }
  return files;
}

// Paths in annotations and SARIF are seen from the repository, which is where commands run in CI.
report::FormatOptions options_here() {
  std::error_code failed;
  const auto here = std::filesystem::current_path(failed);
  return {.root = failed ? "" : here.string()};
}

bool is_true(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "true";
}

// Where remarks go that nobody has sent elsewhere.
std::string annotation_of(const OutputWish& wish) {
  if (wish.annotate != "auto") {
    return wish.annotate;
  }
  return is_true("GITHUB_ACTIONS") ? "github" : is_true("GITLAB_CI") ? "gitlab" : "none";
}

}  // namespace

void add_output_flags(CLI::App& command, OutputWish& wish) {
  command
      .add_option("--files",
                  wish.formats,
                  "Further files in the run directory: csv,sarif,... (tune help formats)")
      ->type_name("LIST");
  command
      .add_option("--annotate",
                  wish.annotate,
                  "Annotations at the lines of the scenario: auto (where it runs: GitHub Actions "
                  "or GitLab), "
                  "github (on standard error), gitlab (gl-code-quality-report.json) or none")
      ->check(CLI::IsMember({"auto", "github", "gitlab", "none"}));
  command
      .add_option("--step-summary",
                  wish.step_summary,
                  "File to append the report to, for continuous integration: auto (the file that "
                  "GITHUB_STEP_SUMMARY names), none or a file")
      ->type_name("auto|none|FILE");
}

void add_output_files(CLI::App& command, OutputWish& wish) {
  command.add_option("--junit", wish.junit, "The verdicts as JUnit XML")->type_name("FILE");
  command.add_option("--sarif", wish.sarif, "The verdicts as SARIF 2.1.0")->type_name("FILE");
  command.add_option("--openmetrics", wish.openmetrics, "The numbers as OpenMetrics")
      ->type_name("FILE");
}

void check_wish(const OutputWish& wish) {
  wished_formats(wish);
  auto files = files_of(wish);
  if (wish.step_summary != "auto" && wish.step_summary != "none") {
    files.emplace_back("step-summary", &wish.step_summary);
  }
  for (const auto& [flag, file] : files) {
    const auto folder = std::filesystem::path(*file).parent_path();
    std::error_code failed;
    if (!folder.empty() && !std::filesystem::is_directory(folder, failed)) {
      throw Error(Error::Parts{"--" + std::string(flag) + " " + *file,
                               "cannot be written",
                               "there is no such folder",
                               ""});
    }
  }
}

void write_wished(const OutputWish& wish,
                  const result::Result& result,
                  const std::filesystem::path& directory) {
  const report::FormatOptions options = options_here();
  const std::string annotation = annotation_of(wish);
  try {
    report::write_formats(wished_formats(wish), result, options, directory);
    if (annotation == "gitlab") {
      report::write_formats({"gitlab-code-quality"}, result, options, directory);
    }
    for (const auto& [flag, file] : files_of(wish)) {
      write_file_synced(*file, report::find_format(flag)->render(result, options));
    }
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
  }
  if (annotation == "github") {
    write_unchanged(std::cerr, report::to_github_annotations(result, options));
    std::cerr << std::flush;
  }
}

}  // namespace tune::cli
