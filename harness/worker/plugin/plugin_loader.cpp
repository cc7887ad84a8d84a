#include "worker/plugin/plugin_loader.h"

#include "worker/data/loader_options.h"
#include "worker/plugin/guarded_call.h"

#include <stdexcept>
#include <utility>

namespace tune::worker {

namespace {

class PluginLoader final : public Loader {
 public:
  PluginLoader(std::unique_ptr<plugin::DataSource> source,
               const std::string& name,
               const trial::TrialSpec& spec)
      : source_(std::move(source)), name_(name) {
    const std::int64_t samples = guarded(name_, "samples()", [&] { return source_->samples(); });
    if (spec.data.samples > 0 && spec.data.samples != samples) {
      throw std::invalid_argument("data.samples: " + std::to_string(spec.data.samples) + ", but " +
                                  name_ + " has " + std::to_string(samples) +
                                  " (it may be left out for source plugin)");
    }
    batches_ = count_batches(spec, samples);
  }

  Batch next() override {
    plugin::Batch given = guarded(name_, "batch()", [&] {
      return source_->batch(delivered_ / batches_, delivered_ % batches_);
    });
    if (!given.input.defined() || !given.labels.defined() || given.input.dim() == 0 ||
        given.labels.dim() == 0 || given.labels.size(0) < 1 ||
        given.input.size(0) != given.labels.size(0)) {
      throw PluginThrew(name_ +
                        ": batch() returns tensors whose first dimensions differ or are "
                        "empty (it is the number of samples)");
    }
    Batch batch;
    batch.images = std::move(given.input);
    batch.labels = std::move(given.labels);
    batch.epoch = delivered_ / batches_;
    batch.index = delivered_ % batches_;
    ++delivered_;
    report_.samples += batch.labels.size(0);
    return batch;
  }

  std::int64_t batches_per_epoch() const override { return batches_; }
  std::int64_t samples_ahead() const override { return 0; }  // what it makes ahead nobody sees
  trial::LoaderReport report() const override { return report_; }

 private:
  std::unique_ptr<plugin::DataSource> source_;
  std::string name_;
  std::int64_t batches_ = 1, delivered_ = 0;
  trial::LoaderReport report_;
};

}  // namespace

std::unique_ptr<Loader> make_plugin_loader(std::unique_ptr<plugin::DataSource> source,
                                           const std::string& name,
                                           const trial::TrialSpec& spec) {
  return std::make_unique<PluginLoader>(std::move(source), name, spec);
}

}  // namespace tune::worker
