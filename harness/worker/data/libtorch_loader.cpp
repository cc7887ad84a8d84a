#include "worker/data/all_loaders.h"
#include "worker/data/broken_files.h"
#include "worker/data/loader_threads.h"
#include "worker/data/sample_maker.h"
#include "worker/data/wait_watch.h"
#include "worker/recorder/range.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <torch/data/dataloader/stateless.h>
#include <torch/data/datasets/base.h>
#include <torch/data/samplers/base.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

/// The samples of one batch.
struct Request {
  std::int64_t epoch = 0, index = 0;
  std::vector<std::int64_t> samples;
  std::size_t size() const { return samples.size(); }
};

struct Made {
  Batch batch;
  std::vector<Fault> faults;
};

/// State shared by the dataset's copies, one in each worker.
class Shared {
 public:
  explicit Shared(ImageSamples all) : samples(std::move(all)) {}

  /// A maker that no other thread uses until it is returned.
  SampleMaker* borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      makers_.push_back(std::make_unique<SampleMaker>(samples));
      return makers_.back().get();
    }
    SampleMaker* const maker = idle_.back();
    idle_.pop_back();
    return maker;
  }

  void give_back(SampleMaker* maker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(maker);
  }

  void add_counters(trial::LoaderReport& report) const {
    const std::lock_guard lock(mutex_);
    std::vector<const StageCounters*> counters;
    for (const auto& maker : makers_) {
      counters.push_back(&maker->counters());
    }
    worker::add_counters(counters, report);
  }

  std::string describe() const {
    const std::lock_guard lock(mutex_);
    std::vector<const WorkInHand*> work;
    for (const auto& maker : makers_) {
      work.push_back(&maker->in_hand());
    }
    return describe_work(samples, work, monotonic_ns());
  }

  const ImageSamples samples;
  std::atomic<std::int64_t> made_ahead = 0;  ///< samples made but not delivered

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<SampleMaker>> makers_;
  std::vector<SampleMaker*> idle_;
};

class ImageDataset : public torch::data::datasets::BatchDataset<ImageDataset, Made, Request> {
 public:
  explicit ImageDataset(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  Made get_batch(Request request) override {
    be_a_loader_thread();
    // Not InferenceMode: a backward pass may not save its tensors.
    const at::NoGradGuard no_grad;
    SampleMaker* const maker = shared_->borrow();
    Made made;
    made.batch.epoch = request.epoch;
    made.batch.index = request.index;
    std::vector<at::Tensor> images;
    made.batch.labels = at::empty({static_cast<std::int64_t>(request.size())}, at::kLong);
    auto* label = made.batch.labels.data_ptr<std::int64_t>();
    for (const std::int64_t sample : request.samples) {
      images.push_back(empty_image());
      MadeSample one = maker->make(
          request.epoch, sample, static_cast<std::uint8_t*>(images.back().mutable_data_ptr()));
      *label++ = one.label;
      shared_->made_ahead.fetch_add(1, std::memory_order_relaxed);
      if (one.fault) {
        made.faults.push_back(std::move(*one.fault));
      }
    }
    {
      const Range write("write");
      made.batch.images = at::stack(images).permute({0, 3, 1, 2});
    }
    shared_->give_back(maker);
    return made;
  }

  std::optional<std::size_t> size() const override { return shared_->samples.folder.files.size(); }

 private:
  void be_a_loader_thread() const {
    thread_local bool has_become_one = false;
    if (shared_->samples.options.num_workers > 0 && !has_become_one) {
      become_loader_thread(0, shared_->samples.options.worker_nice);
      has_become_one = true;
    }
  }

  at::Tensor empty_image() const {
    const std::int64_t size = shared_->samples.image_size;
    const bool is_float = shared_->samples.options.dtype == LoaderOptions::Dtype::f32;
    return at::empty({size, size, 3}, is_float ? at::kFloat : at::kByte);
  }

  std::shared_ptr<Shared> shared_;
};

/// Each reset() begins the next epoch.
class EpochSampler : public torch::data::samplers::Sampler<Request> {
 public:
  explicit EpochSampler(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  void reset(std::optional<std::size_t> /*new_size*/ = std::nullopt) override {
    ++epoch_;
    index_ = 0;
    const ImageSamples& samples = shared_->samples;
    order_ = samples.shard.epoch_order(samples.seed, epoch_, samples.count());
  }

  std::optional<Request> next(std::size_t /*batch_size*/) override {
    const ImageSamples& samples = shared_->samples;
    if (index_ == samples.batches_per_epoch) {
      return std::nullopt;
    }
    const auto begin = order_.begin() + index_ * samples.options.batch_size;
    Request request{epoch_, index_, {begin, begin + samples.batch_samples(index_)}};
    ++index_;
    return request;
  }

  // Required by the interface; a trial never stops in the middle of one.
  void save(torch::serialize::OutputArchive& /*archive*/) const override {}
  void load(torch::serialize::InputArchive& /*archive*/) override {}

 private:
  std::shared_ptr<Shared> shared_;
  std::int64_t epoch_ = -1, index_ = 0;
  std::vector<std::int64_t> order_;
};

class LibtorchLoader : public Loader {
 public:
  explicit LibtorchLoader(ImageSamples samples)
      : shared_(std::make_shared<Shared>(std::move(samples))),
        faults_(shared_->samples),
        watch_(shared_->samples.patience_ns, [this] { return shared_->describe(); }),
        engine_(ImageDataset(shared_), EpochSampler(shared_), engine_options(shared_->samples)) {}

