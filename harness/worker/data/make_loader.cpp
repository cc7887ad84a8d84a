#include "worker/data/loader.h"
#include "worker/data/ring_loader.h"
#include "worker/data/synthetic.h"

#include <stdexcept>

namespace tune::worker {

std::unique_ptr<Loader> make_loader(const trial::TrialSpec& spec) {
  if (spec.data.source == "synthetic") {
    return make_synthetic_loader(spec);
  }
  if (spec.data.source == "generated-jpeg" || spec.data.source == "image-folder") {
    return make_ring_loader(read_image_samples(spec));
  }
  throw std::invalid_argument("data.source: '" + spec.data.source +
                              "' is none of synthetic, generated-jpeg, image-folder");
}

}  // namespace tune::worker
