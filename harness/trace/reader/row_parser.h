#pragma once

#include "trace/reader/row.h"

#include <memory>
#include <string_view>

namespace tune::profile {

/// Takes the objects of traceEvents apart, with simdjson. Rows that nobody asked for are only
/// looked at until that is clear: the pieces behind are then missing.
class RowParser {
 public:
  /// `with_python` keeps Python frames whole.
  explicit RowParser(bool with_python);
  ~RowParser();
  RowParser(const RowParser&) = delete;
  RowParser& operator=(const RowParser&) = delete;

  /// The pieces of one object. False when it is not JSON (mend() may help). `json` must have
  /// TextWindow::kPadding readable bytes after its end; the row points into it.
  bool parse(std::string_view json, Row& row);

 private:
  struct Simdjson;
  std::unique_ptr<Simdjson> simdjson_;
  bool with_python_ = false;
};

}  // namespace tune::profile
