#include "report/trace_json.h"

#include "report/json_parts.h"
#include "report/number_text.h"
#include "report/trace_text.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using profile::NoteClass;
using profile::NoteKind;
using profile::Role;

Json number(const std::optional<double>& value) {
  const auto known = value ? finite(*value) : std::nullopt;
  return known ? Json(*known) : Json(nullptr);
}

Json metric_json(const metric::Metric& metric) {
  Json json;
  json["id"] = metric.id;
  json["unit"] = metric.unit;
  json["value"] = number(metric.value);
  json["lower"] = number(metric.lower);
  json["upper"] = number(metric.upper);
  json["confidence"] = metric.lower ? number(metric.confidence) : Json(nullptr);
  json["n"] = metric.n;
  json["cell"] = nullptr;
  json["window"] = "profile";
  json["reason"] = text_or_null(metric.reason);
  json["warnings"] = metric.warnings;
  return json;
}

Json times_json(const profile::RoleTimes& times) {
  Json json;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    json[std::string(profile::role_name(static_cast<Role>(role)))] = times[role];
  }
  return json;
}

Json steps_json(const profile::Partition& partition) {
  Json list = Json::array();
  for (std::size_t i = 0; i < partition.parts.size(); ++i) {
    const profile::Step& step = partition.steps.steps[i];
    list.push_back({{"name", step.name},
                    {"start_ns", step.interval.begin_ns},
                    {"duration_ns", step.interval.length_ns()},
                    {"exposed_ns", times_json(partition.parts[i].exposed_ns)},
                    {"overlapped_ns", times_json(partition.parts[i].overlapped_ns)}});
  }
  return {{"marked", partition.steps.are_marked},
          {"total_ns", partition.total_ns()},
          {"unfinished", partition.steps.unfinished},
          {"list", std::move(list)}};
}

Json partition_json(const profile::Partition& partition) {
  Json rows;
  for (std::size_t role = 0; role < profile::kRolesOfRows; ++role) {
    rows[std::string(profile::role_name(static_cast<Role>(role)))] = partition.rows[role];
  }
  Json busy = Json::array();
  const profile::Intervals steps = partition.steps.covered();
  for (const auto& [device, work] : partition.device_busy) {
    busy.push_back({{"device", device}, {"busy_ns", length_ns(profile::intersect(steps, work))}});
  }
  return {{"exposed_ns", times_json(partition.total.exposed_ns)},
          {"overlapped_ns", times_json(partition.total.overlapped_ns)},
          {"rows", std::move(rows)},
          {"has_device_rows", partition.has_device_rows},
          {"devices", std::move(busy)},
          {"device_tail_ns", partition.device_tail_ns},
          {"communication_beside_kernels_ns", partition.communication_beside_kernels_ns},
          {"copies_beside_both_ns", partition.copies_beside_both_ns}};
}

Json runtime_json(const profile::RuntimeSplit& runtime) {
  Json kinds;
  for (std::size_t kind = 0; kind < profile::kCallKinds; ++kind) {
    kinds[std::string(profile::call_kind_name(static_cast<profile::CallKind>(kind)))] = {
        {"calls", runtime.calls[kind]},
        {"host_ns", runtime.host_ns[kind]},
        {"exposed_ns", runtime.exposed_ns[kind]}};
  }
  return {{"kinds", std::move(kinds)},
          {"blocked_during_kernels_ns", runtime.blocked_during_kernels_ns},
          {"blocked_during_copies_ns", runtime.blocked_during_copies_ns},
          {"blocked_for_nothing_ns", runtime.blocked_for_nothing_ns},
          {"blocking_copy_limit_ns", runtime.blocking_copy_limit_ns}};
}

