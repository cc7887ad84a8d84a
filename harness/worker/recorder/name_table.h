#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::worker {

/// The names of a recording, each once. Threads use it when they look a name up for the first time;
/// afterwards each uses its own NameCache.
class NameTable {
 public:
  struct Name {
    std::uint32_t id = 0;
    std::string_view text;      ///< valid as long as the table
    bool counts_flops = false;  ///< the inputs of its calls determine their operation count
  };

  Name find_or_add(std::string_view text);
  std::string_view text(std::uint32_t id) const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> texts_;  // does not move them
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

/// One thread's cache of a NameTable. Names are compared by content, because many of them are
/// created again for each call. A known name costs one comparison when its address is the same as
/// before, as with operators, else a hash as well.
class NameCache {
 public:
  explicit NameCache(NameTable& table) : table_(table), slots_(kFirstSlots) {}

  const NameTable::Name& find(std::string_view text) {
    const NameTable::Name*& recent = recent_[place_of(text)];
    if (recent == nullptr || recent->text != text) {
      recent = &find_by_content(text);
    }
    return *recent;
  }

 private:
  static constexpr std::size_t kRecent = 256, kFirstSlots = 1024;  // powers of two

  struct Slot {
    bool is_used = false;
    std::size_t hash = 0;
    NameTable::Name name;
  };

  static std::size_t place_of(std::string_view text) {
    const auto address = reinterpret_cast<std::uintptr_t>(text.data());
    return (address >> 4 ^ address >> 12) % kRecent;
  }

  const NameTable::Name& find_by_content(std::string_view text) {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    for (std::size_t i = hash;; ++i) {
      Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.is_used && slot.hash == hash && slot.name.text == text) {
        return slot.name;
      }
      if (!slot.is_used) {
        return add(text, hash);
      }
    }
  }

  const NameTable::Name& add(std::string_view text, std::size_t hash) {
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
    }
    ++used_;
    Slot& slot = free_slot(hash);
    slot = {true, hash, table_.find_or_add(text)};
    return slot.name;
  }

  Slot& free_slot(std::size_t hash) {
    std::size_t i = hash;
    while (slots_[i & (slots_.size() - 1)].is_used) {
      ++i;
    }
    return slots_[i & (slots_.size() - 1)];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    recent_.fill(nullptr);
    for (const Slot& slot : old) {
      if (slot.is_used) {
        free_slot(slot.hash) = slot;
      }
    }
  }

  NameTable& table_;
  std::vector<Slot> slots_;
  std::array<const NameTable::Name*, kRecent> recent_{};  // by address, in slots_
  std::size_t used_ = 0;
};

}  // namespace tune::worker
