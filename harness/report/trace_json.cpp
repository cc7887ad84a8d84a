#include "report/trace_json.h"

#include "report/analysis_json.h"
#include "report/json_parts.h"
#include "report/role_times_json.h"
#include "report/table_json.h"
#include "report/trace_sections.h"
#include "report/what_if_text.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using profile::NoteClass;
using profile::NoteKind;
using profile::Role;

Json steps_json(const profile::Partition& partition) {
  Json list = Json::array();
  for (std::size_t i = 0; i < partition.parts.size(); ++i) {
    const profile::Step& step = partition.steps.steps[i];
    list.push_back({{"name", step.name},
                    {"start_ns", step.interval.begin_ns},
                    {"duration_ns", step.interval.length_ns()},
                    {"exposed_ns", to_json(partition.parts[i].exposed_ns)},
                    {"overlapped_ns", to_json(partition.parts[i].overlapped_ns)}});
  }
  Json steps = {{"marked", partition.steps.are_known},
                {"total_ns", partition.total_ns()},
                {"unfinished", partition.steps.unfinished},
                {"list", std::move(list)}};
  if (!partition.steps.inferred_from.empty()) {
    steps["inferred_from"] = partition.steps.inferred_from;
  }
  return steps;
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
  return {{"exposed_ns", to_json(partition.total.exposed_ns)},
          {"overlapped_ns", to_json(partition.total.overlapped_ns)},
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

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json recording_json(const RecordedScript& recorded) {
  return {{"wanted_steps", recorded.wanted_steps},
          {"steps", recorded.recorded_steps},
          {"file_bytes", recorded.trace_bytes},
          {"step_before_s", number_or_null(recorded.step_before_s)},
          {"recorded_step_s", number_or_null(recorded.recorded_step_s)},
          {"step_after_s", number_or_null(recorded.step_after_s)},
          {"dilation_ratio", number_or_null(recorded.dilation)},
          {"samples", recorded.samples},
          {"sampled_steps", recorded.sampled_steps}};
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
  put_or_reason(json, "what_if", what_if_json(analysis), "--what-if was not given");
  json["tables"] = to_json(analysis.tables);
  json["notes"] = notes_json(timeline.notes);
  if (analysis.script != nullptr) {
    json["recording"] = recording_json(*analysis.script);
  }
  return json;
}

}  // namespace

std::string to_trace_json(const TraceAnalysis& analysis) {
  AnalysisRecord record;
  record.headline = trace_headline(analysis);
  record.metrics = analysis.metrics;
  record.diagnosis = analysis.diagnosis;
  record.script = analysis.script == nullptr ? nullptr : &analysis.script->script;
  record.warnings = analysis.input.timeline.notes.warnings();
  record.tune_version = analysis.tune_version;
  record.commit = analysis.commit;
  record.command = analysis.command;
  record.directory = analysis.directory;
  record.started_utc = analysis.started_utc;
  record.elapsed_ns = analysis.read_ns + analysis.examine_ns;
  return to_analysis_json(record, trace_part(analysis));
}

}  // namespace tune::report
