// How near the baseline came to the probed limits of its machine.

#include "report/number_text.h"
#include "report/quantity_text.h"
#include "report/run_sections.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kLongestLine = 800;

std::string words_of(const result::LimitRow& row) {
  static const std::map<std::string, std::string> kWords = {
      {"matmul_flop_rate", "products in recorded steps"},
      {"decode_time", "decoding a sample, CPU time"},
      {"disk_read_rate", "read from disks"},
      {"operator_time", "a step, and its operators if each were a small one"},
      {"page_fault_rate", "page faults"}};
  const auto words = kWords.find(row.id);
  std::string text = words == kWords.end() ? row.id : words->second;
  if (!row.label.empty()) {
    text += " (" + row.label + ")";
  }
  return text;
}

std::string text_of(const std::optional<double>& value, const std::string& unit) {
  return value ? quantity_text(*value, unit) : "not known";
}

Table reached_table(const result::Limits& limits) {
  Table table{.caption = "What the baseline reached of what this machine can do",
              .columns = {{"what"},
                          {"reached", Align::right},
                          {"limit here", Align::right},
                          {"how close", Align::right}}};
  for (const result::LimitRow& row : limits.rows) {
    if (row.ratio) {
      table.rows.push_back({words_of(row),
                            text_of(row.reached, row.unit),
                            text_of(row.limit, row.unit),
                            share_text(*row.ratio)});
    }
  }
  return table;
}

// How to read it, and what is not known and why.
std::vector<std::string> lines_about(const result::Limits& limits) {
  std::vector<std::string> lines;
  for (const result::LimitRow& row : limits.rows) {
    if (!row.ratio) {
      lines.push_back(shortened("not known: " + words_of(row) + ": " + row.reason, kLongestLine));
    }
  }
  lines.push_back(
      shortened("of the baseline in " + limits.trial + "; limits measured by tune probe" +
                    (limits.quick ? " --quick, " : ", ") + limits.probed_utc +
                    ". 100 % is the limit: what is near it gets faster only by doing less of it.",
                kLongestLine));
  return lines;
}

}  // namespace

Section run_limits_section(const Run& run) {
  Section section{.title = "How close to the limit"};
  const result::Result& result = run.result;
  if (result.limits) {
    if (Table table = reached_table(*result.limits); !table.rows.empty()) {
      section.add(std::move(table));
    }
    return section.add(List{lines_about(*result.limits)});
  }
  if (result.limits_reason.empty() || result.limits_reason == result::kNoRuleAsked) {
    return section;
  }
  return section.add(List{{shortened(
      "not known how close the baseline is to the limits of its machine: " + result.limits_reason,
      kLongestLine)}});
}

}  // namespace tune::report
