#include "cli/probe_table.h"

#include "base/units.h"
#include "cli/plain_row.h"
#include "report/number_text.h"
#include "report/quantity_text.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <vector>

namespace tune::cli {

namespace {

using probe::Number;

constexpr double kNoisy = 0.05;  // half of the middle half of the repetitions

std::string what_text(const Number& number) {
  static const std::map<std::string, std::string> kNames = {
      {"memory_copy_rate", "memory copy, read + written"},
      {"page_fault_rate", "page faults of 4 KiB"},
      {"decode_time_per_kb", "JPEG decoding, by bytes"},
      {"decode_time_per_kpx", "JPEG decoding, by pixels"},
      {"disk_read_rate", "disk read"},
      {"matmul_flop_rate", "matrix product"},
      {"operator_time", "small operator"},
      {"h2d_rate", "copy to the GPU"},
      {"d2h_rate", "copy from the GPU"}};
  const auto name = kNames.find(number.id);
  std::string text = name == kNames.end() ? number.id : name->second;
  if (!number.label.empty()) {
    text += ", " + number.label;
  }
  return text;
}

}  // namespace

std::string probe_table(const probe::ProbeRecord& record) {
  std::ostringstream text;
  std::size_t width = 0;
  for (const Number& number : record.numbers) {
    width = std::max(width, what_text(number).size());
  }
  text << "Limits of this machine" << (record.cpu_model.empty() ? "" : ": " + record.cpu_model)
       << "\n\n";
  for (const Number& number : record.numbers) {
    if (number.value) {
      text << "  " << std::left << std::setw(static_cast<int>(width)) << what_text(number)
           << std::right << std::setw(14) << report::quantity_text(*number.value, number.unit)
           << "  +- " << report::share_text(number.noise)
           << (number.noise > kNoisy ? "  noisy" : "") << "\n";
    }
  }
  std::vector<std::string> missing;
  for (const Number& number : record.numbers) {
    if (!number.value) {
      missing.push_back(what_text(number) + ": " + number.reason);
    }
  }
  if (!missing.empty()) {
    text << "\nNot measured\n";
    for (const std::string& line : missing) {
      text << "  " << line << "\n";
    }
  }
  text << "\nMeasured " << record.utc << " in " << format_seconds(record.seconds)
       << (record.is_quick ? " (--quick)" : "")
       << "; medians, +- half of the middle 50 % of the repetitions (of decoding: median error of "
          "the fit).\n";
  return text.str();
}

std::string probe_rows(const probe::ProbeRecord& record) {
  std::string rows;
  for (const Number& number : record.numbers) {
    std::ostringstream value, noise;
    value << std::setprecision(10);
    if (number.value) {
      value << *number.value;
      noise << number.noise;
    }
    rows += plain_row({number.id,
                       number.label,
                       value.str(),
                       number.unit,
                       noise.str(),
                       std::to_string(number.n),
                       number.reason});
  }
  return rows;
}

}  // namespace tune::cli
