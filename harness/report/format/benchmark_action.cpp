#include "report/format/core_metric.h"
#include "report/format/formats.h"
#include "report/format/stored_text.h"
#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestName = 250;
constexpr int kDigits = 6;

// [{name, unit, value, range, extra}]: which way is better is a property of the file.
std::string to_list(const result::Result& result, Better better) {
  Json list = Json::array();
  for (const CoreMetric& each : core_metrics(result)) {
    if (each.better != better) {
      continue;
    }
    const result::Number& number = each.number;
    Json entry;
    entry["name"] = series_name(result, each.setting, kLongestName) + ": " + each.metric;
    entry["unit"] = number.unit;
    entry["value"] = *number.value;
    if (number.lower) {
      entry["range"] = "[" + rounded_text(*number.lower, kDigits) + ", " +
                       rounded_text(*number.upper, kDigits) + "]";
    }
    if (number.n > 0) {
      entry["extra"] = "n = " + std::to_string(number.n) +
                       (result.provenance.commit.text.empty()
                            ? ""
                            : ", tune " + shortened(result.provenance.commit.text, 40));
    }
    list.push_back(std::move(entry));
  }
  return list.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_bigger_is_better(const result::Result& result, const FormatOptions& /*options*/) {
  return to_list(result, Better::bigger);
}

std::string to_smaller_is_better(const result::Result& result, const FormatOptions& /*options*/) {
  return to_list(result, Better::smaller);
}

}  // namespace tune::report
