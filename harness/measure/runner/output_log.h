#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tune::runner {

/// Text that a terminal, a ledger and a report can show: UTF-8, and no control characters but line
/// ends and tabs.
std::string printable(std::string_view text);

/// Keeps what a worker prints: its first bytes in a file, its last ones for the report.
class OutputLog {
 public:
  /// Throws tune::Error when the file cannot be written.
  OutputLog(const std::filesystem::path& file, std::int64_t limit_bytes);
  ~OutputLog();
  OutputLog(const OutputLog&) = delete;
  OutputLog& operator=(const OutputLog&) = delete;

  void add(std::string_view text);

  /// Writes what was left out: how much, and its last bytes.
  void finish();

  /// The last 2 KiB, printable.
  std::string tail() const;

  /// Somewhere it said that memory could not be had.
  bool wanted_memory() const { return wanted_memory_; }

 private:
  void write_out(std::string_view text) const;

  int file_ = -1;
  std::int64_t limit_bytes_ = 0, kept_bytes_ = 0, left_out_bytes_ = 0;
  std::string tail_;
  bool wanted_memory_ = false;
};

}  // namespace tune::runner
