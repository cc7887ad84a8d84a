#pragma once

#include "base/json_object.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tune {

/// The members of a record that are written, with the names of their columns.
template <class Record, std::size_t kCount>
using Columns = std::array<std::pair<const char*, std::int64_t Record::*>, kCount>;

/// {"forward_ns": [1, 2], "backward_ns": [3, 4]}: one list per column, of the first `most` records.
template <class Record, std::size_t kCount, class Json = nlohmann::json>
Json columns_to_json(const std::vector<Record>& records,
                     const Columns<Record, kCount>& columns,
                     std::size_t most) {
  const std::size_t count = std::min(records.size(), most);
  Json object = Json::object();
  for (const auto& [name, member] : columns) {
    Json column = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
      column.push_back(records[i].*member);
    }
    object[name] = std::move(column);
  }
  return object;
}

/// Reads what columns_to_json() wrote. Throws tune::Error when a column is missing, longer than
/// `most`, of another length than the first, or has a number outside `range`.
template <class Record, std::size_t kCount>
std::vector<Record> read_columns(JsonObject& object,
                                 const Columns<Record, kCount>& columns,
                                 std::size_t most,
                                 Range range) {
  std::vector<Record> records;
  bool is_first = true;
  for (const auto& [name, member] : columns) {
    const auto column = object.whole_list(name, most, range);
    if (is_first) {
      records.resize(column.size());
      is_first = false;
    }
    if (column.size() != records.size()) {
      complain(object.where(), object.path_of(name), "has another length than its neighbours");
    }
    for (std::size_t i = 0; i < column.size(); ++i) {
      records[i].*member = column[i];
    }
  }
  return records;
}

}  // namespace tune
