#include "trace/reader/document_reader.h"

#include "base/error.h"
#include "trace/reader/header_values.h"
#include "trace/reader/other_format.h"
#include "trace/reader/text_window.h"

#include <algorithm>
#include <utility>

namespace tune::profile {

namespace {

constexpr std::size_t kLargestValue = std::size_t{64}
                                      << 20;  // bytes; nothing that a profiler writes comes near
constexpr std::size_t kLongestKey = std::size_t{64} * 1024;
// A file in which no text ends where it should is looked through once for each of its rows.
constexpr std::int64_t kMostWasted = 64 << 20;
constexpr std::int64_t kMostWastedTimes = 16;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

DocumentReader::DocumentReader(TextWindow& text,
                               Timeline& timeline,
                               TimelineBuilder& builder,
                               const ReadOptions& options,
                               std::function<void(std::int64_t rows)> on_row)
    : text_(text),
      timeline_(timeline),
      builder_(builder),
      parser_(options.with_python),
      on_row_(std::move(on_row)) {}

void DocumentReader::read() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  refuse_other_format(timeline_.file, text_);
  const std::string_view beginning(text_.begin(), text_.size());
  if (beginning.starts_with(kByteOrderMark)) {
    text_.consume_until(text_.begin() + kByteOrderMark.size());
  }
  if (!skip_space()) {
    refuse("holds nothing", "a trace is an object with traceEvents, or an array of events");
  }
  const char first = *text_.begin();
  if (first != '{' && first != '[') {
    refuse("is not JSON", "a trace begins with { or [");
  }
  text_.consume_until(text_.begin() + 1);
  has_event_array_ = first == '[';
  first == '[' ? read_events() : read_members();
  look_behind();
}

// Programs that append to a file leave several documents in it.
void DocumentReader::look_behind() {
  goes_on_ = is_closed_ && skip_space() && (*text_.begin() == '{' || *text_.begin() == '[');
  if (goes_on_ && rows_ > 0) {
    timeline_.notes.warn("another JSON document begins at byte " + std::to_string(text_.offset()) +
                         " of the JSON and was not read: keep each trace in a file of its own");
  }
}

// False at the end of the text.
bool DocumentReader::skip_space() {
  for (;;) {
    const char* const at = std::find_if_not(text_.begin(), text_.end(), is_space);
    text_.consume_until(at);
    if (text_.size() > 0) {
      return true;
    }
    if (!text_.fill()) {
      return false;
    }
  }
}

void DocumentReader::read_members() {
  std::string key;
  while (!is_cut_off_) {
    if (!skip_space()) {
      return cut_off(text_.offset());
    }
    const char c = *text_.begin();
    if (c == ',') {
      text_.consume_until(text_.begin() + 1);
    } else if (c == '}') {
      is_closed_ = true;
      return text_.consume_until(text_.begin() + 1);
    } else if (c == '"' && read_key(key)) {
      read_member(key);
    } else if (rows_ > 0) {
      return timeline_.notes.warn("what follows byte " + std::to_string(text_.offset()) +
                                  " of the JSON is not JSON and was not read");
    } else {
      refuse("is not JSON", "a key in quotes was expected");
    }
  }
}

// Reads "key" and the colon. False when this is not a key.
bool DocumentReader::read_key(std::string& key) {
  std::size_t at = 1;
  for (;;) {
    if (at >= text_.size()) {
      if (text_.size() > kLongestKey || !text_.fill()) {
        return false;
      }
      continue;
    }
    const char c = text_.begin()[at];
    if (c == '"') {
      break;
    }
    at += c == '\\' ? 2 : 1;
  }
  key.assign(text_.begin() + 1, at - 1);
  text_.consume_until(text_.begin() + at + 1);
  if (!skip_space() || *text_.begin() != ':') {
    return false;
  }
  text_.consume_until(text_.begin() + 1);
  return true;
}

void DocumentReader::read_member(const std::string& key) {
  if (!skip_space()) {
    return cut_off(text_.offset());
  }
  const char c = *text_.begin();
  if (key == "traceEvents" && c == '[') {
    has_event_array_ = true;
    text_.consume_until(text_.begin() + 1);
    read_events();
    is_closed_ = false;
    return;
  }
  if (c != '{' && c != '[') {
    std::string json;
    if (take_scalar(json)) {
      take_header_value(timeline_, key, json);
    }
    return;
  }
  const std::int64_t offset = text_.offset();
  if (key != "deviceProperties" && key != "distributedInfo") {
    return skip_value(offset);
  }
  std::size_t length = 0;
  if (take_value(length) != ValueEnd::found) {
    return cut_off(offset);
  }
  const std::string json =
      is_mended_ ? std::move(mended_.json) : std::string(text_.begin(), length);
  text_.consume_until(text_.begin() + length);
  take_header_value(timeline_, key, json);
}

// A value that nobody needs, of any size.
void DocumentReader::skip_value(std::int64_t offset) {
  ValueScanner scanner;
  for (;;) {
    const char* at = text_.begin();
    const ValueScanner::Outcome outcome = scanner.scan(at, text_.end());
    text_.consume_until(at);
    if (outcome == ValueScanner::Outcome::done) {
      return;
    }
    if (outcome == ValueScanner::Outcome::too_deep) {
      refuse_depth();
    }
    if (outcome == ValueScanner::Outcome::more && !text_.fill()) {
      return cut_off(offset);
    }
  }
}

void DocumentReader::read_events() {
  for (;;) {
    if (!skip_space()) {
      return cut_off(text_.offset());
    }
    const char c = *text_.begin();
    if (c == ']') {
      is_closed_ = true;
      return text_.consume_until(text_.begin() + 1);
    }
    if (c == ',') {
      text_.consume_until(text_.begin() + 1);
    } else if (!read_event()) {
      return;
    }
  }
}

// False when no event can follow.
bool DocumentReader::read_event() {
  const std::int64_t offset = text_.offset();
  const char c = *text_.begin();
  if (c != '{' && c != '[') {
    std::string json;
    if (!take_scalar(json)) {
      cut_off(offset);
      return false;
    }
    timeline_.notes.add(NoteKind::not_an_object, offset);
    if (json.empty()) {  // a bracket that closes nothing
      text_.consume_until(text_.begin() + 1);
    }
    return true;
  }
  std::size_t length = 0;
  if (take_value(length) != ValueEnd::found) {
    return go_on_after_damage();
  }
  row_.offset = offset;
  on_row_(++rows_);
  if (c == '[') {
    timeline_.notes.add(NoteKind::not_an_object, offset);
  } else if (is_mended_) {
    if (!use_mended_event()) {
      return go_on_after_damage();
    }
  } else {
    use_event({text_.begin(), length});
  }
  text_.consume_until(text_.begin() + length);
  return true;
}

void DocumentReader::use_event(std::string_view json) {
  if (parser_.parse(json, row_)) {
    return builder_.add(row_);
  }
  mended_ = mend(json, true);
  if (mended_.outcome != Mended::Outcome::done || !use_mended_event()) {
    timeline_.notes.add(NoteKind::unreadable_row, row_.offset);
  }
}

// False when it is not a row: a quote too many may have swallowed several.
bool DocumentReader::use_mended_event() {
  padded_.assign(mended_.json);
  const std::size_t length = padded_.size();
  padded_.append(TextWindow::kPadding, ' ');
  if (!parser_.parse(std::string_view(padded_).substr(0, length), row_) || row_.phase.size() != 1) {
    return false;
  }
  for (const NoteKind repair : mended_.repairs) {
    timeline_.notes.add(repair, row_.offset);
  }
  builder_.add(row_);
  return true;
}

// The length of the object or array that begins here; mended_ is it when is_mended_.
DocumentReader::ValueEnd DocumentReader::take_value(std::size_t& length) {
  is_mended_ = false;
  ValueScanner scanner;
  std::size_t scanned = 0;
  for (;;) {
    const char* at = text_.begin() + scanned;
    const ValueScanner::Outcome outcome = scanner.scan(at, text_.end());
    scanned = static_cast<std::size_t>(at - text_.begin());
    switch (outcome) {
      case ValueScanner::Outcome::done:
        length = scanned;
        return ValueEnd::found;
      case ValueScanner::Outcome::strange:
        return take_mended(length);
      case ValueScanner::Outcome::too_deep:
        refuse_depth();
      case ValueScanner::Outcome::more:
        break;
    }
    const bool is_lost = text_.size() > kLargestValue;
    if (is_lost || !text_.fill()) {
      wasted_bytes_ += static_cast<std::int64_t>(scanned);
      return is_lost ? ValueEnd::lost : ValueEnd::truncated;
    }
  }
}

DocumentReader::ValueEnd DocumentReader::take_mended(std::size_t& length) {
  is_mended_ = true;
  bool is_last = false;
  for (;;) {
    mended_ = mend(std::string_view(text_.begin(), text_.size()), is_last);
    switch (mended_.outcome) {
      case Mended::Outcome::done:
        length = mended_.used;
        return ValueEnd::found;
      case Mended::Outcome::too_deep:
        refuse_depth();
      case Mended::Outcome::hopeless:
        wasted_bytes_ += static_cast<std::int64_t>(mended_.used);
        return ValueEnd::lost;
      case Mended::Outcome::more:
        wasted_bytes_ += static_cast<std::int64_t>(text_.size());
        break;
    }
    if (is_last) {
      return ValueEnd::truncated;
    }
    if (text_.size() > kLargestValue || !is_worth_mending()) {
      return ValueEnd::lost;
    }
    is_last = !text_.fill();
  }
}

// Takes a number, a word, or a text in quotes. False when the input ends within it.
bool DocumentReader::take_scalar(std::string& json) {
  const bool is_text = *text_.begin() == '"';
  std::size_t at = is_text ? 1 : 0;
  for (;;) {
    if (at >= text_.size()) {
      if (text_.size() > kLargestValue || !text_.fill()) {
        return false;
      }
      continue;
    }
    const char c = text_.begin()[at];
    if (is_text) {
      at += c == '\\' ? 2 : 1;
      if (c == '"') {
        break;
      }
    } else if (is_space(c) || std::string_view(",]}[{").find(c) != std::string_view::npos) {
      break;
    } else {
      ++at;
    }
  }
  json.assign(text_.begin(), std::min(at, text_.size()));
  text_.consume_until(text_.begin() + json.size());
  return true;
}

// Looks for the next event behind one that has no end. What lies between is one unreadable row, or
// the truncated tail when nothing follows.
bool DocumentReader::go_on_after_damage() {
  const std::int64_t offset = text_.offset();
  if (!is_worth_mending()) {
    is_cut_off_ = true;
    timeline_.notes.add(NoteKind::unreadable_row, offset);
    timeline_.notes.warn("from byte " + std::to_string(offset) +
                         " of the JSON on so much is damaged that the rest was not read");
    return false;
  }
  constexpr std::size_t kLongestBegin = 256;  // of { "ph" with its white space
  text_.consume_until(text_.begin() + 1);
  for (;;) {
    const std::string_view text(text_.begin(), text_.size());
    const std::size_t next = find_event(text);
    if (next != std::string_view::npos) {
      text_.consume_until(text_.begin() + next);
      timeline_.notes.add(NoteKind::unreadable_row, offset);
      return true;
    }
    if (text.size() > kLongestBegin) {
      text_.consume_until(text_.end() - kLongestBegin);
    }
    if (!text_.fill()) {
      cut_off(offset);
      return false;
    }
  }
}

bool DocumentReader::is_worth_mending() const {
  return wasted_bytes_ <= kMostWasted + kMostWastedTimes * text_.offset();
}

void DocumentReader::cut_off(std::int64_t offset) {
  is_cut_off_ = true;
  timeline_.notes.add(NoteKind::truncated_tail, offset);
  timeline_.notes.warn("the JSON ends within a value that begins at byte " +
                       std::to_string(offset) + ": read up to there, the rest is missing");
}

void DocumentReader::refuse_depth() const {
  refuse("is nested too deep",
         "more than " + std::to_string(ValueScanner::kDeepest) + " brackets are open at once");
}

void DocumentReader::refuse(const std::string& problem, const std::string& why) const {
  throw Error(
      Error::Parts{timeline_.file + ": byte " + std::to_string(text_.offset()) + " of the JSON",
                   problem,
                   why,
                   ""});
}

}  // namespace tune::profile
