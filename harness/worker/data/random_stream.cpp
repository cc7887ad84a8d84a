#include "worker/data/random_stream.h"

#include <numeric>
#include <utility>

namespace tune::worker {

std::vector<std::int64_t> epoch_order(std::uint64_t seed,
                                      std::int64_t epoch,
                                      std::int64_t samples) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(RandomStream::Purpose::order, seed, static_cast<std::uint64_t>(epoch), 0);
  for (std::int64_t last = samples - 1; last > 0; --last) {
    const std::int64_t other = random.below(last + 1);
    std::swap(order[static_cast<std::size_t>(last)], order[static_cast<std::size_t>(other)]);
  }
  return order;
}

std::vector<std::int64_t> Shard::epoch_order(std::uint64_t seed,
                                             std::int64_t epoch,
                                             std::int64_t samples) const {
  const std::vector<std::int64_t> all = worker::epoch_order(seed, epoch, samples);
  if (ranks == 1) {
    return all;
  }
  std::vector<std::int64_t> own;
  own.reserve(static_cast<std::size_t>(count(samples)));
  for (std::int64_t i = 0; i < count(samples); ++i) {
    own.push_back(all[static_cast<std::size_t>((rank + i * ranks) % samples)]);
  }
  return own;
}

}  // namespace tune::worker
