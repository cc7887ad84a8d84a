#include "trial/profile_json.h"

#include "trial/reply_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tune::trial {

namespace {

using nlohmann::json;

constexpr Range kSteps = {0, 1'000'000};
constexpr std::size_t kMostRefused = 16;
constexpr std::size_t kMostNotes = 16;

using Option = std::pair<const char*, bool Profile::*>;
constexpr std::array<Option, 5> kOptions = {{{"record_shapes", &Profile::record_shapes},
                                             {"profile_memory", &Profile::profile_memory},
                                             {"with_stack", &Profile::with_stack},
                                             {"with_flops", &Profile::with_flops},
                                             {"with_modules", &Profile::with_modules}}};

using Count = std::pair<const char*, std::int64_t ProfileOutcome::*>;
constexpr std::array<Count, 7> kCounts = {{{"events", &ProfileOutcome::events},
                                           {"memory_events", &ProfileOutcome::memory_events},
                                           {"lost_events", &ProfileOutcome::lost_events},
                                           {"lost_inputs", &ProfileOutcome::lost_inputs},
                                           {"peak_bytes", &ProfileOutcome::peak_bytes},
                                           {"file_bytes", &ProfileOutcome::file_bytes},
                                           {"json_bytes", &ProfileOutcome::json_bytes}}};

}  // namespace

json to_value(const Profile& profile) {
  json activities = json::array();
  if (profile.cpu) {
    activities.push_back("cpu");
  }
  if (profile.cuda) {
    activities.push_back("cuda");
  }
  json object = {{"activities", std::move(activities)},
                 {"wait", profile.wait},
                 {"warmup", profile.warmup},
                 {"active", profile.active},
                 {"repeat", profile.repeat},
                 {"limit_bytes", profile.limit_bytes}};
  for (const auto& [name, option] : kOptions) {
    object[name] = profile.*option;
  }
  return object;
}

Profile read_profile(JsonObject object) {
  Profile profile;
  const auto activities = object.text_list("activities", 2);
  const auto has = [&](const char* name) {
    return std::find(activities.begin(), activities.end(), name) != activities.end();
  };
  profile.cpu = has("cpu");
  profile.cuda = has("cuda");
  const auto known = static_cast<std::size_t>(profile.cpu) + static_cast<std::size_t>(profile.cuda);
  if (known == 0 || known != activities.size()) {
    complain(object.where(), object.path_of("activities"), "is none of [cpu], [cuda], [cpu, cuda]");
  }
  profile.wait = object.whole("wait", kSteps);
  profile.warmup = object.whole("warmup", kSteps);
  profile.active = object.whole("active", {1, 1'000});
  profile.repeat = object.whole("repeat", {1, 100});
  profile.limit_bytes = object.whole("limit_bytes", {1, kBytes.max});
  for (const auto& [name, option] : kOptions) {
    profile.*option = object.flag(name);
  }
  object.expect_no_more();
  return profile;
}

json to_value(const ProfileOutcome& outcome) {
  json refused = json::array();
  for (const RefusedOption& option : outcome.refused) {
    refused.push_back({{"option", option.option}, {"reason", option.reason}});
  }
  json object = {{"reason", outcome.reason.empty() ? json(nullptr) : json(outcome.reason)},
                 {"refused", std::move(refused)},
                 {"start_ns", outcome.start_ns},
                 {"end_ns", outcome.end_ns},
                 {"step_ns", outcome.step_ns},
                 {"cap_reached", outcome.cap_reached},
                 {"file", outcome.file},
                 {"device_events", outcome.device_events},
                 {"notes", outcome.notes}};
  for (const auto& [name, count] : kCounts) {
    object[name] = outcome.*count;
  }
  return object;
}

ProfileOutcome read_profile_outcome(JsonObject object) {
  ProfileOutcome outcome;
  if (!object.is_null("reason")) {
    outcome.reason = object.text("reason", 65'536);
  }
  object.each("refused", kMostRefused, [&](JsonObject& entry) {
    std::string option = entry.text("option", 64);
    outcome.refused.push_back({std::move(option), entry.text("reason")});
  });
  outcome.start_ns = object.whole("start_ns", kMoment);
  outcome.end_ns = object.whole("end_ns", {outcome.start_ns, kMoment.max});
  outcome.step_ns = object.whole_list("step_ns", kMostSteps, kDuration);
  outcome.cap_reached = object.flag("cap_reached");
  outcome.file = object.text("file", 256);
  for (const auto& [name, count] : kCounts) {
    outcome.*count = object.whole(name, kBytes);
  }
  if (object.has("device_events")) {  // replies of before had no GPU
    outcome.device_events = object.whole("device_events", kBytes);
    outcome.notes = object.text_list("notes", kMostNotes);
  }
  // The name comes from a process that nobody vouches for, and is opened beside its reply.
  if (outcome.file.find('/') != std::string::npos || outcome.file == "..") {
    complain(object.where(), object.path_of("file"), "is not a name in the trial's folder");
  }
  if (outcome.reason.empty() == outcome.file.empty()) {
    complain(object.where(), object.path_of("file"), "and the reason for none must be one of two");
  }
  return outcome;
}

}  // namespace tune::trial
