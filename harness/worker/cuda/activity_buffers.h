#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tune::worker {

/// The memory for CUPTI's records: buffers of 8 MiB, aligned to 64 bytes, zeroed, 16 made
/// beforehand and at most 64. CUPTI calls from its own threads and the driver's, so nothing here
/// waits, throws or calls CUPTI.
class ActivityBuffers {
 public:
  struct Filled {
    std::uint8_t* begin = nullptr;
    std::size_t bytes = 0;  ///< that contain records
  };
  struct Limits {
    std::size_t buffer_bytes = std::size_t{8} << 20U;
    std::size_t ready = 16, most = 64;
  };

  ActivityBuffers() : ActivityBuffers(Limits()) {}
  /// Throws std::bad_alloc.
  explicit ActivityBuffers(Limits limits);
  ~ActivityBuffers();
  ActivityBuffers(const ActivityBuffers&) = delete;
  ActivityBuffers& operator=(const ActivityBuffers&) = delete;

  /// A zeroed buffer; null when `most` are in use or memory is short. CUPTI then counts what it
  /// drops.
  std::uint8_t* request() noexcept;

  /// Returns a buffer from request(), full or empty.
  void complete(std::uint8_t* buffer, std::size_t valid_bytes) noexcept;

  /// The buffers returned with records since the last call, in order. They stay readable until
  /// release().
  std::vector<Filled> take_filled();

  /// Makes them available again.
  void release(const std::vector<Filled>& read);

  std::size_t buffer_bytes() const { return limits_.buffer_bytes; }
  std::size_t made() const;
  std::size_t denied() const;  ///< requests that were refused

 private:
  std::uint8_t* make() noexcept;

  const Limits limits_;
  mutable std::mutex mutex_;
  std::vector<std::uint8_t*> all_, free_;
  std::vector<Filled> filled_;
  std::size_t denied_ = 0;
};

}  // namespace tune::worker
