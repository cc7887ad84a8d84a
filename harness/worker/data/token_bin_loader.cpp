#include "base/clock.h"
#include "base/error.h"
#include "dataset/token_bin.h"
#include "machine/page_cache.h"
#include "worker/data/all_loaders.h"
#include "worker/data/loader_options.h"
#include "worker/data/random_stream.h"
#include "worker/data/token_samples.h"
#include "worker/recorder/range.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::worker {

namespace {

class TokenBinLoader final : public Loader {
 public:
  explicit TokenBinLoader(const trial::TrialSpec& spec)
      : file_(spec.data.path),
        bin_(file_),
        task_(token_task(spec.workload)),
        vocabulary_key_(spec.workload.own.exists() ? "workload.classes"
                                                   : "workload.params.vocabulary"),
        seed_(spec.workload.seed),
        shard_(shard_of(spec)),
        all_samples_((static_cast<std::int64_t>(bin_.tokens().size()) - 1) / task_.sequence_length),
        samples_(shard_.count(all_samples_)),
        batch_size_(read_loader_options(spec.knobs).batch_size),
        batches_(count_batches(spec, samples_)) {
    report_.resident_ratio = machine::resident_ratio(1, [this](std::int64_t) { return file_; });
  }

  Batch next() override {
    const Range read("read");
    const std::int64_t start_ns = thread_cpu_ns();
    Batch batch;
    batch.epoch = delivered_ / batches_;
    batch.index = delivered_ % batches_;
    begin_epoch(batch.epoch);
    const std::int64_t first = batch.index * batch_size_;
    const std::int64_t rows = std::min(batch_size_, samples_ - first);
    batch.images = at::empty({rows, task_.sequence_length}, at::kLong);
    batch.labels = at::empty({rows, task_.sequence_length}, at::kLong);
    for (std::int64_t row = 0; row < rows; ++row) {
      fill_row(batch, row, order_[static_cast<std::size_t>(first + row)]);
    }
    ++delivered_;
    report_.samples += rows;
    report_.bytes_read += rows * task_.window() * static_cast<std::int64_t>(sizeof(std::uint16_t));
    report_.read_ns += thread_cpu_ns() - start_ns;
    return batch;
  }

  std::int64_t batches_per_epoch() const override { return batches_; }
  std::int64_t samples_ahead() const override { return 0; }
  trial::LoaderReport report() const override { return report_; }

 private:
  void begin_epoch(std::int64_t epoch) {
    if (order_.empty() || epoch != epoch_) {
      order_ = shard_.epoch_order(seed_, epoch, all_samples_);
      epoch_ = epoch;
    }
  }

  void fill_row(const Batch& batch, std::int64_t row, std::int64_t sample) const {
    const auto begin = static_cast<std::size_t>(sample * task_.sequence_length);
    const auto window = bin_.tokens().subspan(begin, static_cast<std::size_t>(task_.window()));
    if (const auto stranger = find_stranger(window, task_.vocabulary)) {
      throw std::runtime_error(file_.string() + ": token " + std::to_string(window[*stranger]) +
                               " at place " + std::to_string(begin + *stranger) +
                               " (the model has " + std::to_string(task_.vocabulary) +
                               ") a larger " + vocabulary_key_ + "?");
    }
    const RandomStream random(RandomStream::Purpose::mask,
                              seed_,
                              static_cast<std::uint64_t>(batch.epoch),
                              static_cast<std::uint64_t>(sample));
    const std::int64_t offset = row * task_.sequence_length;
    fill_token_sample(task_,
                      window,
                      random,
                      batch.images.data_ptr<std::int64_t>() + offset,
                      batch.labels.data_ptr<std::int64_t>() + offset);
  }

  const std::filesystem::path file_;
  const dataset::TokenBin bin_;
  const TokenTask task_;
  const std::string vocabulary_key_;
  const std::uint64_t seed_;
  const Shard shard_;
  const std::int64_t all_samples_, samples_, batch_size_, batches_;
  std::vector<std::int64_t> order_;  // of the epoch
  std::int64_t epoch_ = 0, delivered_ = 0;
  trial::LoaderReport report_;
};

}  // namespace

std::unique_ptr<Loader> make_token_bin_loader(const trial::TrialSpec& spec) {
  try {
    return std::make_unique<TokenBinLoader>(spec);
  } catch (const Error& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace tune::worker
