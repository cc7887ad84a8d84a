#include "report/diff_report.h"

#include "base/units.h"
#include "report/number_text.h"
#include "report/role_times_json.h"
#include "report/table_json.h"
#include "trace/table/cell_text.h"
#include "trace/table/diff_tables.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using table::Quantity;
using table::TraceSide;

// "A step takes 9.000us after 10.000us, -10.0 %: kernel -2.000us, other +1.000us".
std::string headline_of(const TraceSide& before,
                        const TraceSide& after,
                        const table::Table& parts) {
  if (!parts.is_applicable()) {
    return "Cannot be compared: " + parts.reason;
  }
  const auto mean_ns = [](const TraceSide& side) {
    return static_cast<double>(side.total_ns) / static_cast<double>(side.steps);
  };
  const table::Row& step = parts.rows.back();  // the last row is the step, the first changed most
  std::string text = "A step takes " + cell_text(cell(parts, step, "after"), Quantity::time_ns) +
                     " after " + cell_text(cell(parts, step, "before"), Quantity::time_ns) + ", " +
                     gain_text((mean_ns(after) - mean_ns(before)) / mean_ns(before));
  constexpr std::size_t kNamed = 3;
  for (std::size_t i = 0; i < kNamed && i + 1 < parts.rows.size(); ++i) {
    const table::Cell& change = cell(parts, parts.rows[i], "change");
    if (change == table::Cell(std::int64_t{0})) {
      break;
    }
    text += i == 0 ? ": " : ", ";
    text += std::get<std::string>(parts.rows[i].front()) + " " +
            cell_text(change, Quantity::time_change_ns);
  }
  return text;
}

RoleBar bar_of(const char* label, const TraceSide& side) {
  RoleBar bar{.label = label};
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    bar.exposed_ns[role] = side.exposed_ns[role] / side.steps;
  }
  bar.label += ": " + format_time(bar.total_ns());
  return bar;
}

Json side_json(const TraceSide& side) {
  return {{"file", side.file},
          {"steps", side.steps},
          {"marked", side.are_known},
          {"total_ns", side.total_ns},
          {"has_device_rows", side.has_device_rows},
          {"exposed_ns", to_json(side.exposed_ns)}};
}

}  // namespace

TraceComparison compare_sides(const TraceSide& before, const TraceSide& after) {
  TraceComparison comparison;
  comparison.title = before.file + " and " + after.file;
  comparison.tables = table::diff_tables(before, after);
  comparison.headline = headline_of(before, after, comparison.tables.front());
  if (comparison.tables.front().is_applicable() &&
      before.has_device_rows == after.has_device_rows) {
    comparison.bars = {"change", "A mean step before and after, in its parts", {}};
    comparison.bars.bars = {bar_of("before", before), bar_of("after", after)};
  }
  return comparison;
}

Json diff_json(const TraceSide& before, const TraceSide& after, const TraceComparison& comparison) {
  Json json;
  json["diff"]["before"] = side_json(before);
  json["diff"]["after"] = side_json(after);
  json["diff"]["tables"] = to_json(comparison.tables);
  return json;
}

}  // namespace tune::report
