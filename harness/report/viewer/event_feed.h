#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tune::viewer {

/// The newest state of something that changes, for readers on threads of their own: each gets the
/// newest that it has not had, and may miss those between. Nothing runs and no timer ticks while
/// the state stays as it is.
class EventFeed {
 public:
  /// With one more the one that came first has to go, and may come again: readers that went away
  /// without a word, which only show when something is sent to them, keep nobody out.
  static constexpr std::size_t kMostReaders = 8;

  /// One that follows; the feed outlives it.
  class Reader {
   public:
    explicit Reader(EventFeed& feed);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Waits for a state that this reader has not had, the present one at first. Nothing: there
    /// will be no more, or it has to go.
    std::optional<std::string> next();

   private:
    EventFeed& feed_;
    std::int64_t seen_ = 0;
    bool has_to_go_ = false;
  };

  void publish(std::string state);

  /// Nothing more comes: readers get the last state and then end.
  void close();

  std::size_t readers() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Reader*> readers_;  // in the order in which they came
  std::string state_;
  std::int64_t version_ = 0;
  bool is_closed_ = false;
};

/// Keeps work that is done again and again below a share of the time: after some of it comes a rest
/// that is as much longer as the share is small.
class WorkShare {
 public:
  /// `most` is above 0 and at most 1.
  explicit WorkShare(double most) : most_(most) {}

  /// Times of one clock, ns. The first time always.
  bool may_begin(std::int64_t now_ns) const { return now_ns >= rest_until_ns_; }

  void took(std::int64_t begin_ns, std::int64_t end_ns) {
    const auto work_ns = static_cast<double>(end_ns - begin_ns);
    rest_until_ns_ = end_ns + static_cast<std::int64_t>(work_ns * (1 / most_ - 1));
  }

 private:
  double most_;
  std::int64_t rest_until_ns_ = INT64_MIN;
};

}  // namespace tune::viewer
