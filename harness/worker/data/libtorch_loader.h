#pragma once

#include "worker/data/image_samples.h"
#include "worker/data/loader.h"

namespace tune::worker {

/// torch::data::DataLoader over the same files and decoder: what users of LibTorch have today, and
/// what the ring is compared with. Each sample is a tensor of its own, stacked into a new batch; a
/// job is a whole batch; max_jobs is prefetch_factor * num_workers.
std::unique_ptr<Loader> make_libtorch_loader(ImageSamples samples);

}  // namespace tune::worker
