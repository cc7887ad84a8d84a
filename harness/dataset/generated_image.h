#pragma once

#include "dataset/generated_spec.h"

#include <cstdint>
#include <string>

namespace tune::dataset {

struct GeneratedImage {
  std::string bytes;  ///< of the file, damage included
  ImagePlan plan;
  int encodes = 0;  ///< that the search for the size took
};

/// Sample `index` of the set. Safe to call from many threads.
GeneratedImage generate_image(const GeneratedSpec& spec, std::int64_t index);

}  // namespace tune::dataset
