#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace tune::worker {

/// A gzip file that appears completely or not at all: it grows under another name ("<name>.tmp") in
/// the same folder, and finish() syncs and renames it. Without finish() nothing is left. All
/// functions throw tune::Error with the system's message.
class GzipFile {
 public:
  explicit GzipFile(std::filesystem::path path);
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  void write(std::string_view text);

  /// The size of the file in bytes.
  std::int64_t finish();

  /// Bytes passed to write() so far.
  std::int64_t text_bytes() const { return text_bytes_; }

 private:
  struct Stream;
  void deflate_all(int flush);
  void write_out(std::string_view bytes);
  [[noreturn]] void fail(const char* what) const;

  const std::filesystem::path path_, unfinished_;
  int file_ = -1;
  std::int64_t text_bytes_ = 0, file_bytes_ = 0;
  std::unique_ptr<Stream> stream_;
};

}  // namespace tune::worker
