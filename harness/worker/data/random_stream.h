#pragma once

#include <cstdint>
#include <vector>

namespace tune::worker {

/// splitmix64's finaliser: every bit of the input reaches every bit of the output.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Random numbers that depend only on their key, so that augmentation does not depend on the thread
/// or the order. The n-th number of a key is a function of (key, n).
class RandomStream {
 public:
  /// The purpose of the numbers: streams with different purposes are independent.
  enum class Purpose : std::uint64_t { order = 1, crop = 2, synthetic = 3, mask = 4 };

  RandomStream(Purpose purpose, std::uint64_t seed, std::uint64_t epoch, std::uint64_t sample)
      : state_(mix_bits(
            mix_bits(mix_bits(mix_bits(static_cast<std::uint64_t>(purpose)) + seed + kStep) +
                     epoch + kStep) +
            sample + kStep)) {}

  std::uint64_t bits() {
    state_ += kStep;
    return mix_bits(state_);
  }

  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// In [0, bound); the bias is below 2^-40 for the bounds used here.
  std::int64_t below(std::int64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>((static_cast<Wide>(bits()) * static_cast<Wide>(bound)) >> 64);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

/// The order of the samples in one epoch: a permutation of 0 ... samples-1 that depends only on the
/// seed and the epoch, not on the number of workers or a restart.
std::vector<std::int64_t> epoch_order(std::uint64_t seed, std::int64_t epoch, std::int64_t samples);

/// The samples of one of several processes that train together, as torch's DistributedSampler
/// shares them out: every n-th of the epoch's order, beginning with this process's number. Where
/// they do not divide evenly the first ones come twice, so that all processes have as many.
struct Shard {
  std::int64_t rank = 0, ranks = 1;

  /// How many of `samples` are in the shard.
  std::int64_t count(std::int64_t samples) const { return (samples + ranks - 1) / ranks; }
  std::vector<std::int64_t> epoch_order(std::uint64_t seed,
                                        std::int64_t epoch,
                                        std::int64_t samples) const;
};

}  // namespace tune::worker
