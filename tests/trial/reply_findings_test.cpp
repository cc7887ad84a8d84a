#include "base/error.h"
#include "sample_trial.h"
#include "trial/trial_reply.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace tune::trial {
namespace {

using nlohmann::json;

TrialReply read_after(const std::function<void(json&)>& change) {
  json object = json::parse(to_json(sample_reply()));
  change(object);
  return parse_trial_reply(object.dump(), "reply.json");
}

TEST(Findings, AnOlderWorkerSaysNothingOfThem) {
  const TrialReply reply = read_after([](json& object) {
    for (const char* name :
         {"warmup_search", "sentinel", "structure", "epoch_begins", "delay_ns"}) {
      object.erase(name);
    }
    for (const char* name : {"resident_bytes",
                             "pressure_cpu_ns",
                             "pressure_io_ns",
                             "throttle_events",
                             "mean_mhz",
                             "core_probe_ns",
                             "fastest_core_probe_ns"}) {
      object["slices"][0]["disturbance"].erase(name);
    }
  });
  EXPECT_FALSE(reply.warmup_search || reply.sentinel || reply.structure);
  EXPECT_TRUE(reply.epoch_begins.empty());
  EXPECT_EQ(reply.delay_ns, 0);
  EXPECT_FALSE(reply.slices[0].disturbance.mean_mhz);
}

TEST(Findings, NullMeansNotKnown) {
  const TrialReply reply = read_after([](json& object) {
    object["sentinel"] = nullptr;
    object["slices"][0]["disturbance"]["throttle_events"] = nullptr;
    object["slices"][0]["disturbance"]["mean_mhz"] = nullptr;
  });
  EXPECT_FALSE(reply.sentinel);
  EXPECT_FALSE(reply.slices[0].disturbance.throttle_events);
}

TEST(Findings, NonsenseIsRefused) {
  const std::vector<std::function<void(json&)>> changes = {
      [](json& object) { object["warmup_search"]["cut"] = 8; },  // beyond its 7 steps
      [](json& object) { object["warmup_search"]["sigma"] = -1; },
      [](json& object) { object["sentinel"]["before_ns"] = 0; },
      [](json& object) { object["sentinel"].erase("after_ns"); },
      [](json& object) { object["own_knobs"] = nullptr; },
      [](json& object) { object["facts"]["no_gpu"] = nullptr; },
      [](json& object) { object["structure"]["operators"] = "many"; },
      [](json& object) { object["epoch_begins"][0]["step"] = -1; },
      [](json& object) {
        object["epoch_begins"] = std::vector<json>(1'001, object["epoch_begins"][0]);
      },
      [](json& object) { object["delay_ns"] = -1; },
      [](json& object) { object["slices"][0]["disturbance"]["mean_mhz"] = "fast"; },
  };
  for (const auto& change : changes) {
    EXPECT_THROW(read_after(change), Error) << &change - changes.data();
  }
}

}  // namespace
}  // namespace tune::trial
