#include "base/json_object.h"

#include "base/error.h"
#include "base/text.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tune {

namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 8;
constexpr std::int64_t kMostValues = 1'000'000;  // ours has at most 800,000; bounds the memory

// Untrusted text in a complaint: short, and without control sequences.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  std::string kept(text.substr(0, kLongest));
  std::replace_if(
      kept.begin(), kept.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return kept;
}

// Builds the value, with checks that the library does not make.
class Builder : public nlohmann::json_sax<json> {
 public:
  explicit Builder(const std::string& where) : where_(where) {}

  json result() && { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(json::number_integer_t value) override { return put(value); }
  bool number_unsigned(json::number_unsigned_t value) override { return put(value); }
  bool number_float(json::number_float_t value, const std::string& /*text*/) override {
    return put(value);
  }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(json::binary_t& value) override { return put(std::move(value)); }

  bool start_object(std::size_t /*count*/) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*count*/) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    count();
    const auto [member, is_new] =
        open_.back()->get_ref<json::object_t&>().emplace(std::move(name), nullptr);
    if (!is_new) {
      throw Error({where_, "names '" + shown(member->first) + "' twice in one object", "", ""});
    }
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t /*at*/,
                   const std::string& /*token*/,
                   const json::exception& error) override {
    const std::string text = error.what();  // its beginning names the library's exception
    const std::size_t place = text.find("line ");
    throw Error({where_,
                 "is not valid JSON",
                 shown(place == std::string::npos ? text : text.substr(place)),
                 ""});
  }

 private:
  void count() {
    if (open_.size() > kDeepest || ++values_ > kMostValues) {
      throw Error({where_, "is not a message of a trial", "too deep or too many values", ""});
    }
  }

  json& place(json&& value) {
    count();
    if (open_.empty()) {
      return root_ = std::move(value);
    }
    if (open_.back()->is_array()) {
      return open_.back()->get_ref<json::array_t&>().emplace_back(std::move(value));
    }
    return *member_ = std::move(value);
  }

  bool put(json&& value) {
    place(std::move(value));
    return true;
  }

  bool open(json&& empty) {
    open_.push_back(&place(std::move(empty)));
    return true;
  }

  bool close() {
    open_.pop_back();
    count();
    return true;
  }

  const std::string& where_;
  json root_;
  std::vector<json*> open_;  // objects and arrays that have not ended, the outer one first
  json* member_ = nullptr;   // whose name was read
  std::int64_t values_ = 0;
};

namespace dom = simdjson::dom;

void build(Builder& builder, const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::OBJECT:
      builder.start_object(0);
      for (const dom::key_value_pair member : dom::object(element)) {
        std::string name(member.key);
        builder.key(name);
        build(builder, member.value);
      }
      builder.end_object();
      break;
    case dom::element_type::ARRAY:
      builder.start_array(0);
      for (const dom::element entry : dom::array(element)) {
        build(builder, entry);
      }
      builder.end_array();
      break;
    case dom::element_type::STRING: {
      std::string value{std::string_view(element)};
      builder.string(value);
      break;
    }
    case dom::element_type::INT64: {
      const std::int64_t value(element);
      value < 0 ? builder.number_integer(value)
                : builder.number_unsigned(static_cast<std::uint64_t>(value));
      break;
    }
    case dom::element_type::UINT64:
      builder.number_unsigned(std::uint64_t(element));
      break;
    case dom::element_type::DOUBLE:
      builder.number_float(double(element), "");
      break;
    case dom::element_type::BOOL:
      builder.boolean(bool(element));
      break;
    case dom::element_type::NULL_VALUE:
      builder.null();
      break;
  }
}

}  // namespace

// simdjson reads replies several times as fast as nlohmann's parser, whose complaints name the
// line.
json parse_json(std::string_view text, const std::string& where) {
  Builder builder(where);
  dom::parser parser;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) {
    build(builder, root);
  } else {
    json::sax_parse(text, &builder);
  }
  return std::move(builder).result();
}

void complain(const std::string& where, const std::string& path, const std::string& problem) {
  throw Error({where, (path.empty() ? "" : path + " ") + problem, "", ""});
}

std::int64_t read_whole(const json& value,
                        Range range,
                        const std::string& where,
                        const std::string& path) {
  if (!value.is_number_integer()) {
    complain(where, path, "is not a whole number");
  }
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() >
                             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t number = too_large ? range.max : value.get<std::int64_t>();
  if (too_large || number < range.min || number > range.max) {
    complain(where,
             path,
             "is out of range, " + std::to_string(range.min) + " to " + std::to_string(range.max));
  }
  return number;
}

JsonObject::JsonObject(const json& value, const std::string& where, std::string path)
    : value_(value), where_(where), path_(std::move(path)) {
  if (!value_.is_object()) {
    complain(where_, path_, "is not an object");
  }
}