  ~LibtorchLoader() override { watch_.begin_wait(); }  // for the threads of the engine

  Batch next() override {
    const WaitWatch::Wait wait(watch_);
    Made made;
    guard([&] {
      move_on();
      made = std::move(**iterator_);  // where DataLoader waits for an epoch's first batch
    });
    const std::int64_t count = made.batch.labels.size(0);
    shared_->made_ahead.fetch_sub(count, std::memory_order_relaxed);
    faults_.deliver(count, made.faults);
    ++delivered_;
    return std::move(made.batch);
  }

  std::int64_t batches_per_epoch() const override { return shared_->samples.batches_per_epoch; }
  std::int64_t last_batch_size() const override { return shared_->samples.last_batch_size; }

  std::int64_t samples_ahead() const override {
    return shared_->made_ahead.load(std::memory_order_relaxed);
  }

  trial::LoaderReport report() const override {
    trial::LoaderReport report;
    shared_->add_counters(report);
    faults_.write_to(report);
    return report;
  }

 private:
  using Engine = torch::data::StatelessDataLoader<ImageDataset, EpochSampler>;

  static torch::data::DataLoaderOptions engine_options(const ImageSamples& samples) {
    const LoaderOptions& knobs = samples.options;
    torch::data::DataLoaderOptions options(static_cast<std::size_t>(knobs.batch_size));
    options.workers(static_cast<std::size_t>(knobs.num_workers));
    if (knobs.num_workers > 0) {
      options.max_jobs(static_cast<std::size_t>(knobs.num_workers * knobs.prefetch_factor));
    }
    options.enforce_ordering(knobs.order == LoaderOptions::Order::sampler);
    return options;
  }

  // An iterator that has handed out every batch leaves no job behind, so begin() may be called
  // again. DataLoader keeps its threads from constructor to destructor, whatever persistent_workers
  // says.
  void move_on() {
    if (delivered_ % batches_per_epoch() == 0) {
      iterator_ = engine_.begin();
    } else {
      ++*iterator_;
    }
  }

  // The exception of a worker, without DataLoader's wrapper.
  template <class Step>
  static void guard(Step step) {
    try {
      step();
    } catch (const torch::data::WorkerException& exception) {
      std::rethrow_exception(exception.original_exception);
    }
  }

  std::shared_ptr<Shared> shared_;
  FaultLog faults_;
  std::int64_t delivered_ = 0;
  WaitWatch watch_;
  Engine engine_;
  std::optional<torch::data::Iterator<Made>> iterator_;
};

}  // namespace

std::unique_ptr<Loader> make_libtorch_loader(ImageSamples samples) {
  return std::make_unique<LibtorchLoader>(std::move(samples));
}

}  // namespace tune::worker
