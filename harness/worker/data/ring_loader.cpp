#include "worker/data/all_loaders.h"
#include "worker/data/batch_ring.h"
#include "worker/data/broken_files.h"
#include "worker/data/loader_threads.h"
#include "worker/data/wait_watch.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tune::worker {

namespace {

// The batches loaded ahead, and the one in use: a model may compute directly from a slot.
std::int64_t count_slots(const LoaderOptions& options) {
  constexpr std::int64_t kFewest = 2;
  return options.num_workers == 0 ? kFewest : std::max(kFewest, options.prefetch_factor) + 1;
}

/// State that batches still held by the consumer keep alive after the loader is destroyed.
struct Shared {
  Shared(ImageSamples all, PageLocker* locker)
      : samples(std::move(all)), ring(samples, count_slots(samples.options), locker) {}
  const ImageSamples samples;
  BatchRing ring;
};

class RingLoader : public Loader {
 public:
  RingLoader(ImageSamples samples, PageLocker* locker)
      : shared_(std::make_shared<Shared>(std::move(samples), locker)),
        is_page_locked_(locker != nullptr),
        faults_(shared_->samples),
        makers_(make_makers(shared_->samples)),
        watch_(shared_->samples.patience_ns, [this] { return describe(); }) {
    begin_epoch(0);
  }

  ~RingLoader() override {
    const WaitWatch::Wait wait(watch_);
    shared_->ring.stop();
    threads_.join();
  }

  Batch next() override {
    const WaitWatch::Wait wait(watch_);
    const std::int64_t epoch = delivered_ / batches_per_epoch();
    if (epoch != epoch_ && !is_endless()) {
      begin_epoch(epoch);
    }
    if (options().num_workers == 0) {
      make_until_ready();
    }
    ReadyBatch ready = shared_->ring.wait_ready();
    const auto token = hold(ready.slot);
    faults_.deliver(static_cast<std::int64_t>(ready.labels.size()), ready.faults);
    ++delivered_;
    return as_batch(ready, token);
  }

  std::int64_t batches_per_epoch() const override { return shared_->samples.batches_per_epoch; }
  std::int64_t last_batch_size() const override { return shared_->samples.last_batch_size; }
  std::int64_t samples_ahead() const override { return shared_->ring.count_ahead(); }
  bool is_page_locked() const override { return is_page_locked_; }

  trial::LoaderReport report() const override {
    trial::LoaderReport report;
    std::vector<const StageCounters*> counters;
    for (const auto& maker : makers_) {
      counters.push_back(&maker->counters());
    }
    add_counters(counters, report);
    faults_.write_to(report);
    if (options().num_workers > 0) {
      report.flow = flow();
    }
    return report;
  }

 private:
  using Makers = std::vector<std::unique_ptr<SampleMaker>>;

  static Makers make_makers(const ImageSamples& samples) {
    Makers makers(static_cast<std::size_t>(std::max<std::int64_t>(1, samples.options.num_workers)));
    std::generate(
        makers.begin(), makers.end(), [&] { return std::make_unique<SampleMaker>(samples); });
    return makers;
  }

  const LoaderOptions& options() const { return shared_->samples.options; }

  // Persistent threads, and the calling thread, continue from epoch to epoch.
  bool is_endless() const {
    return options().num_workers == 0 || options().threads == LoaderOptions::Threads::persistent;
  }

  // Without persistent workers an epoch begins as in PyTorch: with new threads, and nothing is made
  // before its first batch is requested.
  void begin_epoch(std::int64_t epoch) {
    threads_.join();
    epoch_ = epoch;
    shared_->ring.allow_epochs(is_endless() ? std::numeric_limits<std::int64_t>::max() : epoch + 1);
    try {
      threads_.start(options().num_workers, options().worker_nice, [this](std::int64_t number) {
        work(*makers_[static_cast<std::size_t>(number)]);
      });
    } catch (...) {  // the system has no more threads; stop those that run
      shared_->ring.stop();
      throw;
    }
  }

  void work(SampleMaker& maker) {
    shared_->ring.work([&maker](const Ticket& ticket) {
      return maker.make(ticket.epoch, ticket.sample, ticket.out);
    });
  }

  void make_until_ready() {
    BatchRing& ring = shared_->ring;
    while (!ring.is_next_ready() && !ring.is_consumer_holding_all()) {
      const std::optional<Ticket> ticket = ring.take();
      ring.finish(*ticket, makers_[0]->make(ticket->epoch, ticket->sample, ticket->out));
    }
  }

  trial::LoaderFlow flow() const {
    const RingWaits waits = shared_->ring.waits();
    trial::LoaderFlow flow{.pulls = waits.pulls,
                           .empty_pulls = waits.empty_pulls,
                           .wait_ns = waits.wait_ns,
                           .reorder_wait_ns = waits.reorder_wait_ns};
    std::vector<const SampleTimes*> times;
    for (const auto& maker : makers_) {
      times.push_back(&maker->times());
      flow.work_ns += maker->times().total_ns();
    }
    flow.sample_p99_ns = sample_quantile_ns(times, 0.99);
    flow.slowest_thread_ratio = slowest_thread_ratio(times);
    return flow;
  }

  std::string describe() const {
    std::vector<const WorkInHand*> work;
    for (const auto& maker : makers_) {
      work.push_back(&maker->in_hand());
    }
    return describe_work(shared_->samples, work, monotonic_ns());
  }

  std::shared_ptr<void> hold(std::size_t slot) {
    return {shared_.get(), [shared = shared_, slot](void*) { shared->ring.release(slot); }};
  }

  // The images also keep the slot: a layer may save its input for the backward pass.
  Batch as_batch(const ReadyBatch& ready, const std::shared_ptr<void>& token) const {
    const auto count = static_cast<std::int64_t>(ready.labels.size());
    const std::int64_t size = shared_->samples.image_size;
    const bool is_float = options().dtype == LoaderOptions::Dtype::f32;
    Batch batch;
    batch.images = at::from_blob(
        ready.pixels,
        {count, 3, size, size},
        {size * size * 3, 1, size * 3, 3},
        [token](void*) {},
        at::TensorOptions().dtype(is_float ? at::kFloat : at::kByte));
    batch.labels = at::empty({count}, at::kLong);
    std::copy(ready.labels.begin(), ready.labels.end(), batch.labels.data_ptr<std::int64_t>());
    batch.epoch = ready.epoch;
    batch.index = ready.index;
    batch.slot = token;
    return batch;
  }

  std::shared_ptr<Shared> shared_;
  const bool is_page_locked_;
  FaultLog faults_;
  const Makers makers_;  // one per thread; outlive the threads
  std::int64_t delivered_ = 0, epoch_ = 0;
  WaitWatch watch_;
  LoaderThreads threads_;
};

}  // namespace

std::unique_ptr<Loader> make_ring_loader(ImageSamples samples, PageLocker* locker) {
  return std::make_unique<RingLoader>(std::move(samples), locker);
}

}  // namespace tune::worker
