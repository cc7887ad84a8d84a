#include "cli/listing.h"

#include "base/error.h"
#include "cli/plain_row.h"
#include "cli/terminal.h"
#include "dataset/generated_spec.h"
#include "gate/metric.h"
#include "metric/trace_metrics.h"
#include "profile/timeline.h"
#include "report/markup.h"
#include "scenario/scenario.h"
#include "telemetry/host_metrics.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <vector>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

// Hidden ones and the working trees of git are no scenarios; links are not followed.
std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (entry->path().extension() == ".yaml" && entry->is_regular_file(unknown)) {
      files.push_back(entry->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Json scenario_entry(const fs::path& file) {
  Json entry = {{"file", file.string()},
                {"name", file.stem().string()},
                {"description", nullptr},
                {"problem", nullptr}};
  try {
    entry["description"] = scenario::load_scenario(file).description;
  } catch (const Error& error) {
    constexpr std::size_t kLongest = 200;
    const std::string all = error.what();
    entry["problem"] = shortened(all.substr(0, all.find('\n')), kLongest);
  }
  return entry;
}

std::string cell_text(const Json& value) {
  return value.is_string() ? one_line(value.get_ref<const std::string&>())
         : value.is_null() ? ""
                           : value.dump();
}

std::vector<std::vector<std::string>> rows_of(const Json& list) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& entry : list) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const auto& [key, value] : entry.items()) {
      row.push_back(cell_text(value));
    }
  }
  return rows;
}

}  // namespace

Json scenario_listing(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    throw Error(Error::Parts{"tune list scenarios",
                             folder.string() + " is no folder",
                             "scenarios that came with tune are in scenarios/ of its clone",
                             "tune list scenarios DIR"});
  }
  Json list = Json::array();
  for (const fs::path& file : yaml_files(folder)) {
    list.push_back(scenario_entry(file));
  }
  return list;
}

Json metric_listing() {
  Json list = Json::array();
  for (const gate::Metric& metric : gate::all_metrics()) {
    list.push_back({{"metric", metric.name},
                    {"unit", metric.unit},
                    {"of", metric.is_counted ? "gate, counted" : "gate, measured"},
                    {"what", metric.summary}});
  }
  const profile::Timeline nothing;
  for (const metric::Metric& metric : metric::trace_metrics(metric::examine(nothing))) {
    list.push_back(
        {{"metric", metric.id}, {"unit", metric.unit}, {"of", "trace"}, {"what", nullptr}});
  }
  for (const telemetry::HostMetric& metric : telemetry::host_metrics({})) {
    list.push_back(
        {{"metric", metric.id}, {"unit", metric.unit}, {"of", "machine"}, {"what", nullptr}});
  }
  return list;
}

Json profile_listing() {
  Json list = Json::array();
  for (const dataset::Profile& profile : dataset::profiles()) {
    list.push_back(
        {{"profile", profile.name}, {"mean_bytes", profile.mean_bytes}, {"what", profile.content}});
  }
  return list;
}

std::string listing_table(const Json& list) {
  std::vector<std::vector<std::string>> rows = rows_of(list);
  if (rows.empty()) {
    return "";
  }
  std::vector<std::string> heading;
  for (const auto& [key, value] : list.front().items()) {
    heading.push_back(key);
  }
  rows.insert(rows.begin(), heading);
  std::vector<std::size_t> widths(heading.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], columns(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - columns(row[i]) + 2, ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string listing_rows(const Json& list) {
  std::string text;
  for (const auto& row : rows_of(list)) {
    text += plain_row(row);
  }
  return text;
}

}  // namespace tune::cli
