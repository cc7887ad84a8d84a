#include "worker/data/loader_options.h"

#include "trial/knob_catalog.h"

#include <stdexcept>
#include <utility>

namespace tune::worker {

namespace {

template <class Value>
Value value_of(const trial::KnobSettings& knobs, const std::string& name) {
  const trial::Knob* const knob = trial::find_knob(name);
  const auto found = knobs.find(name);
  const trial::KnobValue& value = found == knobs.end() ? knob->default_value : found->second;
  if (const std::string complaint = trial::complaint_about(*knob, value); !complaint.empty()) {
    throw std::invalid_argument("knob " + name + " = " + trial::to_text(value) + ": " + complaint);
  }
  return std::get<Value>(value);
}

LoaderOptions::Decode decode_of(const std::string& word) {
  if (word == "full") {
    return LoaderOptions::Decode::full;
  }
  return word == "roi" ? LoaderOptions::Decode::roi : LoaderOptions::Decode::roi_scaled;
}

}  // namespace

LoaderOptions read_loader_options(const trial::KnobSettings& knobs) {
  LoaderOptions options;
  options.batch_size = value_of<std::int64_t>(knobs, "batch_size");
  options.num_workers = value_of<std::int64_t>(knobs, "num_workers");
  options.prefetch_factor = value_of<std::int64_t>(knobs, "prefetch_factor");
  options.worker_nice = value_of<std::int64_t>(knobs, "worker_nice");
  options.engine = value_of<std::string>(knobs, "loader") == "ring"
                       ? LoaderOptions::Engine::ring
                       : LoaderOptions::Engine::libtorch;
  options.decode = decode_of(value_of<std::string>(knobs, "decode"));
  options.dtype = value_of<std::string>(knobs, "dtype") == "f32" ? LoaderOptions::Dtype::f32
                                                                 : LoaderOptions::Dtype::u8;
  options.order = value_of<bool>(knobs, "in_order") ? LoaderOptions::Order::sampler
                                                    : LoaderOptions::Order::as_ready;
  options.threads = value_of<bool>(knobs, "persistent_workers") ? LoaderOptions::Threads::persistent
                                                                : LoaderOptions::Threads::per_epoch;
  options.memory = value_of<bool>(knobs, "pin_memory") ? LoaderOptions::Memory::pinned
                                                       : LoaderOptions::Memory::pageable;
  return options;
}

Shard shard_of(const trial::TrialSpec& spec) {
  return {.rank = spec.rank, .ranks = trial::rank_count(spec)};
}

std::int64_t count_batches(const trial::TrialSpec& spec, std::int64_t samples) {
  const std::int64_t batch_size = read_loader_options(spec.knobs).batch_size;
  const std::int64_t batches =
      spec.data.drop_last ? samples / batch_size : (samples + batch_size - 1) / batch_size;
  if (batches < 1) {
    throw std::invalid_argument("data: " + std::to_string(samples) + " samples make no batch of " +
                                std::to_string(batch_size) +
                                (spec.data.drop_last ? " (drop_last drops the only one)" : ""));
  }
  return batches;
}

std::int64_t last_batch_size(const trial::TrialSpec& spec, std::int64_t samples) {
  const std::int64_t batch_size = read_loader_options(spec.knobs).batch_size;
  const std::int64_t left = samples % batch_size;
  return spec.data.drop_last || left == 0 ? batch_size : left;
}

}  // namespace tune::worker
