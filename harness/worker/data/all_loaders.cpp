#include "worker/data/all_loaders.h"

#include "trial/workload_catalog.h"
#include "worker/data/loader.h"
#include "worker/data/loader_options.h"

#include <stdexcept>
#include <utility>

namespace tune::worker {

namespace {

// DeviceInput locks the pages of tokens, of which there are few.
std::unique_ptr<Loader> make_token_loader(const trial::TrialSpec& spec) {
  if (spec.data.source == "synthetic") {
    return make_synthetic_token_loader(spec);
  }
  if (spec.data.source == "generated-tokens" || spec.data.source == "token-bin") {
    return make_token_bin_loader(spec);
  }
  throw std::invalid_argument("data.source: '" + spec.data.source + "' contains images, but " +
                              spec.workload.model + " reads tokens (generated-tokens?)");
}

}  // namespace

std::unique_ptr<Loader> make_loader(const trial::TrialSpec& spec, PageLocker* locker) {
  if (trial::reads_tokens(spec.workload)) {
    return make_token_loader(spec);
  }
  const bool is_pinned = read_loader_options(spec.knobs).memory == LoaderOptions::Memory::pinned;
  PageLocker* const pages = is_pinned ? locker : nullptr;
  if (spec.data.source == "synthetic") {
    return make_synthetic_loader(spec, pages);
  }
  if (spec.data.source == "generated-jpeg" || spec.data.source == "image-folder") {
    ImageSamples samples = read_image_samples(spec);
    return samples.options.engine == LoaderOptions::Engine::libtorch
               ? make_libtorch_loader(std::move(samples))
               : make_ring_loader(std::move(samples), pages);
  }
  throw std::invalid_argument("data.source: '" + spec.data.source +
                              "' contains no images (synthetic, generated-jpeg, image-folder do)");
}

}  // namespace tune::worker