Json notes_json(const profile::ReaderNotes& notes) {
  Json json = {
      {"dropped", Json::object()}, {"repaired", Json::object()}, {"skipped", Json::object()}};
  for (std::size_t i = 0; i < profile::kNoteKinds; ++i) {
    const auto kind = static_cast<NoteKind>(i);
    const profile::Note& note = notes.of(kind);
    if (note.count == 0) {
      continue;
    }
    const NoteClass of_class = profile::note_class(kind);
    const char* const name = of_class == NoteClass::dropped    ? "dropped"
                             : of_class == NoteClass::repaired ? "repaired"
                                                               : "skipped";
    json[name][std::string(profile::note_name(kind))] = {
        {"count", note.count},
        {"first_offset", note.first_offset >= 0 ? Json(note.first_offset) : Json(nullptr)}};
  }
  json["unused_categories"] = Json::object();
  json["unused_categories"].update(Json(notes.other_categories()));
  return json;
}

Json devices_json(const profile::Timeline& timeline) {
  Json devices = Json::array();
  for (const profile::DeviceProperties& device : timeline.devices) {
    devices.push_back({{"id", device.id},
                       {"name", device.name},
                       {"memory_bytes", device.memory_bytes},
                       {"multiprocessors", device.multiprocessors}});
  }
  return devices;
}

Json trace_part(const TraceAnalysis& analysis) {
  const profile::Timeline& timeline = analysis.input.timeline;
  const profile::RankInfo& rank = timeline.rank;
  Json json;
  json["file"] = timeline.file;
  json["compression"] = timeline.cost.compression;
  json["file_bytes"] = timeline.cost.file_bytes;
  json["json_bytes"] = timeline.cost.json_bytes;
  json["rows"] = timeline.cost.rows;
  json["base_time_ns"] = timeline.base_time_ns;
  put_or_reason(json,
                "rank",
                rank.rank ? Json(*rank.rank) : Json(nullptr),
                "neither distributedInfo nor the file's name says");
  put_or_reason(json,
                "world_size",
                rank.world_size ? Json(*rank.world_size) : Json(nullptr),
                "distributedInfo does not say");
  json["devices"] = devices_json(timeline);
  json["metadata"] = Json::object();
  json["metadata"].update(Json(timeline.metadata));
  json["steps"] = steps_json(analysis.input.partition);
  json["partition"] = partition_json(analysis.input.partition);
  json["runtime"] = runtime_json(analysis.input.runtime);
  json["notes"] = notes_json(timeline.notes);
  return json;
}

Json summary_part(const TraceAnalysis& analysis) {
  Json json;
  json["headline"] = trace_headline(analysis);
  json["standing"] = "analyzed";
  const char* const kWhy = "a trace shows one setting, and no throughput";
  put_or_reason(json, "baseline", nullptr, kWhy);
  put_or_reason(json, "best", nullptr, kWhy);
  json["trials"] = {{"run", 0}, {"failed", 0}, {"grid", 0}};
  return json;
}

Json provenance_part(const TraceAnalysis& analysis) {
  Json json;
  json["tune_version"] = analysis.tune_version;
  put_or_reason(json, "commit", text_or_null(analysis.commit), "not built from a repository");
  json["command"] = analysis.command;
  json["directory"] = analysis.directory;
  json["started"] = analysis.started_utc;
  json["elapsed"] = static_cast<double>(analysis.read_ns + analysis.examine_ns) * 1e-9;
  return json;
}

}  // namespace

std::string to_trace_json(const TraceAnalysis& analysis) {
  Json metrics = Json::array();
  for (const metric::Metric& metric : analysis.metrics) {
    metrics.push_back(metric_json(metric));
  }
  Json json;
  json["schema"] = "tune-result/1";
  json["kind"] = "analyze";
  json["summary"] = summary_part(analysis);
  json["warnings"] = analysis.input.timeline.notes.warnings();
  json["cells"] = Json::array();
  json["collapsed"] = Json::array();
  json["forbidden"] = Json::array();
  json["metrics"] = std::move(metrics);
  json["findings"] = Json::array();
  json["findings_reason"] = "no rule was asked";
  json["recommendations"] = Json::array();
  json["recommendations_reason"] = "no rule was asked";
  put_or_reason(json, "gate", nullptr, "an analysis judges nothing");
  put_or_reason(
      json, "environment", nullptr, "a trace does not describe the machine it comes from");
  put_or_reason(json, "scenario", nullptr, "a trace has none");
  json["provenance"] = provenance_part(analysis);
  json["trace"] = trace_part(analysis);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune::report
