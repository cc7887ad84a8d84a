#include "worker/cuda/activity_buffers.h"

#include <cstring>
#include <new>
#include <utility>

namespace tune::worker {

namespace {
constexpr std::align_val_t kAlignment{64};
}  // namespace

// Lists have room for every buffer from the start: nothing that CUPTI calls allocates memory for
// them.
ActivityBuffers::ActivityBuffers(Limits limits) : limits_(limits) {
  all_.reserve(limits_.most);
  free_.reserve(limits_.most);
  filled_.reserve(limits_.most);
  for (std::size_t i = 0; i < limits_.ready; ++i) {
    std::uint8_t* const buffer = make();
    if (buffer == nullptr) {
      break;  // fewer are enough, and the count of dropped records says when not
    }
    free_.push_back(buffer);
  }
}

ActivityBuffers::~ActivityBuffers() {
  for (std::uint8_t* const buffer : all_) {
    ::operator delete(buffer, kAlignment);
  }
}

// Zeroed and thus touched: no page fault later.
std::uint8_t* ActivityBuffers::make() noexcept {
  void* const memory = ::operator new(limits_.buffer_bytes, kAlignment, std::nothrow);
  if (memory == nullptr) {
    return nullptr;
  }
  std::memset(memory, 0, limits_.buffer_bytes);
  auto* const buffer = static_cast<std::uint8_t*>(memory);
  all_.push_back(buffer);
  return buffer;
}

std::uint8_t* ActivityBuffers::request() noexcept {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    std::uint8_t* const buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  std::uint8_t* const buffer = all_.size() < limits_.most ? make() : nullptr;
  denied_ += buffer == nullptr ? 1 : 0;
  return buffer;
}

void ActivityBuffers::complete(std::uint8_t* buffer, std::size_t valid_bytes) noexcept {
  if (buffer == nullptr) {
    return;
  }
  if (valid_bytes == 0) {  // rare; it may contain unfinished records
    std::memset(buffer, 0, limits_.buffer_bytes);
  }
  const std::lock_guard lock(mutex_);
  if (valid_bytes == 0) {
    free_.push_back(buffer);
  } else {
    filled_.push_back({buffer, valid_bytes});
  }
}

std::vector<ActivityBuffers::Filled> ActivityBuffers::take_filled() {
  std::vector<Filled> next;
  next.reserve(limits_.most);
  const std::lock_guard lock(mutex_);
  return std::exchange(filled_, std::move(next));
}

void ActivityBuffers::release(const std::vector<Filled>& read) {
  for (const Filled& buffer : read) {
    std::memset(buffer.begin, 0, buffer.bytes);  // CUPTI was promised zeroed buffers
    const std::lock_guard lock(mutex_);
    free_.push_back(buffer.begin);
  }
}

std::size_t ActivityBuffers::made() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

std::size_t ActivityBuffers::denied() const {
  const std::lock_guard lock(mutex_);
  return denied_;
}

}  // namespace tune::worker
