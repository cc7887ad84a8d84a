#include "worker/model_input.h"

#include "worker/data/normalize.h"

namespace tune::worker {

at::Tensor make_model_input(const at::Tensor& images, StepSettings::Layout layout) {
  const auto format = layout == StepSettings::Layout::channels_last ? at::MemoryFormat::ChannelsLast
                                                                    : at::MemoryFormat::Contiguous;
  return images.scalar_type() == at::kByte ? normalize(images, at::kFloat, format)
                                           : images.contiguous(format);
}

}  // namespace tune::worker