std::string JsonObject::path_of(const char* name) const {
  return path_.empty() ? name : path_ + "." + name;
}

const json& JsonObject::any(const char* name) {
  const auto found = value_.find(name);
  if (found == value_.end()) {
    complain(where_, path_of(name), "is missing");
  }
  read_.insert(name);
  return *found;
}

bool JsonObject::has(const char* name) const {
  return value_.contains(name);
}

bool JsonObject::is_null(const char* name) {
  return any(name).is_null();
}

std::int64_t JsonObject::whole(const char* name, Range range) {
  return read_whole(any(name), range, where_, path_of(name));
}

std::uint64_t JsonObject::seed(const char* name) {
  const json& value = any(name);
  if (!value.is_number_unsigned()) {
    complain(where_, path_of(name), "is not a whole number >= 0");
  }
  return value.get<std::uint64_t>();
}

double JsonObject::real(const char* name, double min, double max) {
  const json& value = any(name);
  if (!value.is_number()) {
    complain(where_, path_of(name), "is not a number");
  }
  const auto number = value.get<double>();
  if (!std::isfinite(number) || number < min || number > max) {
    complain(where_, path_of(name), "is out of range");
  }
  return number;
}

bool JsonObject::flag(const char* name) {
  const json& value = any(name);
  if (!value.is_boolean()) {
    complain(where_, path_of(name), "is neither true nor false");
  }
  return value.get<bool>();
}

std::string JsonObject::text(const char* name, std::size_t limit_bytes) {
  const json& value = any(name);
  if (!value.is_string()) {
    complain(where_, path_of(name), "is not a text");
  }
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > limit_bytes || text.find('\0') != std::string::npos) {
    complain(where_, path_of(name), "is too long or contains a zero byte");
  }
  return text;
}

std::string JsonObject::word(const char* name, const std::vector<std::string_view>& choices) {
  std::string written = text(name, 64);
  if (std::find(choices.begin(), choices.end(), written) == choices.end()) {
    complain(where_, path_of(name), "is '" + shown(written) + "', which means nothing here");
  }
  return written;
}

JsonObject JsonObject::object(const char* name) {
  return {any(name), where_, path_of(name)};
}

const json& JsonObject::list(const char* name, std::size_t limit) {
  const json& value = any(name);
  if (!value.is_array()) {
    complain(where_, path_of(name), "is not a list");
  }
  if (value.size() > limit) {
    complain(where_, path_of(name), "has more than " + std::to_string(limit) + " entries");
  }
  return value;
}

std::vector<std::int64_t> JsonObject::whole_list(const char* name, std::size_t limit, Range range) {
  const json& entries = list(name, limit);
  const std::string path = path_of(name);
  std::vector<std::int64_t> values;
  values.reserve(entries.size());
  for (const json& entry : entries) {
    values.push_back(read_whole(entry, range, where_, path));
  }
  return values;
}

std::vector<double> JsonObject::real_list(const char* name,
                                          std::size_t limit,
                                          double min,
                                          double max) {
  std::vector<double> values;
  for (const json& entry : list(name, limit)) {
    const bool is_number = entry.is_number() && std::isfinite(entry.get<double>());
    if (!entry.is_null() && !is_number) {
      complain(where_, path_of(name), "contains something that is not a number");
    }
    values.push_back(is_number ? entry.get<double>() : std::numeric_limits<double>::quiet_NaN());
    if (is_number && (values.back() < min || values.back() > max)) {
      complain(where_, path_of(name), "contains a number that is out of range");
    }
  }
  return values;
}

std::vector<std::string> JsonObject::text_list(const char* name, std::size_t limit) {
  constexpr std::size_t kLongest = 4096;
  std::vector<std::string> values;
  for (const json& entry : list(name, limit)) {
    if (!entry.is_string() || entry.get_ref<const std::string&>().size() > kLongest) {
      complain(where_, path_of(name), "contains something that is not a short text");
    }
    values.push_back(entry.get<std::string>());
  }
  return values;
}

void JsonObject::each(const char* name,
                      std::size_t limit,
                      const std::function<void(JsonObject&)>& visit) {
  std::size_t index = 0;
  for (const json& entry : list(name, limit)) {
    JsonObject item(entry, where_, path_of(name) + "[" + std::to_string(index++) + "]");
    visit(item);
  }
}

void JsonObject::expect_no_more() const {
  for (const auto& field : value_.items()) {
    if (!read_.contains(field.key())) {
      const std::string name = shown(field.key());
      const std::string near = did_you_mean(name, {read_.begin(), read_.end()});
      throw Error({where_, path_of(name.c_str()) + " is not a field of this protocol", "", near});
    }
  }
}

}  // namespace tune
