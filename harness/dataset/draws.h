#pragma once

#include <array>
#include <cstdint>

namespace tune::dataset {

/// Scrambles 64 bits (the finaliser of SplitMix64).
constexpr std::uint64_t scramble(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9U;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// Random numbers that depend only on a key and on how many were drawn: equal on every machine and
/// for any number of threads. Integers only, because libm differs between machines.
class Draws {
 public:
  explicit constexpr Draws(std::uint64_t key) : state_(scramble(key)) {}

  /// A separate stream for one purpose, so that more draws in one stream do not change another.
  constexpr Draws branch(std::uint64_t purpose) const {
    return Draws(state_ ^ scramble(purpose + 0x632BE59BD9B4E019U));
  }

  constexpr std::uint64_t bits() { return scramble(state_ += 0x9E3779B97F4A7C15U); }

  /// Uniform in [low, high].
  constexpr int between(int low, int high) {
    const std::uint64_t range = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(((bits() >> 32) * range) >> 32);
  }

  /// Standard normal in units of 1/65536: the sum of twelve uniforms minus six.
  constexpr std::int64_t normal_q16() {
    std::int64_t sum = -6 * 65536 + 6;
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t four = bits();
      for (int part = 0; part < 64; part += 16) {
        sum += static_cast<std::int64_t>((four >> part) & 0xFFFF);
      }
    }
    return sum;
  }

 private:
  std::uint64_t state_;
};

/// 2^x; argument and result in units of 1/65536. x in [-16, 30].
constexpr std::int64_t exp2_q16(std::int64_t x) {
  const std::int64_t whole = x >> 16;
  const std::int64_t part = x & 0xFFFF;
  // Minimax polynomial of 2^f on [0, 1), Horner in units of 2^-30, error below 1e-4.
  constexpr std::array<std::int64_t, 4> kCoefficients = {
      14'562'000, 55'746'000, 259'180'000, 744'255'000};
  std::int64_t sum = 0;
  for (const std::int64_t coefficient : kCoefficients) {
    sum = ((sum + coefficient) * part) >> 16;
  }
  const std::int64_t value = (std::int64_t{1} << 30) + sum;
  const std::int64_t shift = whole - 14;
  return shift >= 0 ? value << shift : value >> -shift;
}

}  // namespace tune::dataset
