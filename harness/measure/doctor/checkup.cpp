#include "measure/doctor/checkup.h"

#include "base/fields.h"
#include "base/units.h"
#include "measure/doctor/checks.h"
#include "scenario/machine.h"
#include "trial/knob_catalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tune::doctor {

namespace {

void add(Checkup& checkup, const char* group, std::vector<Check> checks) {
  for (Check& check : checks) {
    check.group = group;
  }
  std::move(checks.begin(), checks.end(), std::back_inserter(checkup.checks));
}

}  // namespace

Level Checkup::worst() const {
  Level worst = Level::ok;
  for (const Check& check : checks) {
    if (check.level != Level::unknown && check.level > worst) {
      worst = check.level;
    }
  }
  return worst;
}

std::size_t Checkup::count(Level level) const {
  return static_cast<std::size_t>(std::count_if(
      checks.begin(), checks.end(), [&](const Check& check) { return check.level == level; }));
}

Checkup examine(const Observation& observation) {
  Checkup checkup;
  add(checkup, "load", load_checks(observation));
  add(checkup, "processor", processor_checks(observation));
  add(checkup, "memory", memory_checks(observation));
  add(checkup, "storage", storage_checks(observation));
  add(checkup, "limits", limit_checks(observation));
  add(checkup, "gpu", gpu_checks(observation));
  add(checkup, "installation", installation_checks(observation));
  return checkup;
}

std::string machine_line(const Observation& observation) {
  const machine::MachineFacts& facts = observation.machine;
  const auto known = [](const std::string& text, const char* otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  };
  return known(facts.distribution, "an unknown distribution") + ", kernel " +
         known(facts.kernel, "unknown") + "; " + known(facts.cpu_model, "an unknown CPU") + "; " +
         std::to_string(facts.cpus) + (facts.cpus == 1 ? " CPU, " : " CPUs, ") +
         format_bytes(facts.memory_limit_bytes);
}

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json checks_json(const Checkup& checkup) {
  Json list = Json::array();
  for (const Check& check : checkup.checks) {
    list.push_back({{"id", check.id},
                    {"group", check.group},
                    {"level", name(check.level)},
                    {"found", check.found},
                    {"why", text_or_null(check.why)},
                    {"advice", text_or_null(check.advice)}});
  }
  return list;
}

Json policy_json(const machine::CpuPolicy& policy) {
  return {{"governors", policy.governors},
          {"driver", text_or_null(policy.driver)},
          {"energy_preference", text_or_null(policy.energy_preference)},
          {"turbo", or_null(policy.turbo)},
          {"shares_cores", or_null(policy.shares_cores)},
          {"numa_nodes", or_null(policy.numa_nodes)},
          {"clock_source", text_or_null(policy.clock_source)},
          {"on_battery", or_null(policy.on_battery)}};
}

Json memory_json(const Observation& seen) {
  const auto& memory = seen.memory;
  return {{"available_bytes", or_null(memory.available_bytes)},
          {"swap_bytes", or_null(memory.swap_bytes)},
          {"swap_used_bytes", or_null(memory.swap_used_bytes)},
          {"huge_pages", text_or_null(memory.huge_pages)},
          {"huge_pages_defrag", text_or_null(memory.huge_pages_defrag)},
          {"shared_memory_bytes",
           seen.shared_memory ? Json(seen.shared_memory->total_bytes) : Json(nullptr)}};
}

Json limits_json(const Observation& seen) {
  return {{"is_container", seen.container.is_container},
          {"is_virtual_machine", seen.container.is_virtual_machine},
          {"platform", text_or_null(seen.container.platform)},
          {"most_tasks", or_null(seen.container.most_tasks)},
          {"most_open_files", or_null(seen.most_open_files)},
          {"oom_kills", or_null(seen.oom_kills)},
          {"removed_variables", seen.removed_variables}};
}

