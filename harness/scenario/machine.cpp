#include "scenario/machine.h"

#include "base/assert.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <functional>
#include <map>

namespace tune::scenario {

namespace {

using expression::Result;
using expression::Type;
using expression::Unknown;
using expression::Value;
using machine::MachineFacts;

struct Fact {
  Type type;
  std::function<Result(const MachineFacts&)> value;
};

const Type kFlag{.kind = Type::Kind::boolean};
const Type kCount{.kind = Type::Kind::number};
const Type kText{.kind = Type::Kind::text};

Fact cpu_flag(std::string flag) {
  return {kFlag, [flag = std::move(flag)](const MachineFacts& machine) -> Result {
            return Value::of(has_cpu_flag(machine, flag));
          }};
}

// Numbers that machine facts leave at 0 when they cannot be read.
Fact number(std::int64_t MachineFacts::*field, const Type& type) {
  return {type, [field, type](const MachineFacts& machine) -> Result {
            if (machine.*field == 0) {
              return Unknown{"this machine does not say"};
            }
            return Value::of(static_cast<double>(machine.*field), type.dimension);
          }};
}

const std::map<std::string, Fact>& facts() {
  static const std::map<std::string, Fact> facts = {
      {"amx", cpu_flag("amx_tile")},
      {"avx2", cpu_flag("avx2")},
      {"avx512", cpu_flag("avx512f")},
      {"bf16", {kFlag, [](const MachineFacts& m) -> Result { return Value::of(has_bf16(m)); }}},
      {"cpu_model",
       {kText,
        [](const MachineFacts& m) -> Result {
          return m.cpu_model.empty() ? Result(Unknown{"this machine does not say"})
                                     : Result(Value::of(m.cpu_model));
        }}},
      {"cpus", number(&MachineFacts::cpus, kCount)},
      {"device",
       {{.kind = Type::Kind::text, .choices = {"cpu", "cuda"}},
        [](const MachineFacts& m) -> Result { return Value::of(m.device); }}},
      {"fp16", {kFlag, [](const MachineFacts& m) -> Result { return Value::of(has_fp16(m)); }}},
      {"gpus",
       {kCount,
        [](const MachineFacts& m) -> Result {
          return Value::of(static_cast<double>(m.gpus.size()));
        }}},
      {"logical_cpus", number(&MachineFacts::logical_cpus, kCount)},
      {"memory",
       number(&MachineFacts::memory_limit_bytes,
              {.kind = Type::Kind::number, .dimension = {.bytes = 1}})},
      {"physical_cores", number(&MachineFacts::physical_cores, kCount)},
  };
  return facts;
}

Type type_of(const trial::Knob& knob) {
  switch (knob.kind) {
    case trial::Knob::Kind::boolean:
      return kFlag;
    case trial::Knob::Kind::integer:
      return kCount;
    case trial::Knob::Kind::choice:
      return {.kind = Type::Kind::text, .choices = knob.choices};
    case trial::Knob::Kind::cpu_list:
      break;
  }
  return kText;
}

// As far as one knows without the plug-in.
Type type_of(const trial::KnobValue& value) {
  return std::holds_alternative<bool>(value)          ? kFlag
         : std::holds_alternative<std::string>(value) ? kText
                                                      : kCount;
}

Value to_value(const trial::KnobValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) {
    return Value::of(*flag);
  }
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return Value::of(static_cast<double>(*whole));
  }
  if (const auto* const real = std::get_if<double>(&value)) {
    return Value::of(*real);
  }
  return Value::of(std::get<std::string>(value));
}

expression::NameTypes make_names() {
  expression::NameTypes names;
  for (const auto& [name, fact] : facts()) {
    names.emplace(name, fact.type);
  }
  for (const trial::Knob& knob : trial::all_knobs()) {
    const bool added = names.emplace(knob.name, type_of(knob)).second;
    TUNE_ASSERT(added);  // one namespace: a knob must not hide a fact
  }
  return names;
}

}  // namespace

const expression::NameTypes& forbid_names() {
  static const expression::NameTypes names = make_names();
  return names;
}

expression::NameTypes forbid_names(const trial::KnobSettings& settings) {
  expression::NameTypes names = forbid_names();
  for (const auto& [name, value] : trial::plugin_knobs(settings)) {
    names.emplace(name, type_of(value));
  }
  return names;
}

Result forbid_value(const std::string& name,
                    const trial::KnobSettings& knobs,
                    const MachineFacts& machine) {
  const auto knob = knobs.find(name);
  if (knob != knobs.end()) {
    return to_value(knob->second);
  }
  if (const trial::Knob* const other = trial::find_knob(name)) {  // of scripts, and this is a model
    return to_value(other->default_value);
  }
  return facts().at(name).value(machine);
}

bool has_cpu_flag(const MachineFacts& machine, const std::string& flag) {
  const auto& flags = machine.cpu_flags;
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

bool has_bf16(const MachineFacts& machine) {
  return has_cpu_flag(machine, "amx_bf16") || has_cpu_flag(machine, "avx512_bf16") ||
         has_cpu_flag(machine, "bf16");  // the last one is Arm's
}

bool has_fp16(const MachineFacts& machine) {
  return has_cpu_flag(machine, "amx_fp16") || has_cpu_flag(machine, "avx512_fp16") ||
         has_cpu_flag(machine, "avx_ne_convert");  // what oneDNN asks for
}

std::string settled_device(const std::string& asked, bool has_gpu) {
  if (asked != "auto") {
    return asked;
  }
  return has_gpu ? "cuda" : "cpu";
}

std::string lost_gpu_text(const machine::MachineFacts& machine) {
  if (machine.no_gpu.empty()) {
    return "";
  }
  return (machine.device == "cpu" ? "trials run on the CPU: "
                                  : "device cuda is not available here: ") +
         machine.no_gpu;
}

void settle_device(Scenario& scenario, const std::string& device) {
  scenario.workload.device = device;
  if (!scenario.activities_are_written) {
    scenario.profile.cuda = scenario.workload.on_gpu();
  }
}

}  // namespace tune::scenario
