#include "profile/string_pool.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace tune::profile {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;
constexpr std::size_t kFirstSlots = 1024;  // a power of two, as all later sizes

std::uint32_t hash_of(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>{}(text);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

StringPool::StringPool() : slots_(kFirstSlots) {
  intern("");
}

StringId StringPool::intern(std::string_view text) {
  const std::uint32_t hash = hash_of(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const StringId id = slots_[slot] - 1;
    if (hashes_[id] == hash && texts_[id] == text) {
      return id;
    }
  }
  const auto id = static_cast<StringId>(texts_.size());
  texts_.push_back(keep(text));
  hashes_.push_back(hash);
  slots_[slot] = id + 1;
  if (texts_.size() * 2 > slots_.size()) {
    grow();
  }
  return id;
}

std::size_t StringPool::bytes() const {
  return block_bytes_ + texts_.capacity() * sizeof(std::string_view) +
         hashes_.capacity() * sizeof(std::uint32_t) + slots_.capacity() * sizeof(StringId);
}

std::string_view StringPool::keep(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  if (text.size() > block_left_) {
    const std::size_t size = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique<char[]>(size));
    block_at_ = blocks_.back().get();
    block_left_ = size;
    block_bytes_ += size;
  }
  char* const at = block_at_;
  std::memcpy(at, text.data(), text.size());
  block_at_ += text.size();
  block_left_ -= text.size();
  return {at, text.size()};
}

void StringPool::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (StringId id = 0; id < texts_.size(); ++id) {
    std::size_t slot = hashes_[id] & mask;
    while (slots_[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots_[slot] = id + 1;
  }
}

}  // namespace tune::profile
