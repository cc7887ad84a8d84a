#include "cli/history_view.h"

#include "base/fields.h"
#include "base/units.h"
#include "cli/answer.h"
#include "measure/history/entry.h"
#include "measure/history/trend.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/trend_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

using history::Entry;
using history::Measure;
using history::Series;
using Json = nlohmann::ordered_json;

constexpr std::size_t kDay = 10;          // "2026-11-20"
constexpr std::size_t kMinute = 16;       // "2026-11-20T12:00"
constexpr std::size_t kWidestLine = 60;   // of a sparkline
constexpr std::size_t kLongestName = 40;  // in a table
constexpr std::size_t kShownDigits = 12;  // of a commit
constexpr double kSecondNs = 1e9;

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_same_place(const Series& a, const Series& b) {
  return a.scenario == b.scenario && a.machine == b.machine;
}

std::string heading(const Series& series) {
  std::string text = one_line(series.scenario) + " on ";
  text += one_line(series.machine) + ": " + report::counted(series.runs, "run");
  return text + ", last " + one_line(series.last_started.substr(0, kDay));
}

// Better or worse is what colours mean; without colours the sign and the values say it.
std::string painted_change(const Series& series,
                           const history::Change& change,
                           const Terminal& terminal) {
  const std::string text = report::change_sentence(series, change);
  const bool is_better = (change.after > change.before) == history::is_higher_better(series.metric);
  return is_better ? green(terminal, text) : yellow(terminal, text);
}

std::string series_lines(const Series& series, const Terminal& terminal) {
  if (series.points.empty()) {
    return "  no " + one_line(series.metric) + " was measured\n";
  }
  constexpr std::size_t kRoom = 24;  // for the value behind it
  const std::size_t width = std::min(kWidestLine, terminal.width - std::min(terminal.width, kRoom));
  std::string text = "  " + report::sparkline(report::values_of(series), width) + "  ";
  text += report::range_sentence(series) + "\n";
  for (const history::Change& change : history::trend_of(series.points).changes) {
    text += "  " + painted_change(series, change, terminal) + "\n";
  }
  return text;
}

std::string measure_text(const Entry& entry, const char* name) {
  const Measure* const found = entry.find(name);
  return found == nullptr ? "-" : report::trend_value_text(found->value, found->unit);
}

// For a run the gain of its best setting, for a gate what its candidate does to the rate.
std::string gain_of(const Entry& entry) {
  const Measure* const found = entry.find(entry.kind == "run" ? "gain" : "delta_throughput");
  return found == nullptr ? "-" : report::gain_text(found->value);
}

std::string interval_text(const Measure& measure) {
  if (!measure.lower || !measure.upper) {
    return "";
  }
  return " [" + report::trend_value_text(*measure.lower, measure.unit) + ", " +
         report::trend_value_text(*measure.upper, measure.unit) + "]";
}

std::string line(const std::string& written, const std::string& value) {
  constexpr std::size_t kColumn = 18;
  const std::string name = one_line(written);  // that of a measure may come from a file
  const std::string space(kColumn - std::min(kColumn - 1, columns(name)), ' ');
  return name + space + (value.empty() ? "not known" : one_line(value)) + "\n";
}

std::string place_text(const std::string& directory) {
  std::error_code failed;
  return directory.empty() || std::filesystem::exists(directory, failed)
             ? directory
             : directory + " (no longer there)";
}

Json points_json(const Series& series) {
  Json points = Json::array();
  for (const history::Point& point : series.points) {
    points.push_back({{"run", point.id},
                      {"kind", point.kind},
                      {"started", point.started_utc},
                      {"value", point.value}});
  }
  return points;
}

Json changes_json(const Series& series) {
  Json changes = Json::array();
  for (const history::Change& change : history::trend_of(series.points).changes) {
    const history::Point& first = series.points.at(change.at);
    changes.push_back({{"run", first.id},
                       {"started", first.started_utc},
                       {"before", change.before},
                       {"after", change.after},
                       {"ratio", change.ratio()},
                       {"causes", change.causes}});
  }
  return changes;
}

Json to_document(const Entry& entry) {
  Json json;
  json["run"] = entry.id;
  json.update(to_value(entry));
  return json;
}

}  // namespace

