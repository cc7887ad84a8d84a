#include "measure/history/series.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "measure/history/entry.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace tune::history {

namespace {

constexpr double kLargest = 1e18;
constexpr std::int64_t kMost = 1'000'000'000'000;
constexpr std::size_t kMostChanges = 100;

void point_of(Fields& fields, Point& point) {
  fields.whole("run", point.id, {0, kMost});
  fields.word("kind", point.kind, {"run", "gate"});
  fields.text("started", point.started_utc, 64);
  fields.real("value", point.value, -kLargest, kLargest);
  fields.text("commit", point.commit, kLongestText);
  fields.text("torch_version", point.torch_version, kLongestText);
  fields.text("worker_sha256", point.worker_sha256, kLongestText);
}

void gate_of(Fields& fields, PastGate& gate) {
  fields.whole("run", gate.id, {0, kMost});
  fields.text("started", gate.started_utc, 64);
  fields.text("verdict", gate.verdict, 64);
  fields.text("reason", gate.reason, kLongestText);
  fields.text("candidate", gate.candidate, kLongestText);
  fields.list("changes", gate.changes, kMostChanges, [](Fields& entry, PastChange& change) {
    entry.text("metric", change.metric, kLongestText);
    entry.real("ratio", change.ratio, -kLargest, kLargest);
  });
}

}  // namespace

std::filesystem::path kept_series_file(const std::filesystem::path& run_directory) {
  return run_directory / "history.json";
}

void fields_of(Fields& fields, Series& series) {
  fields.schema(kSeriesSchema);
  fields.text("scenario", series.scenario, kLongestText);
  fields.text("machine", series.machine, kLongestText);
  fields.text("subject", series.subject, 64);
  fields.text("metric", series.metric, kLongestText);
  fields.text("unit", series.unit, kLongestText);
  fields.whole("runs", series.runs, {0, kMost});
  fields.text("last_started", series.last_started, 64);
  fields.list("points", series.points, kMostPoints, point_of);
  if (fields.has("gates")) {  // older ones have none
    fields.list("gates", series.gates, kMostGates, gate_of);
  }
}

std::string to_json(const Series& series) {
  return json_text(to_value(series), 1) + "\n";
}

Series parse_series(std::string_view text, const std::string& where) {
  return parse_record<Series>(text, where);
}

std::optional<Series> load_kept_series(const std::filesystem::path& run_directory,
                                       std::string& problem) {
  const std::filesystem::path file = kept_series_file(run_directory);
  if (type_of_kept(file) == std::filesystem::file_type::not_found) {
    return std::nullopt;
  }
  try {
    return parse_series(read_kept_file(file), file.string());
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    problem = error.what();
    return std::nullopt;
  }
}

namespace {

constexpr std::string_view kDelta = "delta_";

// The headline without the verdict that it begins with.
std::string reason_of(const Entry& entry) {
  const std::string begin = entry.verdict + ": ";
  return entry.headline.starts_with(begin) ? entry.headline.substr(begin.size()) : "";
}

PastGate gate_of(const Entry& entry) {
  PastGate gate{.id = entry.id,
                .started_utc = entry.started_utc,
                .verdict = entry.verdict,
                .reason = reason_of(entry),
                .candidate = entry.setting,
                .changes = {}};
  for (const Measure& measure : entry.measures) {
    if (measure.name.starts_with(kDelta)) {
      gate.changes.push_back({measure.name.substr(kDelta.size()), measure.value});
    }
  }
  return gate;
}

}  // namespace

std::vector<PastGate> gates_before(const Entry& own, const std::vector<Entry>& entries) {
  std::vector<PastGate> gates;
  for (const Entry& entry : entries) {
    if (entry.kind == "gate" && entry.scenario == own.scenario && entry.machine == own.machine &&
        entry.started_utc < own.started_utc) {
      gates.push_back(gate_of(entry));
    }
  }
  std::stable_sort(gates.begin(), gates.end(), [](const PastGate& a, const PastGate& b) {
    return a.started_utc > b.started_utc;
  });
  gates.resize(std::min(gates.size(), kMostGates));
  return gates;
}

}  // namespace tune::history
