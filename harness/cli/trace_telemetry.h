#pragma once

#include <filesystem>
#include <string>

namespace tune::cli {

/// What the machine did while the steps of a run's trace were recorded, as rows for that trace.
struct TraceCounters {
  std::string rows;    ///< machine/telemetry/counter_rows.h; "" when there are none
  std::string reason;  ///< why; "" when there are, and where no telemetry.json is next to it
};

/// From telemetry.json and reply.json next to the trace: the reply says when its ts 0 was.
TraceCounters counters_of(const std::filesystem::path& trace);

/// Writes the trace with these rows before its own, unpacked. Throws tune::Error, also where the
/// file has no list of rows to put them into.
void write_with_counters(const std::filesystem::path& trace,
                         const std::string& rows,
                         const std::filesystem::path& output);

/// Such a copy in the cache folder, under the trace's own name, as long as this object lives.
class TraceWithCounters {
 public:
  /// Throws tune::Error.
  TraceWithCounters(const std::filesystem::path& trace, const std::string& rows);
  ~TraceWithCounters();
  TraceWithCounters(const TraceWithCounters&) = delete;
  TraceWithCounters& operator=(const TraceWithCounters&) = delete;

  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path folder_, file_;
};

}  // namespace tune::cli
