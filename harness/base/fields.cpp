#include "base/fields.h"

#include "base/error.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tune {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

std::string cut(const std::string& text, std::size_t most_bytes) {
  std::string kept = text.substr(0, most_bytes);
  std::replace(kept.begin(), kept.end(), '\0', ' ');
  return kept;
}

std::optional<std::int64_t> whole_in(const json& value, Range range) {
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() &&
       value.get<std::uint64_t>() >
           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))) {
    return std::nullopt;
  }
  const auto whole = value.get<std::int64_t>();
  return whole >= range.min && whole <= range.max ? std::optional(whole) : std::nullopt;
}

std::optional<double> real_in(const json& value, double min, double max) {
  if (!value.is_number()) {
    return std::nullopt;
  }
  const auto real = value.get<double>();
  return real >= min && real <= max ? std::optional(real) : std::nullopt;
}

}  // namespace

ordered_json written(const std::function<void(Fields&)>& write) {
  ordered_json value = ordered_json::object();
  Fields fields(value);
  write(fields);
  return value;
}

void Fields::whole(const char* name, std::int64_t& value, Range range) {
  if (stored_ != nullptr) {
    value = whole_in(*stored(name), range).value_or(value);
  } else if (input_ != nullptr) {
    value = input_->whole(name, range);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::whole(const char* name, std::optional<std::int64_t>& value, Range range) {
  if (stored_ != nullptr) {
    value = whole_in(*stored(name), range);
  } else if (output_ != nullptr) {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  } else if (!input_->is_null(name)) {
    value = input_->whole(name, range);
  }
}

void Fields::whole(const char* name, int& value, Range range) {
  std::int64_t number = value;
  whole(name, number, range);
  value = static_cast<int>(number);
}

void Fields::seed(const char* name, std::uint64_t& value) {
  std::optional<std::uint64_t> seed = value;
  this->seed(name, seed);
  value = seed.value_or(value);
}

void Fields::seed(const char* name, std::optional<std::uint64_t>& value) {
  if (stored_ != nullptr) {
    const json& number = *stored(name);
    value = number.is_number_unsigned() ? std::optional(number.get<std::uint64_t>()) : std::nullopt;
  } else if (input_ != nullptr) {
    value = input_->seed(name);
  } else {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  }
}

void Fields::real(const char* name, double& value, double min, double max) {
  if (stored_ != nullptr) {
    value = real_in(*stored(name), min, max).value_or(value);
  } else if (input_ != nullptr) {
    value = input_->real(name, min, max);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::real(const char* name, std::optional<double>& value, double min, double max) {
  if (stored_ != nullptr) {
    value = real_in(*stored(name), min, max);
  } else if (output_ != nullptr) {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  } else if (!input_->is_null(name)) {
    value = input_->real(name, min, max);
  }
}

void Fields::whole_if_said(const char* name, std::optional<std::int64_t>& value, Range range) {
  if (has(name)) {
    whole(name, value, range);
  }
}

void Fields::real_if_said(const char* name, std::optional<double>& value, double min, double max) {
  if (has(name)) {
    real(name, value, min, max);
  }
}

void Fields::flag_if_said(const char* name, std::optional<bool>& value) {
  if (input_ == nullptr) {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  } else if (says(name)) {
    value = input_->flag(name);
  }
}

void Fields::any_real(const char* name, double& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (input_ != nullptr && input_->any(name).is_string()) {
    const std::string word = input_->word(name, {"nan", "inf", "-inf"});
    value = word == "nan"   ? std::numeric_limits<double>::quiet_NaN()
            : word == "inf" ? kInfinity
                            : -kInfinity;
  } else if (output_ == nullptr || std::isfinite(value)) {
    real(name, value);
  } else {
    (*output_)[name] = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
}

void Fields::flag(const char* name, bool& value) {
  if (stored_ != nullptr) {
    const json& flag = *stored(name);
    value = flag.is_boolean() ? flag.get<bool>() : value;
  } else if (input_ != nullptr) {
    value = input_->flag(name);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::text(const char* name, std::string& value, std::size_t limit_bytes) {
  if (stored_ == nullptr) {
    whole_text(name, value, limit_bytes);
  } else if (const json& text = *stored(name); text.is_string()) {
    value = cleaned(text.get_ref<const std::string&>());
  }
}

void Fields::whole_text(const char* name, std::string& value, std::size_t limit_bytes) {
  if (stored_ != nullptr) {
    const json& text = *stored(name);
    value = text.is_string() ? text.get<std::string>() : value;
  } else if (input_ != nullptr) {
    value = input_->text(name, limit_bytes);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::text(const char* name, std::optional<std::string>& value, std::size_t limit_bytes) {
  if (input_ == nullptr) {
    (*output_)[name] = value ? ordered_json(*value) : ordered_json(nullptr);
  } else if (!input_->is_null(name)) {
    value = input_->text(name, limit_bytes);
  }
}

void Fields::cut_text(const char* name,
                      std::string& value,
                      std::size_t written_bytes,
                      std::size_t limit_bytes) {
  if (input_ != nullptr) {
    value = input_->text(name, limit_bytes);
  } else {
    (*output_)[name] = cut(value, written_bytes);
  }
}

void Fields::schema(std::string_view ours) {
  std::string schema(ours);
  text("schema", schema, 64);
  if (schema != ours) {
    throw Error({input_->where(),
                 "is of schema '" + within_a_line(schema) + "'",
                 "this version of tune reads " + std::string(ours),
                 ""});
  }
}

void Fields::text_or_null(const char* name, std::string& value, std::size_t limit_bytes) {
  if (!is_null(name, value.empty())) {
    text(name, value, limit_bytes);
  }
}

void Fields::word(const char* name,
                  std::string& value,
                  const std::vector<std::string_view>& choices) {
  if (stored_ != nullptr) {
    const json& word = *stored(name);
    const bool is_one =
        word.is_string() &&
        std::find(choices.begin(), choices.end(), word.get_ref<const std::string&>()) !=
            choices.end();
    value = is_one ? word.get<std::string>() : value;
  } else if (input_ != nullptr) {
    value = input_->word(name, choices);
  } else {
    (*output_)[name] = value;
  }
}

void Fields::whole_list(const char* name,
                        std::vector<std::int64_t>& values,
                        std::size_t limit,
                        Range range) {
  if (stored_ != nullptr) {
    each_stored(name, limit, [&](const json& value) {
      if (const auto whole = whole_in(value, range)) {
        values.push_back(*whole);
      }
    });
  } else if (input_ != nullptr) {
    values = input_->whole_list(name, limit, range);
  } else {
    (*output_)[name] = values;
  }
}

void Fields::text_list(const char* name, std::vector<std::string>& values, std::size_t limit) {
  if (stored_ != nullptr) {
    each_stored(name, limit, [&](const json& value) {
      values.push_back(value.is_string() ? cleaned(value.get_ref<const std::string&>()) : "");
    });
  } else if (input_ != nullptr) {
    values = input_->text_list(name, limit);
  } else {
    (*output_)[name] = values;
  }
}

void Fields::cut_text_list(const char* name,
                           std::vector<std::string>& values,
                           std::size_t written_bytes,
                           std::size_t limit) {
  if (input_ != nullptr) {
    values = input_->text_list(name, limit);
    return;
  }
  ordered_json& list = (*output_)[name] = ordered_json::array();
  for (const std::string& value : values) {
    list.push_back(cut(value, written_bytes));
  }
}

void Fields::real_list(
    const char* name, std::vector<double>& values, std::size_t limit, double min, double max) {
  if (input_ != nullptr) {
    values = input_->real_list(name, limit, min, max);
    return;
  }
  ordered_json& list = (*output_)[name] = ordered_json::array();
  for (const double value : values) {
    list.push_back(std::isnan(value) ? ordered_json(nullptr) : ordered_json(value));
  }
}

bool Fields::is_null(const char* name, bool is_nothing) {
  if (stored_ != nullptr) {
    return stored(name)->is_null();
  }
  if (input_ != nullptr) {
    return input_->is_null(name);
  }
  if (is_nothing) {
    (*output_)[name] = nullptr;
  }
  return is_nothing;
}

void Fields::put(const char* name, const nlohmann::json& value) {
  (*output_)[name] = value;
}

bool Fields::has(const char* name, bool is_something) const {
  return stored_ != nullptr  ? stored_->is_object() && stored_->contains(name)
         : input_ != nullptr ? input_->has(name)
                             : is_something;
}

bool Fields::says(const char* name) const {
  return stored_ != nullptr ? !stored(name)->is_null()
                            : input_ == nullptr || (input_->has(name) && !input_->is_null(name));
}

const json* Fields::stored(const char* name) const {
  static const json nothing;
  if (stored_ == nullptr) {
    return nullptr;
  }
  const auto field = stored_->is_object() ? stored_->find(name) : stored_->end();
  return field != stored_->end() ? &*field : &nothing;
}

void Fields::expect(bool is_so, const char* name, const std::string& problem) const {
  if (input_ != nullptr && !is_so) {
    complain(input_->where(), input_->path_of(name), problem);
  }
}

void read_fields(std::string_view text,
                 const std::string& where,
                 const std::function<void(Fields&)>& read,
                 Fields::Unknown unknown) {
  const nlohmann::json parsed = parse_json(text, where);
  JsonObject object(parsed, where, "");
  Fields fields(object, unknown);
  read(fields);
  fields.end();
}

std::string json_text(const ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

std::string sorted_json_text(const ordered_json& value, int indent) {
  return nlohmann::json(value).dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void Fields::end() const {
  if (input_ != nullptr && unknown_ == Unknown::refused) {
    input_->expect_no_more();
  }
}

}  // namespace tune
