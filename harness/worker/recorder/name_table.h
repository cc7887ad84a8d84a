#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tune::worker {

/// The names of a recording, each once. For threads that look a name up for the first time; what
/// they have seen they keep in a NameCache of their own.
class NameTable {
 public:
  struct Name {
    std::uint32_t id = 0;
    std::string_view text;      ///< valid as long as the table
    bool counts_flops = false;  ///< the inputs of its calls tell how many operations they do
  };

  Name find_or_add(std::string_view text);
  std::string_view text(std::uint32_t id) const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> texts_;  // does not move them
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace tune::worker
