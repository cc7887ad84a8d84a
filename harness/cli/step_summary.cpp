#include "cli/step_summary.h"

#include "report/markdown.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>

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

}  // namespace tune::cli