Json folders_json(const Observation& seen) {
  Json list = Json::array();
  for (const UsedFolder& folder : seen.folders) {
    Json json = {{"what", folder.what}, {"path", folder.path.string()}};
    if (folder.space) {
      json["type"] = text_or_null(folder.space->type);
      json["free_bytes"] = folder.space->free_bytes;
      json["total_bytes"] = folder.space->total_bytes;
      json["is_writable"] = folder.space->is_writable;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json gpus_json(const Gpus& gpus) {
  Json list = Json::array();
  for (const machine::GpuState& gpu : gpus.states) {
    list.push_back({{"uuid", gpu.uuid},
                    {"name", gpu.name},
                    {"persistence", or_null(gpu.is_persistent)},
                    {"partitioned", or_null(gpu.is_partitioned)},
                    {"compute_mode", text_or_null(gpu.compute_mode)},
                    {"power_limit_w", or_null(gpu.power_limit_w)},
                    {"usual_power_limit_w", or_null(gpu.usual_power_limit_w)},
                    {"link_width", or_null(gpu.link_width)},
                    {"most_link_width", or_null(gpu.most_link_width)},
                    {"uncorrected_errors", or_null(gpu.uncorrected_errors)},
                    {"processes", or_null(gpu.processes)},
                    {"used_ratio", or_null(gpu.used_ratio)},
                    {"memory_bytes", or_null(gpu.memory_bytes)},
                    {"memory_used_bytes", or_null(gpu.memory_used_bytes)},
                    {"temperature", or_null(gpu.temperature)}});
  }
  return {{"driver", text_or_null(gpus.driver.version)},
          {"driver_cuda_version", or_null(gpus.driver.cuda_version)},
          {"reason", text_or_null(gpus.problem)},
          {"visible", gpus.visible},
          {"devices", std::move(list)}};
}

// Each series by its name, without those of single CPUs: value and unit, or why there is none.
Json window_json(const Observation& seen) {
  Json readings = Json::object();
  for (const telemetry::SeriesSummary& series : seen.window.series) {
    if (series.info.label.empty()) {
      const bool is_known = series.mean && std::isfinite(*series.mean);
      readings[series.info.id] = {{"value", is_known ? Json(*series.mean) : Json(nullptr)},
                                  {"unit", series.info.unit},
                                  {"reason", text_or_null(series.reason)}};
    }
  }
  Json busiest = Json::array();
  for (const machine::BusyProcess& process : seen.busiest) {
    busiest.push_back(
        {{"process", process.process}, {"name", process.name}, {"cpus", process.cpus}});
  }
  return {{"seconds", seen.window_s},
          {"own_cpus", seen.own_cpus},
          {"readings", std::move(readings)},
          {"busiest", std::move(busiest)}};
}

Json installation_json(const Installation& own) {
  Json json = {{"tune_version", own.tune_version},
               {"commit", own.commit},
               {"worker", text_or_null(own.worker)},
               {"worker_problem", text_or_null(own.worker_problem)},
               {"probe", text_or_null(own.probe_utc)}};
  if (own.description) {
    const trial::WorkerDescription& worker = *own.description;
    json["worker_version"] = worker.version;
    json["protocol"] = worker.protocol;
    json["torch_version"] = worker.torch_version;
    json["cpu_capability"] = worker.cpu_capability;
    json["jpeg_version"] = worker.jpeg_version;
    json["gpu"] = worker.gpu ? Json(to_value(*worker.gpu)) : Json(nullptr);
    json["no_gpu"] = text_or_null(worker.no_gpu_text);
  }
  return json;
}

Json value_json(const expression::Result& result) {
  const auto* const value = std::get_if<expression::Value>(&result);
  if (value == nullptr) {
    return nullptr;
  }
  if (const auto* const flag = std::get_if<bool>(&value->data)) {
    return *flag;
  }
  if (const auto* const number = std::get_if<expression::Number>(&value->data)) {
    return number->value;
  }
  const auto* const text = std::get_if<std::string>(&value->data);
  return text != nullptr ? Json(*text) : Json(nullptr);
}

// What an expression of `forbid` or --only sees of this machine, knobs aside.
Json forbid_json(const machine::MachineFacts& machine) {
  Json json = Json::object();
  for (const auto& [name, type] : scenario::forbid_names()) {
    if (trial::find_knob(name) == nullptr) {
      json[name] = value_json(scenario::forbid_value(name, {}, machine));
    }
  }
  return json;
}

}  // namespace

std::string to_json(const Checkup& checkup, const Observation& seen, const std::string& utc) {
  const Json json = {{"schema", "tune-doctor/1"},
                     {"utc", utc},
                     {"worst", name(checkup.worst())},
                     {"checks", checks_json(checkup)},
                     {"forbid", forbid_json(seen.machine)},
                     {"machine", Json(nlohmann::json(to_value(seen.machine)))},
                     {"processor", policy_json(seen.policy)},
                     {"memory", memory_json(seen)},
                     {"limits", limits_json(seen)},
                     {"folders", folders_json(seen)},
                     {"gpus", gpus_json(seen.gpus)},
                     {"window", window_json(seen)},
                     {"installation", installation_json(seen.installation)}};
  // Names of processes and words of drivers may be any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune::doctor
