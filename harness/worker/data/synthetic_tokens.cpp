#include "worker/data/synthetic_tokens.h"

#include "worker/data/loader_options.h"
#include "worker/data/random_stream.h"
#include "worker/data/token_samples.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

// As many as of images, for the same reason (synthetic.cpp).
constexpr std::int64_t kResidentBatches = 4;

RandomStream stream_of(const trial::TrialSpec& spec,
                       RandomStream::Purpose purpose,
                       std::int64_t batch,
                       std::int64_t row) {
  return {purpose,
          spec.workload.seed,
          static_cast<std::uint64_t>(batch),
          static_cast<std::uint64_t>(row)};
}

class SyntheticTokenLoader final : public Loader {
 public:
  explicit SyntheticTokenLoader(const trial::TrialSpec& spec)
      : task_(token_task(spec.workload)),
        samples_(spec.data.samples),
        batches_(count_batches(spec, samples_)),
        batch_size_(read_loader_options(spec.knobs).batch_size) {
    for (std::int64_t i = 0; i < std::min(kResidentBatches, batches_); ++i) {
      resident_.push_back(make_batch(spec, i));
    }
  }

  Batch next() override {
    const Batch& resident = resident_[static_cast<std::size_t>(delivered_) % resident_.size()];
    Batch batch;
    batch.epoch = delivered_ / batches_;
    batch.index = delivered_ % batches_;
    const std::int64_t count = std::min(batch_size_, samples_ - batch.index * batch_size_);
    batch.images = resident.images.narrow(0, 0, count);
    batch.labels = resident.labels.narrow(0, 0, count);
    ++delivered_;
    report_.samples += count;
    return batch;
  }

  std::int64_t batches_per_epoch() const override { return batches_; }
  std::int64_t samples_ahead() const override { return 0; }  // nothing is ever made
  trial::LoaderReport report() const override { return report_; }

 private:
  Batch make_batch(const trial::TrialSpec& spec, std::int64_t number) const {
    const std::int64_t rows = std::min(batch_size_, samples_);
    Batch batch;
    batch.images = at::empty({rows, task_.sequence_length}, at::kLong);
    batch.labels = at::empty({rows, task_.sequence_length}, at::kLong);
    std::vector<std::uint16_t> window(static_cast<std::size_t>(task_.window()));
    for (std::int64_t row = 0; row < rows; ++row) {
      RandomStream random = stream_of(spec, RandomStream::Purpose::synthetic, number, row);
      std::generate(window.begin(), window.end(), [&] {
        return static_cast<std::uint16_t>(random.below(task_.vocabulary));
      });
      fill_token_sample(task_,
                        window,
                        stream_of(spec, RandomStream::Purpose::mask, number, row),
                        batch.images.data_ptr<std::int64_t>() + row * task_.sequence_length,
                        batch.labels.data_ptr<std::int64_t>() + row * task_.sequence_length);
    }
    return batch;
  }

  TokenTask task_;
  std::int64_t samples_, batches_, batch_size_;
  std::vector<Batch> resident_;
  std::int64_t delivered_ = 0;
  trial::LoaderReport report_;
};

}  // namespace

std::unique_ptr<Loader> make_synthetic_token_loader(const trial::TrialSpec& spec) {
  return std::make_unique<SyntheticTokenLoader>(spec);
}

}  // namespace tune::worker
