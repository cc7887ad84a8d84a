#include "machine/environment.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::machine {

std::vector<std::string> performance_variables(const char* const* environment) {
  static constexpr std::array<std::string_view, 13> kBegins = {"OMP_",
                                                               "KMP_",
                                                               "GOMP_",
                                                               "MKL_",
                                                               "DNNL_",
                                                               "ONEDNN_",
                                                               "OPENBLAS_",
                                                               "ATEN_",
                                                               "TORCH_",
                                                               "PYTORCH_",
                                                               "CUDA_",
                                                               "MALLOC_",
                                                               "GLIBC_TUNABLES="};
  constexpr std::size_t kLongest = 256;
  constexpr std::size_t kMost = 100;
  std::vector<std::string> found;
  for (; environment != nullptr && *environment != nullptr && found.size() < kMost; ++environment) {
    const std::string_view entry = *environment;
    if (std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) {
          return entry.starts_with(begin);
        })) {
      found.emplace_back(entry.substr(0, kLongest));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tune::machine
