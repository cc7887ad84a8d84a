#include "worker/data/libtorch_loader.h"
#include "worker/data/loader.h"
#include "worker/data/loader_options.h"
#include "worker/data/ring_loader.h"
#include "worker/data/synthetic.h"

#include <stdexcept>
#include <utility>

namespace tune::worker {

std::unique_ptr<Loader> make_loader(const trial::TrialSpec& spec, PageLocker* locker) {
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
                              "' is none of synthetic, generated-jpeg, image-folder");
}

}  // namespace tune::worker
