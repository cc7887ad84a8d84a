#pragma once

#include "worker/cuda/cupti_api.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tune::worker {

/// A fake CUPTI: remembers the order of calls, returns what the test sets, and fills buffers with
/// the records in `to_write` when it is flushed with force.
struct FakeCupti {
  std::vector<std::string> calls;
  std::map<std::string, CUptiResult> answers;  ///< by call; others succeed
  std::string other_subscriber;
  std::uint32_t version = 130'001;
  std::size_t dropped = 0;
  std::vector<std::vector<std::uint8_t>> to_write;  ///< one entry a record
  std::size_t records_in_buffer = 1;                ///< at most
  /// Names of calls, by domain and number; others are called as a launch or a copy is.
  std::map<std::pair<CUpti_CallbackDomain, std::uint32_t>, std::string> names;
  CUptiResult end_of_buffer = CUPTI_ERROR_MAX_LIMIT_REACHED;

  template <class Record>
  void will_write(const Record& record) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&record);
    to_write.emplace_back(bytes, bytes + sizeof record);
  }

  /// The index of the first call that begins with this; -1 when there is none.
  int place_of(const std::string& call) const;
  int count_of(const std::string& call) const;

  /// Returns CUPTI's functions, which all act on the latest fake.
  FakeCupti();
  ~FakeCupti();
  FakeCupti(const FakeCupti&) = delete;
  FakeCupti& operator=(const FakeCupti&) = delete;
  const CuptiApi& api() const;

  void write_buffers();

  /// Where the records of a buffer begin that was filled.
  std::map<const std::uint8_t*, std::vector<std::size_t>> begins;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
};

}  // namespace tune::worker
