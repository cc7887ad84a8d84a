#pragma once

#include "base/stats/number.h"
#include "trial/knob_catalog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::result {

using stats::Number;

/// "value", "lower" and "upper"; the interval is read only if it is valid and has a value.
void value_and_interval(Fields& fields, Number& number);
void fields_of(Fields& fields, Number& number);

/// The number, or null, and <name>_reason next to it, which says why.
void number_or_reason(Fields& fields, const char* name, Number& number);
/// The number, or null.
void number_or_null(Fields& fields, const char* name, Number& number);

/// A count that differed between processes is a range.
struct Range {
  std::optional<double> low, high;  ///< both or none
};

/// One number when both ends are equal, else a list of two.
void range(Fields& fields, const char* name, Range& range);

/// Knobs and their values, sorted by name. Values that are not plain become "...".
using Setting = std::vector<std::pair<std::string, trial::KnobValue>>;

void setting(Fields& fields, const char* name, Setting& setting);
/// The same with values of any length, because settings may differ only in a long value.
void uncut_setting(Fields& fields, const char* name, Setting& setting);
void knob_value(Fields& fields, const char* name, std::optional<trial::KnobValue>& value);

/// true, 32, 0.5, bf16.
std::string value_text(const trial::KnobValue& value);

/// "amp=bf16 batch_size=256"; "" without knobs.
std::string setting_text(const Setting& setting);

/// A value of any plain type, or a list of such values; nothing: null.
struct Value {
  using List = std::vector<Value>;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List> data;

  bool is_null() const { return std::holds_alternative<std::monostate>(data); }
};

void value(Fields& fields, const char* name, Value& value);

/// For people: lists with commas, "none" for an empty list; "" for null.
std::string value_text(const Value& value);

}  // namespace tune::result
