#include "trial/profile.h"

#include "base/fields.h"
#include "trial/reply_limits.h"

#include <algorithm>

namespace tune::trial {

namespace {

constexpr Range kSteps = {0, 1'000'000};
constexpr std::size_t kMostRefused = 16;
constexpr std::size_t kMostNotes = 16;

// PyTorch has a list of words for what are two switches here.
void activities_of(Fields& fields, Profile& profile) {
  std::vector<std::string> words;
  if (profile.cpu) {
    words.emplace_back("cpu");
  }
  if (profile.cuda) {
    words.emplace_back("cuda");
  }
  fields.text_list("activities", words, 2);
  profile.cpu = std::find(words.begin(), words.end(), "cpu") != words.end();
  profile.cuda = std::find(words.begin(), words.end(), "cuda") != words.end();
  const auto known = static_cast<std::size_t>(profile.cpu) + static_cast<std::size_t>(profile.cuda);
  fields.expect(
      known != 0 && known == words.size(), "activities", "must be [cpu], [cuda] or [cpu, cuda]");
}

}  // namespace

void fields_of(Fields& fields, Profile& profile) {
  activities_of(fields, profile);
  fields.whole("wait", profile.wait, kSteps);
  fields.whole("warmup", profile.warmup, kSteps);
  fields.whole("active", profile.active, {1, 1'000});
  fields.whole("repeat", profile.repeat, {1, 100});
  fields.whole("limit_bytes", profile.limit_bytes, {1, kBytes.max});
  fields.flag("record_shapes", profile.record_shapes);
  fields.flag("profile_memory", profile.profile_memory);
  fields.flag("with_stack", profile.with_stack);
  fields.flag("with_flops", profile.with_flops);
  fields.flag("with_modules", profile.with_modules);
}

void fields_of(Fields& fields, RefusedOption& refused) {
  fields.text("option", refused.option, 64);
  fields.text("reason", refused.reason);
}

void fields_of(Fields& fields, ProfileOutcome& outcome) {
  fields.text_or_null("reason", outcome.reason, 65'536);
  fields.list("refused", outcome.refused, kMostRefused);
  fields.whole("start_ns", outcome.start_ns, kMoment);
  fields.whole("end_ns", outcome.end_ns, {outcome.start_ns, kMoment.max});
  fields.whole_list("step_ns", outcome.step_ns, kMostSteps, kDuration);
  fields.flag("cap_reached", outcome.cap_reached);
  fields.text("file", outcome.file, 256);
  fields.whole("events", outcome.events, kBytes);
  fields.whole("memory_events", outcome.memory_events, kBytes);
  fields.whole("lost_events", outcome.lost_events, kBytes);
  fields.whole("lost_inputs", outcome.lost_inputs, kBytes);
  fields.whole("peak_bytes", outcome.peak_bytes, kBytes);
  fields.whole("file_bytes", outcome.file_bytes, kBytes);
  fields.whole("json_bytes", outcome.json_bytes, kBytes);
  if (fields.has("device_events")) {  // older replies had no GPU
    fields.whole("device_events", outcome.device_events, kBytes);
    fields.text_list("notes", outcome.notes, kMostNotes);
  }
  // The name comes from an untrusted process, and the file is opened next to its reply.
  fields.expect(outcome.file.find('/') == std::string::npos && outcome.file != "..",
                "file",
                "is not a name in the trial's folder");
  fields.expect(outcome.reason.empty() != outcome.file.empty(),
                "file",
                "and `reason` must exclude each other");
}

}  // namespace tune::trial
