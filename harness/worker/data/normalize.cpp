#include "worker/data/normalize.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/util/BFloat16.h>

#include <algorithm>
#include <array>
#include <bit>

namespace tune::worker {

namespace {

constexpr std::array<double, 3> kMean = {0.485, 0.456, 0.406};
constexpr std::array<double, 3> kDeviation = {0.229, 0.224, 0.225};

// Three channels times 16: a whole number of vectors in every instruction set.
constexpr std::int64_t kPattern = 48;

struct Factors {
  std::array<float, kPattern> scale{}, offset{};

  constexpr Factors() {
    for (std::size_t i = 0; i < scale.size(); ++i) {
      scale[i] = static_cast<float>(1.0 / (255.0 * kDeviation[i % 3]));
      offset[i] = static_cast<float>(-kMean[i % 3] / kDeviation[i % 3]);
    }
  }
};

constexpr Factors kFactors;

inline void store(float value, float& out) {
  out = value;
}

// Rounds to nearest, halves to even; pixels are never NaN.
inline void store(float value, c10::BFloat16& out) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  out.x = static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

// The bodies are compiled for each instruction set below: baseline x86-64 is slow at widening
// bytes.
template <class Out>
[[gnu::always_inline]] inline void interleaved(const std::uint8_t* in, std::int64_t n, Out* out) {
  std::int64_t i = 0;
  for (; i + kPattern <= n; i += kPattern) {
    for (std::int64_t j = 0; j < kPattern; ++j) {
      const auto k = static_cast<std::size_t>(j);
      store(static_cast<float>(in[i + j]) * kFactors.scale[k] + kFactors.offset[k], out[i + j]);
    }
  }
  for (; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i % 3);
    store(static_cast<float>(in[i]) * kFactors.scale[k] + kFactors.offset[k], out[i]);
  }
}

template <class Out>
struct Planes {
  Out *red, *green, *blue;
};

template <class Out>
[[gnu::always_inline]] inline void planar(const std::uint8_t* in,
                                          std::int64_t pixels,
                                          Planes<Out> out) {
  Out* __restrict red = out.red;
  Out* __restrict green = out.green;
  Out* __restrict blue = out.blue;
  for (std::int64_t i = 0; i < pixels; ++i) {
    store(static_cast<float>(in[3 * i]) * kFactors.scale[0] + kFactors.offset[0], red[i]);
    store(static_cast<float>(in[3 * i + 1]) * kFactors.scale[1] + kFactors.offset[1], green[i]);
    store(static_cast<float>(in[3 * i + 2]) * kFactors.scale[2] + kFactors.offset[2], blue[i]);
  }
}

#if defined(__x86_64__)
template <class Out>
[[gnu::target("avx2")]] void interleaved_avx2(const std::uint8_t* in, std::int64_t n, Out* out) {
  interleaved(in, n, out);
}
template <class Out>
[[gnu::target("avx2")]] void planar_avx2(const std::uint8_t* in, std::int64_t n, Planes<Out> out) {
  planar(in, n, out);
}
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#endif

template <class Out>
void normalize_interleaved(const std::uint8_t* in, std::int64_t values, Out* out) {
#if defined(__x86_64__)
  if (has_avx2()) {
    interleaved_avx2(in, values, out);
    return;
  }
#endif
  interleaved(in, values, out);
}

template <class Out>
void normalize_planar(const std::uint8_t* in, std::int64_t pixels, Planes<Out> out) {
#if defined(__x86_64__)
  if (has_avx2()) {
    planar_avx2(in, pixels, out);
    return;
  }
#endif
  planar(in, pixels, out);
}

// Splits by rows, not images, so that a small batch keeps all threads busy, too.
template <class Out>
void normalize_batch(const at::Tensor& images, at::Tensor& out) {
  const std::int64_t height = images.size(2), width = images.size(3);
  const std::int64_t rows = images.size(0) * height;
  const std::int64_t plane = height * width;
  const std::uint8_t* const in = images.const_data_ptr<std::uint8_t>();
  Out* const begin = out.mutable_data_ptr<Out>();
  const bool is_interleaved = out.is_contiguous(at::MemoryFormat::ChannelsLast);
  const std::int64_t grain = std::max<std::int64_t>(1, 65536 / (3 * width));
  at::parallel_for(0, rows, grain, [&](std::int64_t first, std::int64_t last) {
    if (is_interleaved) {
      const std::int64_t offset = first * width * 3;
      normalize_interleaved(in + offset, (last - first) * width * 3, begin + offset);
      return;
    }
    for (std::int64_t row = first; row < last; ++row) {
      Out* const red = begin + row / height * plane * 3 + row % height * width;
      normalize_planar<Out>(in + row * width * 3, width, {red, red + plane, red + 2 * plane});
    }
  });
}

at::Tensor per_channel(const std::array<float, kPattern>& factors) {
  at::Tensor channels = at::empty({1, 3, 1, 1}, at::kFloat);
  std::copy_n(factors.begin(), 3, channels.mutable_data_ptr<float>());
  return channels;
}

}  // namespace

void normalize_pixels(const std::uint8_t* in, std::int64_t pixels, float* out) {
  normalize_interleaved(in, pixels * 3, out);
}

at::Tensor pixel_scale() {
  return per_channel(kFactors.scale);
}

at::Tensor pixel_offset() {
  return per_channel(kFactors.offset);
}

void normalize_into(const at::Tensor& images, at::Tensor& out) {
  TORCH_CHECK(images.scalar_type() == at::kByte && images.dim() == 4 && images.size(1) == 3 &&
                  images.is_contiguous(at::MemoryFormat::ChannelsLast),
              "images must be bytes, [N, 3, H, W], channels-last");
  TORCH_CHECK(out.sizes() == images.sizes() &&
                  (out.is_contiguous() || out.is_contiguous(at::MemoryFormat::ChannelsLast)),
              "the output must have the images' sizes and no gaps");
  if (out.scalar_type() == at::kBFloat16) {
    normalize_batch<c10::BFloat16>(images, out);
  } else {
    TORCH_CHECK(out.scalar_type() == at::kFloat, "the output must be float32 or bfloat16");
    normalize_batch<float>(images, out);
  }
}

}  // namespace tune::worker
