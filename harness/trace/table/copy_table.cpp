#include "trace/table/copy_table.h"

#include "base/whole_number.h"
#include "trace/table/cell_text.h"
#include "trace/table/table_input.h"

#include <vector>

namespace tune::table {

namespace {

using profile::Category;
using profile::kNone;

struct Copies {
  profile::StringId name = 0;
  TimeSums device, host;
  std::int64_t bytes = 0, timed_bytes_ns = 0, rows_with_bytes = 0;
};

void add(Copies& copies, const TableInput& input, std::uint32_t i) {
  const profile::Event& event = input.timeline.events[i];
  copies.device.add(event.duration_ns);
  const profile::CopyDetail* const detail = input.timeline.copy(event);
  if (detail != nullptr && detail->bytes >= 0) {
    copies.bytes = saturated_sum(copies.bytes, detail->bytes);
    copies.timed_bytes_ns += event.duration_ns;
    ++copies.rows_with_bytes;
  }
  const std::uint32_t call = input.launches.call_of[i];
  if (call != kNone && input.launches.first_work_of[call] == i) {  // one call may issue many
    copies.host.add(input.timeline.events[call].duration_ns);
  }
}

Row row_of(const Copies& copies, std::string_view name) {
  const bool has_bytes = copies.rows_with_bytes > 0;
  const bool has_rate = has_bytes && copies.timed_bytes_ns > 0;
  return {std::string(name),
          copies.device.count,
          has_bytes ? Cell(copies.bytes) : Cell(),
          copies.device.total_ns,
          has_rate ? Cell(static_cast<double>(copies.bytes) * 1e9 /
                          static_cast<double>(copies.timed_bytes_ns))
                   : Cell(),
          copies.host.count > 0 ? Cell(copies.host.total_ns) : Cell()};
}

}  // namespace

Table copy_table(const TableInput& input) {
  Table table{.id = "copies", .title = "Copies"};
  const profile::Timeline& timeline = input.timeline;
  std::vector<Copies> rows;
  std::vector<std::uint32_t> row_of_name(timeline.strings.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Event& event = timeline.events[i];
    if (event.category != Category::memcpy && event.category != Category::memset) {
      continue;
    }
    if (row_of_name[event.name] == kNone) {
      row_of_name[event.name] = static_cast<std::uint32_t>(rows.size());
      rows.push_back({.name = event.name});
    }
    add(rows[row_of_name[event.name]], input, i);
  }
  if (rows.empty()) {
    table.reason =
        "the trace has no copy or fill of a device: none was made, or they were not "
        "recorded (" +
        device_activity(timeline) + ")";
    return table;
  }
  table.columns = {{"name", "Copy"},
                   {"count", "Count", Quantity::count},
                   {"bytes", "Bytes", Quantity::bytes},
                   {"device_time", "Device time", Quantity::time_ns},
                   {"bandwidth", "Bandwidth", Quantity::bytes_per_second},
                   {"host_time", "Host time of calls", Quantity::time_ns}};
  table.rows.reserve(rows.size());
  for (const Copies& copies : rows) {
    table.rows.push_back(row_of(copies, timeline.strings.text(copies.name)));
  }
  sort_rows(table, "device_time");
  return table;
}

}  // namespace tune::table
