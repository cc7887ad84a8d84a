#include "report/viewer/event_feed.h"

#include <utility>

namespace tune::viewer {

EventFeed::Reader::Reader(EventFeed& feed) : feed_(feed) {
  const std::lock_guard lock(feed_.mutex_);
  if (feed_.readers_.size() == kMostReaders) {
    feed_.readers_.front()->has_to_go_ = true;
    feed_.readers_.erase(feed_.readers_.begin());
    feed_.changed_.notify_all();
  }
  feed_.readers_.push_back(this);
}

EventFeed::Reader::~Reader() {
  const std::lock_guard lock(feed_.mutex_);
  std::erase(feed_.readers_, this);
}

std::optional<std::string> EventFeed::Reader::next() {
  std::unique_lock lock(feed_.mutex_);
  feed_.changed_.wait(lock,
                      [&] { return has_to_go_ || feed_.is_closed_ || seen_ != feed_.version_; });
  if (has_to_go_ || seen_ == feed_.version_) {
    return std::nullopt;
  }
  seen_ = feed_.version_;
  return feed_.state_;
}

void EventFeed::publish(std::string state) {
  const std::lock_guard lock(mutex_);
  state_ = std::move(state);
  ++version_;
  changed_.notify_all();
}

void EventFeed::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

std::size_t EventFeed::readers() const {
  const std::lock_guard lock(mutex_);
  return readers_.size();
}

}  // namespace tune::viewer
