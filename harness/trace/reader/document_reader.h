#pragma once

#include "trace/reader/mend.h"
#include "trace/reader/row_parser.h"
#include "trace/reader/text_window.h"
#include "trace/reader/timeline_builder.h"
#include "trace/timeline.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tune::profile {

/// Walks over the JSON text of a trace: an object with traceEvents anywhere in it, or a bare array
/// of events. Every event goes to the builder, every other member to take_header_value(). Nothing
/// is held but the value at hand.
class DocumentReader {
 public:
  /// `on_row` is called after each event with their number so far.
  DocumentReader(TextWindow& text,
                 Timeline& timeline,
                 TimelineBuilder& builder,
                 const ReadOptions& options,
                 std::function<void(std::int64_t rows)> on_row);

  /// Throws tune::Error when it is not JSON, or nested too deep. Text that ends too early is noted.
  void read();

  /// Whether there was an array for events, with or without any.
  bool has_event_array() const { return has_event_array_; }
  /// Whether another document follows, which is not read.
  bool goes_on() const { return goes_on_; }

 private:
  enum class ValueEnd { found, truncated, lost };

  bool skip_space();
  void look_behind();
  void read_members();
  bool read_key(std::string& key);
  void read_member(const std::string& key);
  void skip_value(std::int64_t offset);
  void read_events();
  bool read_event();
  ValueEnd take_value(std::size_t& length);
  ValueEnd take_mended(std::size_t& length);
  bool take_scalar(std::string& json);
  void use_event(std::string_view json);
  bool use_mended_event();
  bool go_on_after_damage();
  bool is_worth_mending() const;
  void cut_off(std::int64_t offset);
  [[noreturn]] void refuse_depth() const;
  [[noreturn]] void refuse(const std::string& problem, const std::string& why) const;

  TextWindow& text_;
  Timeline& timeline_;
  TimelineBuilder& builder_;
  RowParser parser_;
  Row row_;
  Mended mended_;  ///< the value at hand, when it had to be mended
  std::string padded_;
  bool is_mended_ = false;
  bool is_cut_off_ = false;
  bool is_closed_ = false;  ///< the bracket of the document was the last to be read
  bool has_event_array_ = false, goes_on_ = false;
  std::int64_t rows_ = 0;
  std::int64_t wasted_bytes_ = 0;  ///< looked at without finding the end of a value
  std::function<void(std::int64_t)> on_row_;
};

}  // namespace tune::profile
