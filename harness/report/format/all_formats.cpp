#include "report/format/all_formats.h"

#include "base/assert.h"
#include "base/file.h"

#include <array>

namespace tune::report {

namespace {

constexpr std::array<OutsideFormat, 11> kFormats = {{
    {"csv", "result.csv", to_csv},
    {"junit", "junit.xml", to_junit},
    {"sarif", "result.sarif", to_sarif},
    {"openmetrics", "openmetrics.txt", to_openmetrics},
    {"gitlab-metrics", "metrics.txt", to_gitlab_metrics},
    {"gitlab-code-quality", "gl-code-quality-report.json", to_gitlab_code_quality},
    {"google-benchmark", "google-benchmark.json", to_google_benchmark},
    {"bencher", "bencher.json", to_bencher},
    {"bigger-is-better", "bigger-is-better.json", to_bigger_is_better},
    {"smaller-is-better", "smaller-is-better.json", to_smaller_is_better},
    {"github-annotations", "github-annotations.txt", to_github_annotations},
}};

}  // namespace

std::span<const OutsideFormat> all_formats() {
  return kFormats;
}

const OutsideFormat* find_format(std::string_view name) {
  for (const OutsideFormat& format : kFormats) {
    if (format.name == name) {
      return &format;
    }
  }
  return nullptr;
}

std::vector<std::filesystem::path> write_formats(const std::vector<std::string>& names,
                                                 const result::Result& result,
                                                 const FormatOptions& options,
                                                 const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> written;
  for (const std::string& name : names) {
    const OutsideFormat* const format = find_format(name);
    TUNE_ASSERT(format != nullptr);
    written.push_back(directory / format->file);
    write_file_synced(written.back(), format->render(result, options));
  }
  return written;
}

}  // namespace tune::report
