#include "trace/reader/text_window.h"

#include <array>
#include <cstring>
#include <string_view>

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

namespace {

using Flags = std::array<bool, 256>;

constexpr Flags flags_of(std::string_view characters) {
  Flags flags{};
  for (const char c : characters) {
    flags[static_cast<unsigned char>(c)] = true;
  }
  return flags;
}

constexpr Flags kEndsText = flags_of("\"\\");
constexpr Flags kOutside = flags_of("\"{}[]");
constexpr Flags kSpace = flags_of(" \t\r\n");
constexpr Flags kFollowsText = flags_of(",:}]");

bool is(const Flags& flags, char c) {
  return flags[static_cast<unsigned char>(c)];
}

const char* find(const Flags& flags, const char* at, const char* end) {
  constexpr int kStride = 8;
  while (end - at >= kStride) {
    for (int i = 0; i < kStride; ++i) {
      if (is(flags, at[i])) {
        return at + i;
      }
    }
    at += kStride;
  }
  while (at != end && !is(flags, *at)) {
    ++at;
  }
  return at;
}

}  // namespace

const char* ValueScanner::skip_text(const char* at, const char* end) {
  while (at != end) {
    if (is_escaped_) {
      is_escaped_ = false;
      ++at;
      continue;
    }
    at = find(kEndsText, at, end);
    if (at == end) {
      break;
    }
    if (*at++ == '"') {
      in_text_ = false;
      after_text_ = true;
      break;
    }
    is_escaped_ = true;
  }
  return at;
}

ValueScanner::Outcome ValueScanner::bracket(char c) {
  if (c == '{' || c == '[') {
    ++depth_;
    return depth_ > kDeepest ? Outcome::too_deep : Outcome::more;
  }
  --depth_;
  return depth_ <= 0 ? Outcome::done : Outcome::more;
}

ValueScanner::Outcome ValueScanner::scan(const char*& at, const char* end) {
  while (at != end) {
    if (in_text_) {
      at = skip_text(at, end);
      continue;
    }
    if (after_text_) {
      while (at != end && is(kSpace, *at)) {
        ++at;
      }
      if (at == end) {
        break;
      }
      after_text_ = false;
      if (!is(kFollowsText, *at)) {
        return Outcome::strange;
      }
    }
    at = find(kOutside, at, end);
    if (at == end) {
      break;
    }
    const char c = *at++;
    if (c == '"') {
      in_text_ = true;
    } else if (const Outcome outcome = bracket(c); outcome != Outcome::more) {
      return outcome;
    }
  }
  return Outcome::more;
}

}  // namespace tune::profile
