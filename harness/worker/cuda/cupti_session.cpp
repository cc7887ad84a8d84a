#include "worker/cuda/cupti_session.h"

#include "base/assert.h"
#include "base/clock.h"
#include "worker/cuda/trace_check.h"

#include <atomic>
#include <utility>

namespace tune::worker {

namespace {

// CUPTI's callbacks carry no pointer of ours.
std::atomic<ActivityBuffers*>& buffers_in_use() {
  static std::atomic<ActivityBuffers*> buffers{nullptr};
  return buffers;
}

std::uint64_t read_clock() {
  return static_cast<std::uint64_t>(monotonic_ns());
}

void request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  ActivityBuffers* const buffers = buffers_in_use();
  *buffer = buffers == nullptr ? nullptr : buffers->request();
  *size = *buffer == nullptr ? 0 : buffers->buffer_bytes();
  *most_records = 0;  // as many as fit
}

void complete_buffer(CUcontext /*context*/,
                     std::uint32_t /*stream*/,
                     std::uint8_t* buffer,
                     std::size_t /*size*/,
                     std::size_t valid_bytes) {
  if (ActivityBuffers* const buffers = buffers_in_use(); buffers != nullptr) {
    buffers->complete(buffer, valid_bytes);
  }
}

/// Runs however finish() ends.
class Detaching {
 public:
  explicit Detaching(CuptiAttachment& attachment) : attachment_(attachment) {}
  ~Detaching() { attachment_.detach(); }
  Detaching(const Detaching&) = delete;
  Detaching& operator=(const Detaching&) = delete;

 private:
  CuptiAttachment& attachment_;
};

// "cudaLaunchKernel_v7000" is commonly called cudaLaunchKernel.
std::string without_version(std::string name) {
  const std::size_t at = name.rfind("_v");
  const bool has_version = at != std::string::npos && at + 2 < name.size() &&
                           name.find_first_not_of("0123456789", at + 2) == std::string::npos;
  if (has_version) {
    name.resize(at);
  }
  return name;
}

}  // namespace

CuptiSession::CuptiSession(const CuptiApi& api, std::function<void()> synchronize)
    : api_(api), synchronize_(std::move(synchronize)), attachment_(api) {}

CuptiSession::~CuptiSession() {
  attachment_.detach();
  ActivityBuffers* mine = buffers_.get();
  if (mine != nullptr) {
    buffers_in_use().compare_exchange_strong(mine, nullptr);
  }
}

std::optional<Unavailable> CuptiSession::start(const TraceOptions& options) {
  if (state_ != State::fresh) {
    return Unavailable{"used", "this process has already had its one CUPTI session"};
  }
  state_ = State::over;
  buffers_ = std::make_unique<ActivityBuffers>();
  ActivityBuffers* nobody = nullptr;
  if (!buffers_in_use().compare_exchange_strong(nobody, buffers_.get())) {
    return Unavailable{"used", "another CUPTI session is running in this process"};
  }
  const CuptiCallbacks callbacks = {read_clock, request_buffer, complete_buffer};
  if (auto reason = attachment_.attach(options, callbacks)) {
    return reason;
  }
  first_pair_ = read_clock_pair();
  decoder_.emplace([this](CallRow::Interface interface, std::uint32_t callback) {
    return name_of_call(interface, callback);
  });
  state_ = State::recording;
  return std::nullopt;
}

void CuptiSession::discard() {
  TUNE_ASSERT(state_ == State::recording);
  synchronize_();
  api_.flush(0);
  buffers_->release(buffers_->take_filled());
  count_dropped();  // reading it resets it
}

// An idle device has no unfinished records, so forcing loses none.
void CuptiSession::decode() {
  TUNE_ASSERT(state_ == State::recording);
  synchronize_();
  keep_first_failure(api_.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  add_dropped();
  read_buffers();
}

// Names of kernels are CUPTI's memory: they are read while it is attached.
DeviceTraceResult CuptiSession::finish(const std::vector<std::int64_t>& edges) {
  TUNE_ASSERT(state_ == State::recording && edges.size() >= 2);
  state_ = State::over;
  const Detaching at_the_end(attachment_);
  synchronize_();
  DeviceTraceResult result;
  const std::int64_t begin_ns = monotonic_ns();
  keep_first_failure(api_.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  result.flush_ns = monotonic_ns() - begin_ns;
  add_dropped();
  for (const ActivityBuffers::Filled& buffer : read_buffers()) {
    result.flushed_bytes += static_cast<std::int64_t>(buffer.bytes);
    ++result.flushed_buffers;
  }
  const ClockMap clock = record_clock();
  result.trace = decoder_->take(clock);
  clip_trace(result.trace, edges.front(), edges.back());
  result.check = check_trace(result.trace, edges);
  if (clock.was_set()) {
    result.check.problems.emplace_back("the system clock, which CUPTI uses, was set meanwhile");
  }
  if (flushed_ != CUPTI_SUCCESS) {
    result.check.problems.push_back("CUPTI could not deliver all records: error " +
                                    std::to_string(static_cast<int>(flushed_)));
  }
  if (has_lost_count_) {
    result.check.problems.emplace_back("CUPTI does not say how many records it dropped");
  }
  result.clock = attachment_.has_own_clock() ? "monotonic" : "realtime";
  result.notes = attachment_.notes();
  result.notes.insert(result.notes.end(), result.check.notes.begin(), result.check.notes.end());
  return result;
}

void CuptiSession::keep_first_failure(CUptiResult flush) {
  flushed_ = flushed_ == CUPTI_SUCCESS ? flush : flushed_;
}

std::vector<ActivityBuffers::Filled> CuptiSession::read_buffers() {
  const std::vector<ActivityBuffers::Filled> filled = buffers_->take_filled();
  for (const ActivityBuffers::Filled& buffer : filled) {
    CUpti_Activity* record = nullptr;
    CUptiResult next = api_.next_record(buffer.begin, buffer.bytes, &record);
    while (next == CUPTI_SUCCESS && record != nullptr) {
      decoder_->add(*record);
      next = api_.next_record(buffer.begin, buffer.bytes, &record);
    }
    if (next != CUPTI_ERROR_MAX_LIMIT_REACHED) {
      decoder_->count_broken_buffer();
    }
  }
  buffers_->release(filled);
  return filled;
}

void CuptiSession::add_dropped() {
  const std::optional<std::int64_t> dropped = count_dropped();
  has_lost_count_ |= !dropped;
  decoder_->count_dropped(dropped.value_or(0));
}

std::optional<std::int64_t> CuptiSession::count_dropped() {
  std::size_t dropped = 0;
  if (api_.count_dropped(nullptr, 0, &dropped) != CUPTI_SUCCESS) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(dropped);
}

// Without our clock records carry CLOCK_REALTIME.
ClockMap CuptiSession::record_clock() const {
  return attachment_.has_own_clock() ? ClockMap() : ClockMap(first_pair_, read_clock_pair());
}

std::string CuptiSession::name_of_call(CallRow::Interface interface, std::uint32_t callback) const {
  const bool is_runtime = interface == CallRow::Interface::runtime;
  const char* name = nullptr;
  const CUptiResult found = api_.callback_name(
      is_runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API, callback, &name);
  if (found != CUPTI_SUCCESS || name == nullptr) {
    return (is_runtime ? "runtime call " : "driver call ") + std::to_string(callback);
  }
  return is_runtime ? without_version(name) : name;
}

}  // namespace tune::worker
