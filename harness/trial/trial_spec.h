#pragma once

#include "trial/knob_catalog.h"
#include "trial/own_model.h"
#include "trial/profile.h"
#include "trial/script.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tune {
class Fields;
}

namespace tune::trial {

// Upper limits of durations, shared by scenarios, flags, specs and ledgers, so that nothing is
// measured that its own record would refuse.

/// A trial, its warm-up, and one of its slices: a day.
constexpr std::int64_t kLongestTrialNs = 86'400'000'000'000;

/// A whole campaign or gate: ten thousand hours.
constexpr std::int64_t kLongestCampaignNs = 36'000'000'000'000'000;

constexpr int kProtocol = 1;

/// What is computed, in the scenario's words. Times and sizes are elsewhere.
struct Workload {
  std::string model;              ///< a name of workload_catalog.h, or that of `own` or of `script`
  std::string task = "train";     ///< train | infer
  std::int64_t image_size = 224;  ///< square input, pixels
  std::int64_t classes = 1000;
  std::string optimizer = "sgd";  ///< sgd | adamw
  double lr = 0.01, momentum = 0.9, weight_decay = 0;
  std::uint64_t seed = 0;  ///< weights, data order, augmentation: equal for both sides of a pair
  std::int64_t log_every = 0;         ///< steps between reads of the loss on the host; 0 = never
  std::int64_t checkpoint_every = 0;  ///< steps between writes of all parameters to disk; 0 = never
  /// auto | cpu | cuda. The orchestrator decides what `auto` means; a worker that reads `auto`
  /// takes a GPU if one can be used.
  std::string device = "auto";
  /// Values that shape the model, by name: numbers for a model of the catalogue (ModelParam of
  /// workload_catalog.h), anything that a plug-in accepts; missing ones have their defaults.
  KnobSettings params = {};
  OwnModel own = {};
  Script script = {};

  bool on_gpu() const { return device == "cuda"; }
  bool operator==(const Workload&) const = default;
};

/// The source of the samples. The orchestrator makes generated data before the first trial; the
/// worker only reads.
struct Data {
  /// synthetic | generated-jpeg | image-folder | generated-tokens | token-bin | plugin: made by the
  /// plug-in | script: read by the script
  std::string source = "synthetic";
  std::string path;          ///< absolute folder of the images, or file of tokens; "" for synthetic
  std::int64_t samples = 0;  ///< size of a synthetic or generated set; of tokens in sequences
  std::string profile;       ///< generated-jpeg: imagenet | tiny | faults
  std::string on_error = "fail";   ///< fail | replace | zero: what replaces a broken file
  double max_error_ratio = 0.001;  ///< of all samples delivered; above it the trial is refused
  bool drop_last = false;          ///< PyTorch's default
  std::string manifest_sha256;     ///< of the data set; "" for synthetic
  bool operator==(const Data&) const = default;
};

/// How long to measure.
struct Measure {
  std::int64_t warmup_steps = 3;           ///< at least
  std::int64_t warmup_ns = 2'000'000'000;  ///< and at least
  std::int64_t slices = 5;
  /// At most this many more slices, until `slices` of them had their cores to themselves.
  std::int64_t spare_slices = 0;
  std::int64_t fastest_core_probe_ns = 0;  ///< in earlier processes like this one; 0: unknown
  std::int64_t slice_ns = 1'000'000'000;   ///< a slice lasts at least this
  std::int64_t slice_steps = 2;            ///< and at least this many whole steps

  /// Continue the warm-up, doubling it each time, until stats::find_steady_state calls the steps
  /// steady; at least warmup_steps and warmup_ns, at most warmup_limit_ns. After a quarter of the
  /// limit, steps that are steady but few for their noise are accepted. Otherwise exactly as above:
  /// both sides of a pair warm up alike.
  bool find_warmup = false;
  std::int64_t warmup_limit_ns = 60'000'000'000;
  /// Time a fixed piece of work before the first slice and after the last; the former is followed
  /// by one or a few steps, so that the first slice finds the caches and the loader's stock as
  /// usual.
  bool sentinel = false;
  bool structure = false;     ///< after the slices, count one more step
  bool instructions = false;  ///< count those of each slice, where the machine has a counter
  /// Continue to the next epoch and measure exactly one epoch as its own slice, before the others.
  bool epoch = false;
  double delay_ratio = 0;  ///< after each step wait this share of its time: an injected slowdown
  /// Take every batch and drop it: nothing is computed, so that only the loader is measured.
  bool loader_only = false;
  bool operator==(const Measure&) const = default;
};

/// The job of one worker process; written as JSON into the trial's folder.
struct TrialSpec {
  int protocol = kProtocol;
  std::string id;    ///< "r1-c07": unique in the campaign
  std::string cell;  ///< "baseline", "c07"
  Workload workload;
  Data data;
  KnobSettings knobs;  ///< every knob of a model, or of a script; some of the plug-in's
  Measure measure;
  std::optional<Profile> profile;             ///< nothing: no step is recorded
  std::int64_t timeout_ns = 120'000'000'000;  ///< for the whole trial; the runner enforces it
  std::string folder;                         ///< absolute; the reply goes to <folder>/reply.json
  /// Which of the processes that train together. The worker of rank 0, the only one that the
  /// orchestrator knows, makes the specs of the others, in <folder>/rank-<n>.
  std::int64_t rank = 0;
};

/// How many processes train together: the knob devices.
std::int64_t rank_count(const TrialSpec& spec);

void fields_of(Fields& fields, Workload& workload);
void fields_of(Fields& fields, Data& data);
void fields_of(Fields& fields, Measure& measure);

/// `protocol` of a spec and of a reply: anything except kProtocol is refused.
void protocol_of(Fields& fields, int& protocol);

/// JSON text of the spec.
std::string to_json(const TrialSpec& spec);

/// Throws tune::Error naming `where` when the text is not a spec of this protocol.
TrialSpec parse_trial_spec(std::string_view text, const std::string& where);

}  // namespace tune::trial
