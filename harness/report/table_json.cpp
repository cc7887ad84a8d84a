#include "report/table_json.h"

#include "base/fields.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace tune::report {

using nlohmann::ordered_json;

ordered_json to_json(const table::Table& table) {
  return to_value(table_of(table, std::numeric_limits<std::size_t>::max()));
}

ordered_json to_json(const std::vector<table::Table>& tables) {
  constexpr std::size_t kMostRows = 1000;
  ordered_json list = ordered_json::array();
  for (const table::Table& table : tables) {
    list.push_back(to_value(table_of(table, kMostRows)));
  }
  return list;
}

}  // namespace tune::report
