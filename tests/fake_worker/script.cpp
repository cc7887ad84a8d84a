#include "script.h"

#include "base/file.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace tune::fake {

namespace {

using nlohmann::json;

// A misspelt key in a test's script must not silently test nothing.
void expect_known(const json& object, const std::set<std::string>& names) {
  for (const auto& field : object.items()) {
    if (!names.contains(field.key())) {
      throw std::runtime_error("fake script: unknown key '" + field.key() + "'");
    }
  }
}

std::int64_t signal_number(const json& object) {
  static const std::map<std::string, int> kSignals = {{"SIGSEGV", SIGSEGV},
                                                      {"SIGABRT", SIGABRT},
                                                      {"SIGBUS", SIGBUS},
                                                      {"SIGILL", SIGILL},
                                                      {"SIGFPE", SIGFPE},
                                                      {"SIGTERM", SIGTERM},
                                                      {"SIGKILL", SIGKILL}};
  return kSignals.at(object.value("signal", "SIGSEGV"));
}

Behaviour read_behaviour(const json& object) {
  expect_known(object,
               {"cell",
                "id",
                "id_begins",
                "round",
                "do",
                "phase",
                "how",
                "message",
                "signal",
                "code",
                "bytes",
                "ns",
                "ignores_term",
                "leaves_group"});
  Behaviour read;
  read.cell = object.value("cell", "");
  read.id = object.value("id", "");
  read.id_begins = object.value("id_begins", "");
  read.round = object.value("round", std::int64_t{0});
  read.action = object.at("do").get<std::string>();
  read.phase = object.value("phase", read.phase);
  read.how = object.value("how", "");
  read.message = object.value("message", "");
  read.signal = signal_number(object);
  read.code = object.value("code", read.code);
  read.bytes = object.value("bytes", read.bytes);
  read.ns = object.value("ns", read.ns);
  read.ignores_term = object.value("ignores_term", false);
  read.leaves_group = object.value("leaves_group", false);
  return read;
}

noise::Environment read_environment(const json& script) {
  if (script.contains("environment") && script.contains("noise")) {
    throw std::runtime_error("fake script: either 'environment' or 'noise'");
  }
  if (script.contains("environment")) {
    return noise::find_environment(script.at("environment").get<std::string>());
  }
  const json noise = script.value("noise", json::object());
  expect_known(noise, {"slice_sd", "process_sd"});
  return {.name = "noise",
          .slice_sd = noise.value("slice_sd", 0.0),
          .process_sd = noise.value("process_sd", 0.0)};
}

ProfiledWindow read_profile(const json& object) {
  expect_known(object, {"dilation", "lost_events", "cap_reached", "reason"});
  ProfiledWindow profile;
  profile.dilation_ratio = object.value("dilation", profile.dilation_ratio);
  profile.lost_events = object.value("lost_events", profile.lost_events);
  profile.cap_reached = object.value("cap_reached", false);
  profile.reason = object.value("reason", "");
  return profile;
}

std::int64_t round_of(const std::string& id) {
  std::int64_t round = 0;
  if (id.starts_with('r')) {
    std::from_chars(id.data() + 1, id.data() + id.size(), round);
  }
  return round;
}

bool has(const trial::KnobSettings& knobs, const std::string& name, const std::string& value) {
  const auto knob = knobs.find(name);
  return knob != knobs.end() && trial::to_text(knob->second) == value;
}

}  // namespace

Script read_script(const std::string& source) {
  Script script;
  if (source.empty()) {
    return script;
  }
  const json object = json::parse(source.starts_with('{') ? source : read_file(source));
  expect_known(object,
               {"seed",
                "environment",
                "samples_per_s",
                "effects",
                "interactions",
                "noise",
                "stalls",
                "memory",
                "parts",
                "behaviours",
                "cells",
                "profile",
                "own_knobs",
                "gpu",
                "no_gpu",
                "log",
                "factor_file"});
  script.seed = object.value("seed", script.seed);
  script.samples_per_s = object.value("samples_per_s", script.samples_per_s);
  script.effects = object.value("effects", script.effects);
  script.parts = object.value("parts", script.parts);
  script.gpu = object.value("gpu", "");
  const json no_gpu = object.value("no_gpu", json::object());
  expect_known(no_gpu, {"kind", "text"});
  script.no_gpu = {no_gpu.value("kind", script.no_gpu.kind),
                   no_gpu.value("text", script.no_gpu.text)};
  script.log = object.value("log", "");
  script.factor_file = object.value("factor_file", "");
  for (const json& entry : object.value("interactions", json::array())) {
    expect_known(entry, {"when", "factor"});
    script.interactions.push_back(
        {entry.at("when").get<std::map<std::string, std::string>>(), entry.at("factor")});
  }
  script.environment = read_environment(object);
  const json stalls = object.value("stalls", json::object());
  expect_known(stalls, {"every_slices", "ns"});
  script.stalls = {stalls.value("every_slices", std::int64_t{0}),
                   stalls.value("ns", std::int64_t{0})};
  const json memory = object.value("memory", json::object());
  expect_known(memory, {"base_bytes", "bytes_per_sample", "limit_bytes"});
  script.memory = {memory.value("base_bytes", script.memory.base_bytes),
                   memory.value("bytes_per_sample", script.memory.bytes_per_sample),
                   memory.value("limit_bytes", script.memory.limit_bytes)};
  script.profile = read_profile(object.value("profile", json::object()));
  const json own_knobs = object.value("own_knobs", json::object());
  for (const auto& [name, range] : own_knobs.items()) {
    trial::Knob knob{.name = "plugin." + name, .kind = trial::Knob::Kind::integer};
    knob.min = range.at(0).get<std::int64_t>();
    knob.max = range.at(1).get<std::int64_t>();
    knob.default_value = knob.min;
    script.own_knobs.push_back(std::move(knob));
  }
  script.cells = read_cell_traits(object.value("cells", json::object()));
  for (const json& entry : object.value("behaviours", json::array())) {
    script.behaviours.push_back(read_behaviour(entry));
  }
  return script;
}

std::optional<Behaviour> behaviour_for(const Script& script, const trial::TrialSpec& spec) {
  for (const Behaviour& behaviour : script.behaviours) {
    const bool fits = (behaviour.cell.empty() || behaviour.cell == spec.cell) &&
                      (behaviour.id.empty() || behaviour.id == spec.id) &&
                      spec.id.starts_with(behaviour.id_begins) &&
                      (behaviour.round == 0 || behaviour.round == round_of(spec.id));
    if (fits) {
      return behaviour;
    }
  }
  return std::nullopt;
}

double rate_of(const Script& script, const trial::KnobSettings& knobs) {
  double rate = script.samples_per_s;
  for (const auto& [name, by_value] : script.effects) {
    for (const auto& [value, factor] : by_value) {
      rate *= has(knobs, name, value) ? factor : 1;
    }
  }
  for (const Interaction& interaction : script.interactions) {
    bool holds = true;
    for (const auto& [name, value] : interaction.when) {
      holds = holds && has(knobs, name, value);
    }
    rate *= holds ? interaction.factor : 1;
  }
  return rate;
}

double built_factor(const Script& script, const trial::TrialSpec& spec) {
  if (script.factor_file.empty()) {
    return 1;
  }
  const auto folder = std::filesystem::path(spec.data.path).parent_path();
  return std::stod(read_file(folder / script.factor_file));
}

}  // namespace tune::fake
