#pragma once

#include "worker/cuda/cupti_api.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune::worker {

/// A CUPTI of tests: remembers in which order it was called, answers what it is told to, and fills
/// buffers with the records of `to_write` when it is flushed with force.
struct FakeCupti {
  std::vector<std::string> calls;
  std::map<std::string, CUptiResult> answers;  ///< by call; others succeed
  std::string other_subscriber;
  std::uint32_t version = 130'001;
  std::size_t dropped = 0;
  std::vector<std::vector<std::uint8_t>> to_write;  ///< one entry a record
  CUptiResult end_of_buffer = CUPTI_ERROR_MAX_LIMIT_REACHED;

  template <class Record>
  void will_write(const Record& record) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&record);
    to_write.emplace_back(bytes, bytes + sizeof record);
  }

  /// The first call that begins with this; -1 when there is none.
  int place_of(const std::string& call) const;
  int count_of(const std::string& call) const;

  /// Gives CUPTI's functions, which all act on the one fake that was made last.
  FakeCupti();
  ~FakeCupti();
  FakeCupti(const FakeCupti&) = delete;
  FakeCupti& operator=(const FakeCupti&) = delete;
  const CuptiApi& api() const;

  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
};

}  // namespace tune::worker
