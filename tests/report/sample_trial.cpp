#include "sample_trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tune::report {

namespace {

using trial::KnobSettings;

constexpr std::int64_t kSlices = 5;
constexpr std::int64_t kGiB = 1 << 30;

// From -1 to 1, the same on every machine.
double noise(std::uint64_t key) {
  key += 0x9E3779B97F4A7C15ULL;
  key = (key ^ key >> 30U) * 0xBF58476D1CE4E5B9ULL;
  key = (key ^ key >> 27U) * 0x94D049BB133111EBULL;
  key ^= key >> 31U;
  return static_cast<double>(key >> 11U) / 4503599627370496.0 - 1;
}

std::int64_t integer_of(const KnobSettings& knobs, const char* name) {
  return std::get<std::int64_t>(knobs.at(name));
}

bool is_set(const KnobSettings& knobs, const char* name) {
  return std::get<bool>(knobs.at(name));
}

bool is_bf16(const KnobSettings& knobs) {
  return std::get<std::string>(knobs.at("amp")) == "bf16";
}

// Parts of one sample: data_wait, transfer, forward, backward, optimizer, other.
std::array<double, 6> milliseconds(const KnobSettings& knobs) {
  const bool loaders = integer_of(knobs, "num_workers") > 0;
  const auto batch = static_cast<double>(integer_of(knobs, "batch_size"));
  const double layout = is_set(knobs, "channels_last") ? (is_bf16(knobs) ? 0.8 : 0.93) : 1;
  const double compute =
      (is_bf16(knobs) ? 0.52 : 1) * layout * (loaders ? 1.12 : 1) * (0.97 + 0.96 / batch);
  return {loaders ? 0.35 : 4.9, 0.35, 4.15 * compute, 7.3 * compute, 12.8 / batch, 0.05};
}

trial::Slice make_slice(const KnobSettings& knobs, double factor, std::int64_t start_ns) {
  trial::Slice slice{.start_ns = start_ns};
  const std::int64_t batch = integer_of(knobs, "batch_size");
  const auto parts = milliseconds(knobs);
  double total = 0;
  for (const double part : parts) {
    total += part;
  }
  const double step_ms = total * static_cast<double>(batch);
  slice.steps = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(1000 / step_ms)));
  slice.samples = slice.steps * batch;
  const auto ns = [&](double part) {
    return std::llround(part * static_cast<double>(slice.samples) * factor * 1e6);
  };
  slice.phases = {
      ns(parts[0]), ns(parts[1]), ns(parts[2]), ns(parts[3]), ns(parts[4]), ns(parts[5])};
  slice.wall_ns = slice.phases.total_ns();
  return slice;
}

constexpr std::int64_t kWarmupSteps = 12;

// A cold first step, a few slow ones, then steady ones with noise; every fortieth waits for a disk.
void add_steps(trial::TrialReply& reply, std::uint64_t key) {
  const trial::Slice& first = reply.slices.front();
  const double step_ns = static_cast<double>(first.wall_ns) / static_cast<double>(first.steps);
  std::int64_t steps = kWarmupSteps;
  for (const trial::Slice& slice : reply.slices) {
    steps += slice.steps;
  }
  for (std::int64_t i = 0; i < steps; ++i) {
    const double cold = i == 0 ? 4 : i < 5 ? 1.15 : 1;
    const double late = i % 40 == 39 ? 1.3 : 1;
    const double wobble = 1 + 0.01 * noise(key * 131 + static_cast<std::uint64_t>(i));
    reply.step_ns.push_back(std::llround(step_ns * cold * late * wobble));
  }
  reply.warmup_steps = kWarmupSteps;
}