std::string overview_text(const SeriesView& view, const Terminal& terminal) {
  std::string text;
  const auto& all = view.series;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_older = i > 0 && is_same_place(all[i], all[i - 1]);
    if (is_older && !view.with_all) {
      continue;
    }
    text += text.empty() ? "" : "\n";
    text += bold(terminal, heading(all[i])) + "\n" + series_lines(all[i], terminal);
    std::int64_t older = 0;
    for (std::size_t next = i + 1; next < all.size() && is_same_place(all[i], all[next]); ++next) {
      older += all[next].runs;
    }
    if (older > 0 && !view.with_all) {
      text += dim(terminal,
                  "  " + report::counted(older, "earlier run") +
                      " of another text, data or settings (--all)") +
              "\n";
    }
  }
  return text;
}

std::string overview_json(const std::vector<Series>& series,
                          const std::string& metric,
                          const std::filesystem::path& store) {
  Json list = Json::array();
  for (const Series& each : series) {
    list.push_back({{"scenario", each.scenario},
                    {"machine", each.machine},
                    {"subject", each.subject},
                    {"runs", each.runs},
                    {"last_started", each.last_started},
                    {"unit", each.unit},
                    {"points", points_json(each)},
                    {"changes", changes_json(each)}});
  }
  return dump({{"schema", std::string(history::kExportSchema)},
               {"store", store.string()},
               {"metric", metric},
               {"series", std::move(list)}});
}

std::string entries_table(const std::vector<Entry>& entries, const Terminal& terminal) {
  using Align = report::Table::Align;
  report::Table table{.columns = {{"run"},
                                  {"started", Align::right},
                                  {"kind", Align::right},
                                  {"throughput", Align::right},
                                  {"gain", Align::right},
                                  {"scenario: answer"}}};
  table.rows.reserve(entries.size());
  for (const Entry& entry : entries) {
    table.rows.push_back({std::to_string(entry.id),
                          one_line(entry.started_utc.substr(0, kMinute)),
                          entry.kind,
                          measure_text(entry, "throughput"),
                          gain_of(entry),
                          shortened(entry.scenario, kLongestName) + ": " + one_line(entry.verdict) +
                              (entry.complete ? "" : " (incomplete)")});
  }
  std::string text;
  const std::string lines = to_lines(table);
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    text += fitted(lines.substr(begin, end - begin), terminal.width) + "\n";
    begin = end + 1;
  }
  return text;
}

std::string entries_json(const std::vector<Entry>& entries, const std::filesystem::path& store) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    list.push_back(to_document(entry));
  }
  return dump({{"schema", std::string(history::kExportSchema)},
               {"store", store.string()},
               {"runs", std::move(list)}});
}

std::string entry_text(const Entry& entry) {
  std::string text = line("run", std::to_string(entry.id));
  text += line("kind", entry.kind);
  text += line("scenario", entry.scenario);
  text += line("machine", entry.machine);
  text += line("started", entry.started_utc);
  constexpr double kMostSeconds = 9e9;  // fits into whole ns
  const double elapsed_ns = std::min(entry.elapsed_s, kMostSeconds) * kSecondNs;
  text += line("took", format_time(static_cast<std::int64_t>(elapsed_ns)));
  text += line("complete", entry.complete ? "yes" : "no");
  if (!entry.setting.empty()) {
    text += line("setting", entry.setting);
  }
  text += line("answer", entry.headline);
  for (const Measure& measure : entry.measures) {
    const std::string n = measure.n > 0 ? " (n = " + std::to_string(measure.n) + ")" : "";
    text +=
        line(measure.name,
             report::trend_value_text(measure.value, measure.unit) + interval_text(measure) + n);
  }
  const std::string commit = entry.commit.substr(0, kShownDigits);
  text += line("tune", entry.tune_version + (commit.empty() ? "" : " " + commit));
  text += line("LibTorch", entry.torch_version);
  return text + line("directory", place_text(entry.directory));
}

std::string entry_document(const Entry& entry) {
  Json json;
  json["schema"] = std::string(history::kExportSchema);
  json.update(to_document(entry));
  return dump(json);
}

}  // namespace tune::cli
