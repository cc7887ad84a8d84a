// Fields in nested objects and lists, and optional fields.

#include "base/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tune {

using nlohmann::json;
using nlohmann::ordered_json;

void Fields::texts_or_nulls(const char* name, std::vector<std::string>& values) {
  if (output_ == nullptr) {
    text_list(name, values);
    return;
  }
  ordered_json& list = (*output_)[name] = ordered_json::array();
  for (const std::string& value : values) {
    list.push_back(value.empty() ? ordered_json(nullptr) : ordered_json(value));
  }
}

void Fields::whole_if_any(const char* name, std::optional<std::int64_t>& value, Range range) {
  if (has(name, value.has_value())) {
    whole(name, value, range);
  }
}

void Fields::flag_if_any(const char* name, std::optional<bool>& value) {
  if (has(name, value.has_value())) {
    bool is_so = value.value_or(false);
    flag(name, is_so);
    value = is_so;
  }
}

void Fields::nothing(const char* name) {
  if (output_ != nullptr) {
    (*output_)[name] = nullptr;
  }
}

void Fields::put_reason(const char* name, bool is_nothing, std::string& reason) {
  const std::string field = std::string(name) + "_reason";
  if (output_ != nullptr) {
    (*output_)[field] = is_nothing ? ordered_json(reason) : ordered_json(nullptr);
  } else if (is_nothing) {
    text_or_null(field.c_str(), reason);
  }
}

void Fields::text_or_reason(const char* name, std::string& value, std::string& reason) {
  text_or_null(name, value);
  put_reason(name, value.empty(), reason);
}

void Fields::whole_or_reason(const char* name,
                             std::optional<std::int64_t>& value,
                             std::string& reason) {
  whole(name, value);
  put_reason(name, !value, reason);
}

void Fields::real_or_reason(const char* name, std::optional<double>& value, std::string& reason) {
  real(name, value);
  put_reason(name, !value, reason);
}

void Fields::reasoned(const char* name,
                      bool& is_there,
                      std::string& reason,
                      const std::function<void(Fields&)>& visit) {
  object_or_null(name, is_there, visit);
  put_reason(name, !is_there, reason);
}

void Fields::object_or_null(const char* name,
                            bool& is_there,
                            const std::function<void(Fields&)>& visit) {
  is_there = !is_null(name, !is_there) && (stored_ == nullptr || stored(name)->is_object());
  if (is_there) {
    object(name, visit);
  }
}

void Fields::object(const char* name, const std::function<void(Fields&)>& visit) {
  if (stored_ != nullptr) {
    Fields fields(*stored(name));
    if (fields.stored_->is_object()) {
      visit(fields);
    }
    return;
  }
  if (output_ != nullptr) {
    (*output_)[name] = written(visit);
    return;
  }
  JsonObject object = input_->object(name);
  Fields fields(object, unknown_);
  visit(fields);
  fields.end();
}

void Fields::each_stored(const char* name,
                         std::size_t limit,
                         const std::function<void(const json&)>& visit) const {
  const json& list = *stored(name);
  for (std::size_t i = 0; list.is_array() && i < std::min(list.size(), limit); ++i) {
    visit(list[i]);
  }
}

void Fields::entries(const char* name,
                     std::size_t limit,
                     std::size_t count,
                     const std::function<void(Fields&, std::size_t)>& visit) {
  std::size_t i = 0;
  if (stored_ != nullptr) {
    each_stored(name, limit, [&](const json& entry) {
      Fields fields(entry);
      visit(fields, i++);
    });
    return;
  }
  if (input_ != nullptr) {
    input_->each(name, limit, [&](JsonObject& entry) {
      Fields fields(entry, unknown_);
      visit(fields, i++);
      fields.end();
    });
    return;
  }
  ordered_json& list = (*output_)[name] = ordered_json::array();
  for (; i < count; ++i) {
    list.push_back(written([&](Fields& fields) { visit(fields, i); }));
  }
}

void Fields::each_member(const char* name,
                         const std::function<void(const std::string&, const json&)>& visit) const {
  const json& object = *stored(name);
  if (object.is_object()) {
    for (const auto& [key, value] : object.items()) {
      visit(key, value);
    }
  }
}

}  // namespace tune
