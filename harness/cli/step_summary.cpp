#include "cli/step_summary.h"

#include "report/markdown.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

namespace tune::cli {

namespace {

constexpr std::size_t kLeastBytes = 2'000;  // a headline and what it needs

}  // namespace

void append_step_summary(const std::function<std::string(std::size_t room_bytes)>& page) {
  const char* const file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') {
    return;
  }
  constexpr const char* kFrom = " (from environment variable GITHUB_STEP_SUMMARY)\n";
  std::error_code is_new;
  const std::uintmax_t size = std::filesystem::file_size(file, is_new);
  const std::size_t used = is_new ? 0 : static_cast<std::size_t>(size);
  if (used + kLeastBytes > report::kStepSummaryLimitBytes) {
    std::cerr << file << ": is full, nothing was added" << kFrom;
    return;
  }
  const std::size_t room = report::kStepSummaryLimitBytes - used;
  const std::string text = page(room);
  if (text.size() + 1 > room) {
    std::cerr << file << ": has no room for this report" << kFrom;
    return;
  }
  std::ofstream out(file, std::ios::app);
  out << text << "\n";
  if (!out.flush()) {
    std::cerr << file << ": cannot be written" << kFrom;
  }
}

}  // namespace tune::cli
