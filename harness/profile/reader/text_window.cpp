#include "profile/reader/text_window.h"

#include <cstring>

namespace tune::profile {

namespace {

constexpr std::size_t kFirstBytes = 1 << 20;
constexpr std::size_t kReadAtLeast = std::size_t{64} * 1024;

}  // namespace

TextWindow::TextWindow(ByteSource& source) : source_(source), text_(kFirstBytes + kPadding) {}

bool TextWindow::fill() {
  const std::size_t room = text_.size() - kPadding;
  if (begin_ > 0 && room - end_ < kReadAtLeast) {
    std::memmove(text_.data(), begin(), size());
    end_ -= begin_;
    begin_ = 0;
  }
  if (room - end_ < kReadAtLeast) {  // one value fills all of it
    text_.resize(room * 2 + kPadding);
  }
  const std::size_t count = source_.read(text_.data() + end_, text_.size() - kPadding - end_);
  end_ += count;
  return count > 0;
}

void TextWindow::consume_until(const char* at) {
  const auto count = static_cast<std::size_t>(at - begin());
  begin_ += count;
  offset_ += static_cast<std::int64_t>(count);
}

}  // namespace tune::profile
