#pragma once

#include "worker/cuda/activity_buffers.h"
#include "worker/cuda/cupti_attachment.h"
#include "worker/cuda/plugin.h"
#include "worker/cuda/record_decoder.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tune::worker {

/// TraceSession over CUPTI's activity records.
class CuptiSession final : public TraceSession {
 public:
  /// `synchronize` waits for the device. Only one session per process can exist at a time: CUPTI's
  /// callbacks have no user pointer.
  CuptiSession(const CuptiApi& api, std::function<void()> synchronize);
  ~CuptiSession() override;
  CuptiSession(const CuptiSession&) = delete;
  CuptiSession& operator=(const CuptiSession&) = delete;

  std::optional<Unavailable> start(const TraceOptions& options) override;
  void discard() override;
  void decode() override;
  DeviceTraceResult finish(const std::vector<std::int64_t>& edges) override;

 private:
  enum class State { fresh, recording, over };

  std::vector<ActivityBuffers::Filled> read_buffers();
  void keep_first_failure(CUptiResult flush);
  void add_dropped();
  std::optional<std::int64_t> count_dropped();
  ClockMap record_clock() const;
  std::string name_of_call(CallRow::Interface interface, std::uint32_t callback) const;

  const CuptiApi& api_;
  std::function<void()> synchronize_;
  CuptiAttachment attachment_;
  std::unique_ptr<ActivityBuffers> buffers_;  ///< made by start()
  ClockMap::Pair first_pair_;
  std::optional<RecordDecoder> decoder_;  ///< while a session records
  bool has_lost_count_ = false;           ///< CUPTI did not say how many it dropped
  CUptiResult flushed_ = CUPTI_SUCCESS;   ///< the first failure over all windows
  State state_ = State::fresh;
};

}  // namespace tune::worker
