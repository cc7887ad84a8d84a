#include "campaign/forward_products.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tune::campaign {

namespace {

using table::Table;

constexpr std::array<std::string_view, 5> kProducts = {
    "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::conv2d"};

bool has_column(const Table& table, const char* column) {
  return table::column_index(table, column) < table.columns.size();
}

const Table* operators_of(const TraceNumbers& trace) {
  const auto found = std::find_if(trace.tables.begin(), trace.tables.end(), [](const Table& table) {
    return table.id == "operators";
  });
  return found == trace.tables.end() ? nullptr : &*found;
}

std::int64_t whole(const Table& table, const table::Row& row, const char* column) {
  const auto* const number = std::get_if<std::int64_t>(&cell(table, row, column));
  return number == nullptr ? 0 : *number;
}

ForwardProducts unknown(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

ForwardProducts rate_in(const Table& table) {
  double operations = 0, seconds = 0;
  for (const table::Row& row : table.rows) {
    const auto* const name = std::get_if<std::string>(&cell(table, row, "name"));
    const bool is_product =
        name != nullptr && std::find(kProducts.begin(), kProducts.end(), *name) != kProducts.end();
    const std::int64_t flops = is_product ? whole(table, row, "flops") : 0;
    if (flops > 0) {
      operations += static_cast<double>(flops);
      seconds += static_cast<double>(whole(table, row, "cpu_time_total")) * 1e-9;
    }
  }
  return seconds > 0 ? ForwardProducts{operations / seconds, ""}
                     : unknown("the steps call no matrix product with a formula");
}

}  // namespace

ForwardProducts forward_products(const ProfiledCell* profile) {
  if (profile == nullptr || !profile->trace) {
    return unknown("no steps of the baseline were recorded");
  }
  if (profile->dilation.value_or(1) > kDilationLimit) {
    return unknown("recording stretched the steps too much for times");
  }
  const Table* const operators = operators_of(*profile->trace);
  if (operators == nullptr || !has_column(*operators, "cpu_time_total")) {
    return unknown("the trace has no operators");
  }
  if (!has_column(*operators, "flops")) {
    return unknown("operations follow from inputs, which `profile: {with_flops: true}` records");
  }
  return rate_in(*operators);
}

}  // namespace tune::campaign
