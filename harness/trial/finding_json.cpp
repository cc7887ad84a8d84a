#include "trial/finding_json.h"

#include "trial/device_json.h"
#include "trial/own_model_json.h"
#include "trial/profile_json.h"
#include "trial/reply_limits.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace tune::trial {

namespace {

using nlohmann::json;

constexpr std::size_t kMostEpochs = 1'000;
constexpr Range kStep = {0, 1'000'000'000};
constexpr double kLargestRatio = 1e6;

bool says(JsonObject& object, const char* name) {
  return object.has(name) && !object.is_null(name);
}

SteadyRecord read_steady(JsonObject object) {
  SteadyRecord record;
  record.steady = object.flag("steady");
  record.steps = object.whole("steps", kStep);
  record.cut = object.whole("cut", {0, record.steps});
  record.sigma = object.real("sigma", 0, kLargestRatio);
  record.guard = object.real("guard", 0, kLargestRatio);
  record.reason = object.text("reason", 64);
  record.time_to_steady_ns = object.whole("time_to_steady_ns", kDuration);
  return record;
}

json to_value(const SteadyRecord& record) {
  return {{"steady", record.steady},
          {"cut", record.cut},
          {"steps", record.steps},
          {"sigma", record.sigma},
          {"guard", record.guard},
          {"reason", record.reason},
          {"time_to_steady_ns", record.time_to_steady_ns}};
}

Sentinel read_sentinel(JsonObject object) {
  Sentinel sentinel;
  sentinel.before_ns = object.whole("before_ns", {1, kDuration.max});
  sentinel.after_ns = object.whole("after_ns", {1, kDuration.max});
  return sentinel;
}

using Count = std::pair<const char*, std::int64_t Structure::*>;
constexpr std::array<Count, 7> kCounts = {{{"operators", &Structure::operators},
                                           {"backward_operators", &Structure::backward_operators},
                                           {"allocations", &Structure::allocations},
                                           {"allocated_bytes", &Structure::allocated_bytes},
                                           {"peak_bytes", &Structure::peak_bytes},
                                           {"batch_bytes", &Structure::batch_bytes},
                                           {"threads", &Structure::threads}}};

Structure read_structure(JsonObject object) {
  Structure structure;
  for (const auto& [name, count] : kCounts) {
    structure.*count = object.whole(name, kBytes);
  }
  return structure;
}

}  // namespace

void put_findings(const TrialReply& reply, json& object) {
  if (reply.warmup_search) {
    object["warmup_search"] = to_value(*reply.warmup_search);
  }
  if (reply.sentinel) {
    object["sentinel"] = {{"before_ns", reply.sentinel->before_ns},
                          {"after_ns", reply.sentinel->after_ns}};
  }
  if (reply.structure) {
    for (const auto& [name, count] : kCounts) {
      object["structure"][name] = *reply.structure.*count;
    }
  }
  json epochs = json::array();
  for (const EpochBegin& epoch : reply.epoch_begins) {
    if (epochs.size() == kMostEpochs) {
      break;
    }
    epochs.push_back({{"step", epoch.step}, {"data_wait_ns", epoch.data_wait_ns}});
  }
  object["epoch_begins"] = std::move(epochs);
  object["delay_ns"] = reply.delay_ns;
  if (!reply.device_steps.empty()) {
    object["device_steps"] = device_steps_to_json(reply.device_steps);
  }
  if (reply.device_memory) {
    object["device_memory"] = to_value(*reply.device_memory);
  }
  if (reply.profile) {
    object["profile"] = to_value(*reply.profile);
  }
  if (!reply.own_knobs.empty()) {
    object["own_knobs"] = declared_knobs_to_value(reply.own_knobs);
  }
}

void read_findings(JsonObject& object, TrialReply& reply) {
  if (says(object, "warmup_search")) {
    reply.warmup_search = read_steady(object.object("warmup_search"));
  }
  if (says(object, "sentinel")) {
    reply.sentinel = read_sentinel(object.object("sentinel"));
  }
  if (says(object, "structure")) {
    reply.structure = read_structure(object.object("structure"));
  }
  if (object.has("epoch_begins")) {
    object.each("epoch_begins", kMostEpochs, [&](JsonObject& entry) {
      EpochBegin epoch;
      epoch.step = entry.whole("step", kStep);
      epoch.data_wait_ns = entry.whole("data_wait_ns", kDuration);
      reply.epoch_begins.push_back(epoch);
    });
  }
  if (object.has("delay_ns")) {
    reply.delay_ns = object.whole("delay_ns", kDuration);
  }
  if (says(object, "device_steps")) {
    reply.device_steps = read_device_steps(object.object("device_steps"));
  }
  if (says(object, "device_memory")) {
    reply.device_memory = read_device_memory(object.object("device_memory"));
  }
  if (says(object, "profile")) {
    reply.profile = read_profile_outcome(object.object("profile"));
  }
  if (object.has("own_knobs")) {
    reply.own_knobs = read_declared_knobs(object, "own_knobs");
  }
}

}  // namespace tune::trial
