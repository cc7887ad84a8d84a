#pragma once

// Small traces for tests, written by hand.

#include "trace/reader/byte_source.h"
#include "trace/reader/read_trace.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace tune::profile {

/// Text from memory, a few bytes at a time, so that every value crosses a border somewhere.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string text, std::size_t at_once = 7)
      : text_(std::move(text)), at_once_(at_once) {}

  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = std::min({size, at_once_, text_.size() - at_});
    std::memcpy(out, text_.data() + at_, count);
    at_ += count;
    return count;
  }
  std::int64_t file_bytes() const override { return static_cast<std::int64_t>(at_); }

 private:
  std::string text_;
  std::size_t at_once_;
  std::size_t at_ = 0;
};

inline Timeline read_text(const std::string& json, const ReadOptions& options = {}) {
  return read_trace(std::make_unique<MemorySource>(json), "test.json", options);
}

/// A trace of these events, without their brackets.
inline Timeline read_events(const std::string& events, const ReadOptions& options = {}) {
  return read_text(R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}", options);
}

/// One complete row; times in us as text.
inline std::string row(const std::string& cat,
                       const std::string& name,
                       const std::string& ts,
                       const std::string& dur,
                       const std::string& args = "") {
  const bool is_device =
      cat == "kernel" || cat == "gpu_memcpy" || cat == "gpu_memset" || cat == "gpu_user_annotation";
  const std::string place = is_device ? R"("pid": 0, "tid": 7)" : R"("pid": 412, "tid": 412)";
  return R"({"ph": "X", "cat": ")" + cat + R"(", "name": ")" + name + R"(", )" + place +
         R"(, "ts": )" + ts + R"(, "dur": )" + dur + R"(, "args": {)" + args + "}}";
}

}  // namespace tune::profile
