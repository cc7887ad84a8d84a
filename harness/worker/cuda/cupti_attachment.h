#pragma once

#include "worker/cuda/cupti_api.h"
#include "worker/cuda/plugin.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::worker {

/// Why code that was compiled with the headers of one CUPTI cannot read the records of the one that
/// is loaded; "" when it can.
std::string why_not_cupti(std::uint32_t loaded, std::uint32_t headers);

/// The callbacks that CUPTI calls while it is attached.
struct CuptiCallbacks {
  CUpti_TimestampCallbackFunc clock = nullptr;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
};

/// Attaches CUPTI in the only order that works: subscribe first; the clock and the buffers before
/// the first kind; enable the calls of runtime and driver before disabling the unneeded ones.
/// Detaches in reverse order.
class CuptiAttachment {
 public:
  explicit CuptiAttachment(const CuptiApi& api) : api_(api) {}

  /// Nothing: attached. Else CUPTI is unchanged, and the reason is one of `old_cupti`, `busy`
  /// (another tool has it, by name), `no_permission`, `cupti_<code>`.
  std::optional<Unavailable> attach(const TraceOptions& options, const CuptiCallbacks& callbacks);

  /// Disables the kinds, then unsubscribes. May be called twice.
  void detach();

  bool has_own_clock() const { return has_own_clock_; }

  /// Optional parts that failed: "no overhead rows: CUPTI says CUPTI_ERROR_NOT_SUPPORTED (27)".
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  enum class Need { must, may };

  std::optional<Unavailable> subscribe();
  bool prepare(const TraceOptions& options, const CuptiCallbacks& callbacks);
  bool enable_kinds(const TraceOptions& options);
  void choose_calls(const TraceOptions& options);
  bool enable(CUpti_ActivityKind kind, Need need, const char* rows);
  bool worked(CUptiResult result, Need need, const char* what);
  std::string say(CUptiResult result) const;
  Unavailable refused(CUptiResult result, const std::string& what) const;

  const CuptiApi& api_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::uint32_t version_ = 0;  ///< CUPTI's
  bool has_own_clock_ = false;
  std::vector<CUpti_ActivityKind> enabled_;
  std::vector<std::string> notes_;
  std::optional<Unavailable> failure_;
};

}  // namespace tune::worker
