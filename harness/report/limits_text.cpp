#include "report/limits_text.h"

#include "report/number_text.h"
#include "report/quantity_text.h"

#include <map>
#include <utility>

namespace tune::report {

namespace {

using campaign::LimitRow;
using campaign::LimitUse;

const LimitUse* limits_of(const campaign::CampaignResult& result) {
  const bool is_known = result.diagnosis && result.diagnosis->limits;
  return is_known ? &*result.diagnosis->limits : nullptr;
}

std::string words_of(const LimitRow& row) {
  static const std::map<std::string, std::string> kWords = {
      {"matmul_flop_rate", "products in recorded steps"},
      {"decode_time", "decoding a sample, CPU time"},
      {"disk_read_rate", "read from disks"},
      {"operator_time", "a step, and its operators if each were a small one"},
      {"page_fault_rate", "page faults"}};
  const auto words = kWords.find(row.id);
  std::string text = words == kWords.end() ? row.id : words->second;
  if (!row.label.empty()) {
    text += " (";
    text += row.label;
    text += ")";
  }
  return text;
}

std::string text_of(const std::optional<double>& value, const std::string& unit) {
  return value ? quantity_text(*value, unit) : "not known";
}

}  // namespace

TextTable limit_table(const campaign::CampaignResult& result) {
  TextTable table{.heading = {"what", "reached", "limit here", "how close"}};
  const LimitUse* const limits = limits_of(result);
  if (limits == nullptr) {
    return table;
  }
  for (const LimitRow& row : limits->rows) {
    if (row.ratio) {
      table.rows.push_back({words_of(row),
                            text_of(row.reached, row.unit),
                            text_of(row.limit, row.unit),
                            share_text(*row.ratio)});
    }
  }
  return table;
}

std::vector<std::string> limit_lines(const campaign::CampaignResult& result) {
  std::vector<std::string> lines;
  const LimitUse* const limits = limits_of(result);
  if (limits == nullptr) {
    return lines;
  }
  if (!limits->reason.empty()) {
    lines.push_back("not known how close the baseline is to the limits of its machine: " +
                    limits->reason);
    return lines;
  }
  lines.reserve(limits->rows.size() + 1);
  for (const LimitRow& row : limits->rows) {
    if (!row.ratio) {
      std::string line = "not known: ";
      line += words_of(row);
      line += ": ";
      line += row.reason;
      lines.push_back(std::move(line));
    }
  }
  std::string source = "of the baseline in ";
  source += result.diagnosis->trial;
  source += "; limits measured by tune probe";
  source += limits->is_quick ? " --quick, " : ", ";
  source += limits->probed_utc;
  source += ". 100 % is the limit: what is near it gets faster only by doing less of it.";
  lines.push_back(std::move(source));
  return lines;
}

}  // namespace tune::report
