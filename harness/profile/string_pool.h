#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tune::profile {

/// Index of a text in a StringPool; 0 is the empty text.
using StringId = std::uint32_t;

/// Each different text once. A trace of a million rows has a few thousand names.
class StringPool {
 public:
  StringPool();

  /// The id of the text; the same text has the same id. Ids count up from 0.
  StringId intern(std::string_view text);

  /// The text stays where it is as long as the pool lives, also when the pool is moved.
  std::string_view text(StringId id) const { return texts_[id]; }

  /// How many different texts there are.
  std::size_t size() const { return texts_.size(); }

  /// Memory held, bytes.
  std::size_t bytes() const;

 private:
  std::string_view keep(std::string_view text);
  void grow();

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_bytes_ = 0;  ///< of all blocks
  std::size_t block_left_ = 0;   ///< in the last block
  char* block_at_ = nullptr;
  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> hashes_;  ///< of texts_, so that growing reads no text
  std::vector<StringId> slots_;        ///< open addressing; id + 1, 0 is free
};

}  // namespace tune::profile
