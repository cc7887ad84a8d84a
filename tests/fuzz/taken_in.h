#pragma once

// Any bytes as a trace: refused with a sentence, or read into consistent tables.

#include "base/error.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/byte_source.h"
#include "trace/reader/read_trace.h"
#include "trace/table/tables.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace tune::fuzz {

class BytesSource : public profile::ByteSource {
 public:
  explicit BytesSource(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = std::min(size, bytes_.size() - at_);
    std::memcpy(out, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }
  std::int64_t file_bytes() const override { return static_cast<std::int64_t>(at_); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// Ends the process when a row points outside its table.
inline void check_tables(const profile::Timeline& timeline) {
  for (const profile::Event& event : timeline.events) {
    const bool has_its_detail =
        event.detail == profile::kNone || timeline.kernel(event) != nullptr ||
        timeline.copy(event) != nullptr || timeline.op(event) != nullptr ||
        timeline.sync(event) != nullptr || event.detail < timeline.frames.size();
    if (!has_its_detail || event.track >= timeline.tracks.size() ||
        event.name >= timeline.strings.size() || event.duration_ns < 0) {
      std::abort();
    }
  }
}

/// True when it was read. The partition asserts by itself that its parts sum to the steps.
inline bool take_in(std::string_view bytes) {
  try {
    const profile::ExpansionLimits limits{
        .ratio = 200, .ratio_from_bytes = 1 << 20, .total_bytes = 8 << 20};
    const profile::Timeline timeline = profile::read_trace(
        profile::decompressed(std::make_unique<BytesSource>(bytes), "bytes", limits),
        "bytes",
        {.with_python = true, .with_call_stacks = true});
    check_tables(timeline);
    const metric::TraceInput input = metric::examine(timeline);
    metric::trace_metrics(input);
    table::all_tables(metric::table_input(input));
    return true;
  } catch (const Error& error) {
    if (std::strlen(error.what()) == 0) {
      std::abort();
    }
    return false;
  }
}

}  // namespace tune::fuzz
