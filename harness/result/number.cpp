#include "result/number.h"

#include "base/fields.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <type_traits>
#include <variant>

namespace tune::result {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json json_of(const trial::KnobValue& value) {
  return std::visit([](const auto& plain) { return ordered_json(plain); }, value);
}

// From any writer: null becomes "", nested values are ignored.
trial::KnobValue knob_value_of(const json& value) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_float()) {
    return value.get<double>();
  }
  if (value.is_number_integer() &&
      (!value.is_number_unsigned() ||
       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX))) {
    return value.get<std::int64_t>();
  }
  return value.is_string()       ? one_line(value.get_ref<const std::string&>())
         : value.is_null()       ? std::string()
         : value.is_structured() ? std::string("...")
                                 : value.dump();
}

ordered_json json_of(const Value& value) {
  return std::visit(
      [](const auto& plain) -> ordered_json {
        using Plain = std::decay_t<decltype(plain)>;
        if constexpr (std::is_same_v<Plain, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<Plain, Value::List>) {
          ordered_json list = ordered_json::array();
          for (const Value& item : plain) {
            list.push_back(json_of(item));
          }
          return list;
        } else {
          return plain;
        }
      },
      value.data);
}

Value value_of(const json& stored, bool is_nested = false) {
  if (stored.is_array() && !is_nested) {
    Value::List list;
    for (const json& item : stored) {
      list.push_back(value_of(item, true));
    }
    return {.data = std::move(list)};
  }
  if (stored.is_null()) {
    return {};
  }
  return std::visit([](auto plain) { return Value{.data = std::move(plain)}; },
                    knob_value_of(stored));
}

}  // namespace

void value_and_interval(Fields& fields, Number& number) {
  if (number.is_whole && number.value) {  // only for written values
    auto whole = static_cast<std::int64_t>(*number.value);
    fields.whole("value", whole);
  } else {
    fields.real("value", number.value);
  }
  fields.real("lower", number.lower);
  fields.real("upper", number.upper);
  const bool is_interval =
      number.value && number.lower && number.upper && *number.lower <= *number.upper;
  if (fields.output() == nullptr && !is_interval) {
    number.lower = number.upper = std::nullopt;
  }
}

void fields_of(Fields& fields, Number& number) {
  number.is_there = true;
  value_and_interval(fields, number);
  fields.real("confidence", number.confidence);
  fields.whole("n", number.n);
  fields.text("unit", number.unit);
  fields.text_or_null("reason", number.reason);
}

void number_or_reason(Fields& fields, const char* name, Number& number) {
  fields.reasoned(
      name, number.is_there, number.reason, [&number](Fields& inner) { fields_of(inner, number); });
}

void number_or_null(Fields& fields, const char* name, Number& number) {
  fields.object_or_null(
      name, number.is_there, [&number](Fields& inner) { fields_of(inner, number); });
}

void range(Fields& fields, const char* name, Range& range) {
  const auto finite = [](const json& value) -> std::optional<double> {
    const bool is_known = value.is_number() && std::isfinite(value.get<double>());
    return is_known ? std::optional(value.get<double>()) : std::nullopt;
  };
  if (const json* const stored = fields.stored(name)) {
    const bool is_list = stored->is_array() && stored->size() == 2;
    const auto low = finite(is_list ? (*stored)[0] : *stored);
    const auto high = finite(is_list ? (*stored)[1] : *stored);
    range = low && high ? Range{low, high} : Range{};
  } else if (ordered_json* const output = fields.output()) {
    const bool is_one = range.low == range.high;
    (*output)[name] = !range.low ? ordered_json(nullptr)
                      : is_one   ? ordered_json(*range.low)
                                 : ordered_json::array({*range.low, *range.high});
  }
}

void uncut_setting(Fields& fields, const char* name, Setting& setting) {
  if (fields.stored() != nullptr) {
    setting.clear();
    fields.each_member(name, [&setting](const std::string& knob, const json& value) {
      setting.emplace_back(one_line(knob), knob_value_of(value));
    });
  } else if (ordered_json* const output = fields.output()) {
    ordered_json& object = (*output)[name] = ordered_json::object();
    for (const auto& [knob, value] : setting) {
      object[knob] = json_of(value);
    }
  }
}

void setting(Fields& fields, const char* name, Setting& setting) {
  uncut_setting(fields, name, setting);
  if (fields.stored() != nullptr) {
    for (auto& [knob, value] : setting) {
      knob = cleaned(knob);
      if (auto* const text = std::get_if<std::string>(&value)) {
        *text = cleaned(*text);
      }
    }
  }
}

void knob_value(Fields& fields, const char* name, std::optional<trial::KnobValue>& value) {
  if (const json* const stored = fields.stored(name)) {
    value = stored->is_null() ? std::nullopt : std::optional(knob_value_of(*stored));
  } else if (ordered_json* const output = fields.output()) {
    (*output)[name] = value ? json_of(*value) : ordered_json(nullptr);
  }
}

void value(Fields& fields, const char* name, Value& value) {
  if (const json* const stored = fields.stored(name)) {
    value = value_of(*stored);
  } else if (ordered_json* const output = fields.output()) {
    (*output)[name] = json_of(value);
  }
}

std::string value_text(const trial::KnobValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : json_of(value).dump();
}

std::string setting_text(const Setting& setting) {
  std::string text;
  for (const auto& [knob, value] : setting) {
    text += (text.empty() ? "" : " ") + knob + "=" + value_text(value);
  }
  return text;
}

std::string value_text(const Value& value) {
  if (const auto* const list = std::get_if<Value::List>(&value.data)) {
    std::string text;
    for (const Value& item : *list) {
      text += (text.empty() ? "" : ", ") + value_text(item);
    }
    return list->empty() ? "none" : text;
  }
  const auto* const text = std::get_if<std::string>(&value.data);
  return text != nullptr ? *text : value.is_null() ? "" : json_of(value).dump();
}

}  // namespace tune::result