// The loader of a trial: threads of it keep a few batches ahead.
void add_loader(const KnobSettings& knobs, trial::TrialReply& reply) {
  const std::int64_t workers = integer_of(knobs, "num_workers");
  const std::int64_t ahead = workers * 2 * integer_of(knobs, "batch_size");
  for (trial::Slice& slice : reply.slices) {
    slice.stock_before = ahead;
    slice.stock_after = ahead - ahead / 8;
    reply.loader.samples += slice.samples;
  }
  reply.loader.read_ns = reply.loader.samples * 210'000;
  reply.loader.decode_ns = reply.loader.samples * 3'650'000;
  reply.loader.resize_ns = reply.loader.samples * 940'000;
  reply.loader.bytes_read = reply.loader.samples * 112'000;
  reply.loader.resident_ratio = 1;
}

trial::TrialReply make_reply(const campaign::TrialRecord& trial, std::uint64_t key) {
  trial::TrialReply reply;
  reply.id = trial.spec.id;
  reply.facts = {.torch_version = "2.11.0",
                 .cpu_capability = "AVX512",
                 .jpeg_version = "2.1.5",
                 .intra_op_threads = 2,
                 .cpus = {0, 1},
                 .bf16_supported = true};
  const double process = 1 + 0.008 * noise(key);
  std::int64_t now_ns = 3'000'000'000;
  for (std::int64_t i = 0; i < kSlices; ++i) {
    const double factor = process * (1 + 0.004 * noise(key * 31 + static_cast<std::uint64_t>(i)));
    reply.slices.push_back(make_slice(trial.spec.knobs, factor, now_ns));
    now_ns += reply.slices.back().wall_ns;
  }
  reply.peak_memory_bytes = kGiB / 2 + integer_of(trial.spec.knobs, "batch_size") * 6'200'000 +
                            integer_of(trial.spec.knobs, "num_workers") * 41'000'000;
  add_steps(reply, key);
  add_loader(trial.spec.knobs, reply);
  reply.parameters = 11'181'642;
  return reply;
}

}  // namespace

runner::TrialOutcome sample_failure(runner::OutcomeKind kind,
                                    std::string reason,
                                    std::string stderr_tail) {
  runner::TrialOutcome outcome{.kind = kind, .reason = std::move(reason), .phase = "warmup"};
  outcome.stderr_tail = std::move(stderr_tail);
  return outcome;
}

campaign::TrialRecord sample_trial(const campaign::CampaignResult& result,
                                   const scenario::Cell& cell,
                                   const std::string& stage,
                                   std::int64_t round) {
  campaign::TrialRecord trial{.stage = stage, .round = round};
  trial.position = static_cast<std::int64_t>(result.trials.size());
  trial.spec.id = (stage == "search" ? "r" : "confirm") + std::to_string(round) + "-" + cell.id;
  trial.spec.cell = cell.id;
  trial.spec.knobs = cell.knobs;
  trial.spec.data = result.data;
  std::uint64_t key = stage == "search" ? 7 : 1007;
  for (const char c : trial.spec.id) {
    key = key * 131 + static_cast<unsigned char>(c);
  }
  if (cell.id == "c11") {
    trial.outcome =
        sample_failure(runner::OutcomeKind::out_of_memory,
                       "out of memory: std::bad_alloc in phase warmup",
                       "tune-worker: c11: 1234567890 bytes for conv1\n"
                       "terminate called after throwing an instance of 'std::bad_alloc'\n");
  } else if (cell.id == "c21") {
    trial.outcome = sample_failure(runner::OutcomeKind::crashed,
                                   "SIGSEGV in phase warmup",
                                   "could not create a primitive descriptor <bf16:nhwc>\n");
  } else {
    trial.outcome.kind = runner::OutcomeKind::completed;
    trial.outcome.reply = make_reply(trial, key);
  }
  trial.outcome.start_ns = 1'000'000'000 + trial.position * 9'000'000'000;
  if (trial.outcome.reply) {
    const std::int64_t set_up_ns = trial.outcome.start_ns + 410'000'000;
    trial.outcome.reply->phases = {{"setup", trial.outcome.start_ns + 1'000'000, set_up_ns},
                                   {"first-batch", set_up_ns, set_up_ns + 330'000'000}};
  }
  trial.outcome.end_ns =
      trial.outcome.start_ns + (trial.outcome.reply ? 8'730'000'000 : 2'110'000'000);
  return trial;
}

}  // namespace tune::report
