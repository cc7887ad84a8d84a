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

}  // namespace tune::worker
