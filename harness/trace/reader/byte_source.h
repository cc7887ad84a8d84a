#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace tune::profile {

/// A stream of bytes. Every source below ends by throwing tune::Error when its input cannot be
/// trusted (no permission, changed while it was read, a bomb); input that merely stops too early or
/// is damaged from some byte on ends the stream, and damage() says so.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Up to `size` bytes into `out`; 0 is the end.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  /// Why the stream ended before its end: "the gzip data end too early (byte 812 of the file)"; ""
  /// when it did not.
  virtual std::string damage() const { return ""; }
  /// Bytes taken from the file so far.
  virtual std::int64_t file_bytes() const = 0;
  /// "none", "gzip", "zstd".
  virtual std::string compression() const { return "none"; }
};

/// How far compressed data may grow. A profiler's JSON shrinks to between a tenth and a hundredth;
/// DEFLATE's own limit is 1032.
struct ExpansionLimits {
  double ratio = 1000;                               ///< bytes out ÷ bytes in
  std::int64_t ratio_from_bytes = 64 << 20;          ///< below it any ratio is harmless
  std::int64_t total_bytes = std::int64_t{1} << 38;  ///< 256 GiB
};

/// The bytes of a file as they are. Throws tune::Error when it is a directory, cannot be opened or
/// read, or is another one at its end than it was at its beginning (size, time of change).
std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path);

/// The file's text, decompressed when it begins like gzip (any number of members) or zstd (any
/// number of frames), whatever its name is.
std::unique_ptr<ByteSource> open_trace_text(const std::filesystem::path& path,
                                            const ExpansionLimits& limits = {});

/// The same over any source, for tests and fuzzing. Complaints use `name`.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         const std::string& name,
                                         const ExpansionLimits& limits = {});

}  // namespace tune::profile
