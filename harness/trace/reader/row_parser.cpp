#include "trace/reader/row_parser.h"

#include "trace/event.h"
#include "trace/reader/text_window.h"

#include <simdjson.h>

#include <cstring>

namespace tune::profile {

namespace {

namespace ondemand = simdjson::ondemand;
static_assert(TextWindow::kPadding >= simdjson::SIMDJSON_PADDING);

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r' ||
                           text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

// A text without its quotes, an array or object whole, any other word as it is (also one that JSON
// does not know, such as nan); empty for null. False when it has no end.
bool piece_of(ondemand::value value, std::string_view& piece) {
  std::string_view token = trimmed(value.raw_json_token());
  if (token.empty()) {
    return false;
  }
  if (token.front() == '[') {
    ondemand::array array;
    return value.get_array().get(array) == simdjson::SUCCESS &&
           array.raw_json().get(piece) == simdjson::SUCCESS;
  }
  if (token.front() == '{') {
    ondemand::object object;
    return value.get_object().get(object) == simdjson::SUCCESS &&
           object.raw_json().get(piece) == simdjson::SUCCESS;
  }
  if (token.front() == '"') {
    token.remove_prefix(1);
    if (token.empty() || token.back() != '"') {
      return false;
    }
    token.remove_suffix(1);
  }
  piece = token == "null" ? std::string_view() : token;
  return true;
}

// The key as written; keys that we know have no escapes.
std::string_view key_of(ondemand::raw_json_string raw) {
  const char* const begin = raw.raw();
  const char* end = begin;
  while (*end != '"') {
    end += *end == '\\' ? 2 : 1;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool read_arguments(ondemand::value value, Row& row) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return true;  // args: null, or a number: a row without arguments
  }
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) {
      return false;
    }
    const Argument which = argument_of(key_of(field.key()));
    std::string_view piece;
    if (which == Argument::count) {
      continue;
    }
    if (!piece_of(field.value(), piece)) {
      return false;
    }
    row.set(which, piece);
  }
  return true;
}

std::string_view& member(Row& row, Member which) {
  switch (which) {
    case Member::phase:
      return row.phase;
    case Member::category:
      return row.category;
    case Member::name:
      return row.name;
    case Member::process:
      return row.process;
    case Member::thread:
      return row.thread;
    case Member::start:
      return row.start;
    default:
      return row.duration;
  }
}

bool is_flow(std::string_view phase) {
  return phase == "s" || phase == "t" || phase == "f";
}

// A quarter to a half of the rows are flow arrows; Kineto begins each row with its phase.
bool begins_as_flow(std::string_view json) {
  constexpr std::string_view kTight = R"({"ph":")";
  constexpr std::string_view kSpaced = R"({"ph": ")";
  const std::size_t at = json.starts_with(kTight)    ? kTight.size()
                         : json.starts_with(kSpaced) ? kSpaced.size()
                                                     : std::string_view::npos;
  return at < json.size() && is_flow(json.substr(at, 1)) && json.substr(at + 1, 1) == "\"";
}

}  // namespace

struct RowParser::Simdjson {
  ondemand::parser parser;
};

RowParser::RowParser(bool with_python)
    : simdjson_(std::make_unique<Simdjson>()), with_python_(with_python) {}

RowParser::~RowParser() = default;

bool RowParser::parse(std::string_view json, Row& row) {
  const std::int64_t offset = row.offset;
  row = Row();
  row.offset = offset;
  if (begins_as_flow(json)) {
    row.phase = "f";
    return true;
  }
  ondemand::document document;
  const simdjson::padded_string_view padded(
      json.data(), json.size(), json.size() + TextWindow::kPadding);
  ondemand::object object;
  if (simdjson_->parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS) {
    return false;
  }
  bool is_frame = false;
  for (auto result : object) {
    ondemand::field field;
    if (std::move(result).get(field) != simdjson::SUCCESS) {
      return false;
    }
    const Member which = member_of(key_of(field.key()));
    if (which == Member::none) {
      continue;
    }
    if (which == Member::args) {
      if (!read_arguments(field.value(), row)) {
        return false;
      }
      continue;
    }
    if (!piece_of(field.value(), member(row, which))) {
      return false;
    }
    is_frame = is_frame || (which == Member::category && !with_python_ &&
                            row.category.size() == std::strlen("python_function") &&
                            category_of(row.category) == Category::python_function);
    const bool is_unasked = is_frame && !row.name.empty() && !row.duration.empty() &&
                            !is_kept_frame(row);
    if (is_unasked || (which == Member::phase && is_flow(row.phase))) {
      return true;
    }
  }
  return true;
}

}  // namespace tune::profile
