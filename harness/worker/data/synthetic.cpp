#include "worker/data/all_loaders.h"
#include "worker/data/loader_options.h"
#include "worker/data/random_stream.h"
#include "worker/data/slot_memory.h"
#include "worker/data/token_samples.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

// Enough batches that none stays in a core's cache only because it is the only one.
constexpr std::int64_t kResidentBatches = 4;

void fill_with_noise(const at::Tensor& images, RandomStream random) {
  if (images.scalar_type() == at::kByte) {
    auto* const begin = images.data_ptr<std::uint8_t>();
    std::generate(begin, begin + images.numel(), [&] {
      return static_cast<std::uint8_t>(random.bits() >> 56);
    });
  } else {  // about the range of normalised pixels
    auto* const begin = images.data_ptr<float>();
    std::generate(begin, begin + images.numel(), [&] {
      return static_cast<float>(random.uniform(-2.0, 2.0));
    });
  }
}

at::Tensor random_labels(std::int64_t count, std::int64_t classes, RandomStream random) {
  at::Tensor labels = at::empty({count}, at::kLong);
  auto* const begin = labels.data_ptr<std::int64_t>();
  std::generate(begin, begin + count, [&] { return random.below(classes); });
  return labels;
}

// Each process has batches of its own.
std::uint64_t number_in_all(const trial::TrialSpec& spec, std::int64_t batch) {
  const Shard shard = shard_of(spec);
  return static_cast<std::uint64_t>(shard.rank + batch * shard.ranks);
}

// Gives a few batches over and over.
class ResidentLoader : public Loader {
 public:
  explicit ResidentLoader(const trial::TrialSpec& spec)
      : samples_(shard_of(spec).count(spec.data.samples)),
        batches_(count_batches(spec, samples_)),
        batch_size_(read_loader_options(spec.knobs).batch_size) {}

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
  std::int64_t last_batch_size() const override {
    return std::min(batch_size_, samples_ - (batches_ - 1) * batch_size_);
  }
  std::int64_t samples_ahead() const override { return 0; }  // nothing is ever made
  trial::LoaderReport report() const override { return report_; }

 protected:
  std::int64_t rows() const { return std::min(batch_size_, samples_); }  // of a resident batch
  std::int64_t resident_batches() const { return std::min(kResidentBatches, batches_); }

  std::vector<Batch> resident_;

 private:
  std::int64_t samples_, batches_, batch_size_;
  std::int64_t delivered_ = 0;
  trial::LoaderReport report_;
};

class SyntheticLoader final : public ResidentLoader {
 public:
  SyntheticLoader(const trial::TrialSpec& spec, PageLocker* locker) : ResidentLoader(spec) {
    const auto dtype = read_loader_options(spec.knobs).dtype;
    const std::int64_t size = spec.workload.image_size;
    const std::vector<std::int64_t>& shape =
        spec.workload.own.input;  // for inputs that are not images
    if (locker != nullptr && shape.empty()) {
      const std::int64_t pixel_bytes = dtype == LoaderOptions::Dtype::f32 ? 12 : 3;
      memory_.emplace(resident_batches(), rows() * size * size * pixel_bytes, locker);
    }
    for (std::int64_t i = 0; i < resident_batches(); ++i) {
      const auto stream = [&](std::uint64_t part) {
        return RandomStream(
            RandomStream::Purpose::synthetic, spec.workload.seed, part, number_in_all(spec, i));
      };
      Batch batch;
      batch.images = shape.empty() ? empty_images(i, size, dtype) : empty_samples(shape);
      fill_with_noise(batch.images, stream(0));
      batch.labels = random_labels(rows(), spec.workload.classes, stream(1));
      resident_.push_back(std::move(batch));
    }
  }

  bool is_page_locked() const override { return memory_.has_value(); }

 private:
  at::Tensor empty_samples(std::vector<std::int64_t> shape) const {
    shape.insert(shape.begin(), rows());
    return at::empty(shape, at::kFloat);
  }

  at::Tensor empty_images(std::int64_t slot, std::int64_t size, LoaderOptions::Dtype dtype) {
    const auto type = dtype == LoaderOptions::Dtype::f32 ? at::kFloat : at::kByte;
    if (!memory_) {
      return at::empty({rows(), 3, size, size},
                       at::TensorOptions(type).memory_format(at::MemoryFormat::ChannelsLast));
    }
    return at::from_blob(memory_->slot(slot),
                         {rows(), 3, size, size},
                         {size * size * 3, 1, size * 3, 3},
                         at::TensorOptions(type));
  }

  std::optional<SlotMemory> memory_;  // of the images when they are page-locked
};

}  // namespace

std::unique_ptr<Loader> make_synthetic_loader(const trial::TrialSpec& spec, PageLocker* locker) {
  return std::make_unique<SyntheticLoader>(spec, locker);
}

namespace {

RandomStream stream_of(const trial::TrialSpec& spec,
                       RandomStream::Purpose purpose,
                       std::int64_t batch,
                       std::int64_t row) {
  return {purpose, spec.workload.seed, number_in_all(spec, batch), static_cast<std::uint64_t>(row)};
}

class SyntheticTokenLoader final : public ResidentLoader {
 public:
  explicit SyntheticTokenLoader(const trial::TrialSpec& spec)
      : ResidentLoader(spec), task_(token_task(spec.workload)) {
    for (std::int64_t i = 0; i < resident_batches(); ++i) {
      resident_.push_back(make_batch(spec, i));
    }
  }

 private:
  Batch make_batch(const trial::TrialSpec& spec, std::int64_t number) const {
    Batch batch;
    batch.images = at::empty({rows(), task_.sequence_length}, at::kLong);
    batch.labels = at::empty({rows(), task_.sequence_length}, at::kLong);
    std::vector<std::uint16_t> window(static_cast<std::size_t>(task_.window()));
    for (std::int64_t row = 0; row < rows(); ++row) {
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
};

}  // namespace

std::unique_ptr<Loader> make_synthetic_token_loader(const trial::TrialSpec& spec) {
  return std::make_unique<SyntheticTokenLoader>(spec);
}

}  // namespace tune::worker
