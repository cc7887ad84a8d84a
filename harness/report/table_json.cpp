#include "report/table_json.h"

#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using table::Quantity;

const char* unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::text:
      return "text";
    case Quantity::count:
      return "count";
    case Quantity::time_ns:
    case Quantity::time_change_ns:
      return "s";
    case Quantity::bytes:
      return "B";
    case Quantity::ratio:
      return "ratio";
    case Quantity::bytes_per_second:
      return "B/s";
    case Quantity::number:
      break;
  }
  return "1";
}

Json cell_json(const table::Cell& cell, Quantity quantity) {
  constexpr double kSecondsPerNs = 1e-9;
  if (const auto* const text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  if (const auto* const whole = std::get_if<std::int64_t>(&cell)) {
    const bool is_time = quantity == Quantity::time_ns || quantity == Quantity::time_change_ns;
    return is_time ? Json(static_cast<double>(*whole) * kSecondsPerNs) : Json(*whole);
  }
  const auto* const real = std::get_if<double>(&cell);
  const auto known = real == nullptr ? std::nullopt : finite(*real);
  return known ? Json(*known) : Json(nullptr);
}

}  // namespace

Json to_json(const table::Table& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const table::Column& column : table.columns) {
    columns.push_back(
        {{"id", column.id}, {"title", column.title}, {"unit", unit_of(column.quantity)}});
  }
  for (const table::Row& row : table.rows) {
    Json object;
    for (std::size_t i = 0; i < row.size(); ++i) {
      object[table.columns[i].id] = cell_json(row[i], table.columns[i].quantity);
    }
    rows.push_back(std::move(object));
  }
  Json json;
  json["id"] = table.id;
  json["title"] = table.title;
  json["columns"] = std::move(columns);
  json["rows"] = std::move(rows);
  json["notes"] = table.notes;
  json["left_out"] = table.left_out;
  json["reason"] = text_or_null(table.reason);
  return json;
}

Json to_json(const std::vector<table::Table>& tables) {
  constexpr std::size_t kMostRows = 1000;
  Json list = Json::array();
  for (table::Table table : tables) {
    table::keep_top(table, kMostRows);
    list.push_back(to_json(table));
  }
  return list;
}

}  // namespace tune::report
