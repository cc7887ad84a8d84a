#pragma once

#include "base/json_object.h"
#include "base/record_columns.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune {

/// The fields of a record, each named once. A record has one function,
///
///     void fields_of(Fields& fields, Sentinel& sentinel) {
///       fields.whole("before_ns", sentinel.before_ns, kDuration);
///       fields.whole("after_ns", sentinel.after_ns, kDuration);
///     }
///
/// next to its type, which both reads it from JSON and writes it as JSON: read_record(),
/// to_value(). Reading throws tune::Error naming file and field, as JsonObject does, for a field
/// that is missing, of another type, or out of range. A lenient reader (read_leniently()) leaves
/// such a field at its default: its input may come from any version and may have been edited by
/// anybody. Its texts are cleaned() and its numbers finite.
class Fields {
 private:
  static constexpr double kLargest = std::numeric_limits<double>::max();
  static constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  static constexpr Range kFromZero{0, std::numeric_limits<std::int64_t>::max()};

 public:
  /// What a reader does with fields that it does not know.
  enum class Unknown { left_alone, refused };

  explicit Fields(JsonObject& input, Unknown unknown) : input_(&input), unknown_(unknown) {}
  explicit Fields(nlohmann::ordered_json& output) : output_(&output) {}
  explicit Fields(const nlohmann::json& stored) : stored_(&stored) {}

  void whole(const char* name, std::int64_t& value, Range range = kFromZero);
  void whole(const char* name, int& value, Range range);
  void seed(const char* name, std::uint64_t& value);
  void seed(const char* name, std::optional<std::uint64_t>& value);
  void real(const char* name, double& value, double min = -kLargest, double max = kLargest);
  /// A number that may not be finite, which JSON cannot express: "nan", "inf", "-inf".
  void any_real(const char* name, double& value);
  void flag(const char* name, bool& value);
  void text(const char* name, std::string& value, std::size_t limit_bytes = 4096);
  /// A writer writes only the first `written_bytes` of a text that may contain anything, with a
  /// space for each zero byte, so that a reader accepts it: one byte that is not UTF-8 becomes
  /// three.
  void cut_text(const char* name,
                std::string& value,
                std::size_t written_bytes,
                std::size_t limit_bytes = 4096);
  /// The kind of the record and its version: a reader refuses any other.
  void schema(std::string_view ours);
  /// May have several lines, which a lenient reader keeps.
  void whole_text(const char* name, std::string& value, std::size_t limit_bytes = kMost);
  void word(const char* name, std::string& value, const std::vector<std::string_view>& choices);
  /// A value of an enumeration, by its word.
  template <class Value>
  void word(const char* name,
            Value& value,
            const std::vector<std::pair<std::string_view, Value>>& choices);
  void whole_list(const char* name,
                  std::vector<std::int64_t>& values,
                  std::size_t limit = kMost,
                  Range range = kFromZero);
  void text_list(const char* name, std::vector<std::string>& values, std::size_t limit = kMost);
  /// "" is written as null.
  void texts_or_nulls(const char* name, std::vector<std::string>& values);
  /// Each as cut_text() writes it.
  void cut_text_list(const char* name,
                     std::vector<std::string>& values,
                     std::size_t written_bytes,
                     std::size_t limit);
  /// NaN is written as null: the value is unknown.
  void real_list(
      const char* name, std::vector<double>& values, std::size_t limit, double min, double max);

  /// An optional value: null when empty.
  void whole(const char* name, std::optional<std::int64_t>& value, Range range = kFromZero);
  void real(const char* name,
            std::optional<double>& value,
            double min = -kLargest,
            double max = kLargest);
  void text(const char* name, std::optional<std::string>& value, std::size_t limit_bytes = 4096);
  /// The same for a field that older versions do not write.
  void whole_if_said(const char* name, std::optional<std::int64_t>& value, Range range);
  void real_if_said(const char* name, std::optional<double>& value, double min, double max);
  void flag_if_said(const char* name, std::optional<bool>& value);
  /// "" is written as null.
  void text_or_null(const char* name, std::string& value, std::size_t limit_bytes = 4096);

  /// An optional value: left out when empty.
  void whole_if_any(const char* name, std::optional<std::int64_t>& value, Range range = kFromZero);
  void flag_if_any(const char* name, std::optional<bool>& value);
  /// Always null.
  void nothing(const char* name);

  // An optional value: null when empty, with the reason in the field <name>_reason, which is null
  // otherwise.
  void text_or_reason(const char* name, std::string& value, std::string& reason);
  void whole_or_reason(const char* name, std::optional<std::int64_t>& value, std::string& reason);
  void real_or_reason(const char* name, std::optional<double>& value, std::string& reason);
  template <class Record>
  void record_or_reason(const char* name, std::optional<Record>& value, std::string& reason);
  /// Leaves the value empty and sets the reason.
  template <class Record>
  void list_or_reason(const char* name, std::vector<Record>& values, std::string& reason);
  /// The same for fields of this record in a nested object.
  void reasoned(const char* name,
                bool& is_there,
                std::string& reason,
                const std::function<void(Fields&)>& visit);

  /// Fields of this record in a nested object.
  void object(const char* name, const std::function<void(Fields&)>& visit);
  void object_or_null(const char* name, bool& is_there, const std::function<void(Fields&)>& visit);

  template <class Record>
  void record(const char* name, Record& value);
  template <class Record>
  void record(const char* name, std::optional<Record>& value);
  /// `visit(Fields&, Record&)` lists the fields instead of fields_of().
  template <class Record, class Visit>
  void record(const char* name, std::optional<Record>& value, Visit visit);
  template <class Record>
  void record_if_any(const char* name, std::optional<Record>& value);
  /// A reader takes at most `limit` entries; a writer writes all of them.
  template <class Record>
  void list(const char* name, std::vector<Record>& values, std::size_t limit = kMost);
  template <class Record, class Visit>
  void list(const char* name, std::vector<Record>& values, std::size_t limit, Visit visit);
  /// Visits what is to be read, or `count` entries to write.
  void entries(const char* name,
               std::size_t limit,
               std::size_t count,
               const std::function<void(Fields&, std::size_t)>& visit);
  /// A writer writes only the first `limit` entries.
  template <class Record>
  void first_of_list(const char* name, std::vector<Record>& values, std::size_t limit);
  /// Whole numbers of a record, all with one range, listed in its table of columns
  /// (record_columns.h).
  template <class Record, std::size_t kCount>
  void wholes(Record& value, const Columns<Record, kCount>& columns, Range range);
  /// Many records, one list per column.
  template <class Record, std::size_t kCount>
  void columns(const char* name,
               std::vector<Record>& records,
               const Columns<Record, kCount>& columns,
               std::size_t limit,
               Range range);

  /// Whether the field exists. Only a reader may find it missing: an older version wrote the file,
  /// or the writer had nothing to say; the value then keeps its default.
  bool has(const char* name) const { return has(name, true); }
  /// As has(), and it is not null.
  bool says(const char* name) const;
  /// A writer leaves the field out when it has nothing to say.
  bool has(const char* name, bool is_something) const;

  /// Checks what was read: "<where>: <path of name> <problem>".
  void expect(bool is_so, const char* name, const std::string& problem) const;

  /// Throws when unknown fields are refused and there are any. Called after all fields were read.
  void end() const;

  bool reads() const { return output_ == nullptr; }
  bool writes() const { return output_ != nullptr; }

  /// For what no method above reads or writes: all but one are nullptr.
  JsonObject* input() const { return input_; }
  nlohmann::ordered_json* output() const { return output_; }
  /// What a lenient reader reads, and its field; null when there is none.
  const nlohmann::json* stored() const { return stored_; }
  const nlohmann::json* stored(const char* name) const;
  /// Visits the members of a stored field that is an object.
  void each_member(
      const char* name,
      const std::function<void(const std::string&, const nlohmann::json&)>& visit) const;

 private:
  /// A writer writes null for an empty value, a reader says whether it found null.
  bool is_null(const char* name, bool is_nothing);
  void put(const char* name, const nlohmann::json& value);
  void each_stored(const char* name,
                   std::size_t limit,
                   const std::function<void(const nlohmann::json&)>& visit) const;
  /// <name>_reason.
  void put_reason(const char* name, bool is_nothing, std::string& reason);

  JsonObject* input_ = nullptr;
  Unknown unknown_ = Unknown::left_alone;
  nlohmann::ordered_json* output_ = nullptr;
  const nlohmann::json* stored_ = nullptr;
};

/// The record, as far as the JSON has its fields.
template <class Record>
Record read_leniently(const nlohmann::json& stored) {
  Record record;
  Fields fields(stored);
  fields_of(fields, record);
  return record;
}

/// The object that `write` writes.
nlohmann::ordered_json written(const std::function<void(Fields&)>& write);

/// The record as JSON, its fields in their order: nlohmann::ordered_json. `visit(Fields&, Record&)`
/// lists the fields when fields_of() does not.
template <class Record, class Visit>
auto to_value(const Record& record, Visit visit) {
  return written([&](Fields& fields) {
    visit(fields, const_cast<Record&>(record));  // NOLINT: a writer changes nothing
  });
}

template <class Record>
auto to_value(const Record& record) {
  return to_value(record, [](Fields& fields, Record& same) { fields_of(fields, same); });
}

template <class Record>
Record read_record(JsonObject object, Fields::Unknown unknown = Fields::Unknown::left_alone) {
  Record record;
  Fields fields(object, unknown);
  fields_of(fields, record);
  fields.end();
  return record;
}

/// Reads the fields of the object in the text; throws tune::Error naming `where`, as parse_json()
/// does, when the text is not an object.
void read_fields(std::string_view text,
                 const std::string& where,
                 const std::function<void(Fields&)>& read,
                 Fields::Unknown unknown = Fields::Unknown::left_alone);

template <class Record>
Record parse_record(std::string_view text,
                    const std::string& where,
                    Fields::Unknown unknown = Fields::Unknown::left_alone) {
  Record record;
  const auto read = [&record](Fields& fields) { fields_of(fields, record); };
  read_fields(text, where, read, unknown);
  return record;
}

/// As text, with `indent` spaces per level, or in one line (-1). Invalid UTF-8 becomes U+FFFD.
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);
/// The same, with the fields of each object sorted by name.
std::string sorted_json_text(const nlohmann::ordered_json& value, int indent = -1);

template <class Value>
void Fields::word(const char* name,
                  Value& value,
                  const std::vector<std::pair<std::string_view, Value>>& choices) {
  std::vector<std::string_view> words;
  words.reserve(choices.size());
  for (const auto& [choice, meant] : choices) {
    words.push_back(choice);
  }
  std::string written;
  for (const auto& [choice, meant] : choices) {
    if (meant == value) {
      written = choice;
    }
  }
  word(name, written, words);
  for (const auto& [choice, meant] : choices) {
    if (choice == written) {
      value = meant;
    }
  }
}

template <class Record>
void Fields::record(const char* name, Record& value) {
  object(name, [&value](Fields& fields) { fields_of(fields, value); });
}

template <class Record, class Visit>
void Fields::record(const char* name, std::optional<Record>& value, Visit visit) {
  bool is_there = value.has_value();
  object_or_null(name, is_there, [&](Fields& fields) {
    if (!value) {
      value.emplace();
    }
    visit(fields, *value);
  });
}

template <class Record>
void Fields::record(const char* name, std::optional<Record>& value) {
  record(name, value, [](Fields& fields, Record& same) { fields_of(fields, same); });
}

template <class Record>
void Fields::record_or_reason(const char* name, std::optional<Record>& value, std::string& reason) {
  bool is_there = value.has_value();
  reasoned(name, is_there, reason, [&value](Fields& fields) {
    if (!value) {
      value.emplace();
    }
    fields_of(fields, *value);
  });
}

template <class Record>
void Fields::list_or_reason(const char* name, std::vector<Record>& values, std::string& reason) {
  const bool is_nothing = is_null(name, values.empty() && !reason.empty());
  if (!is_nothing) {
    list(name, values);
  }
  put_reason(name, is_nothing, reason);
}

template <class Record>
void Fields::record_if_any(const char* name, std::optional<Record>& value) {
  if (has(name, value.has_value())) {
    record(name, value);
  }
}

template <class Record, class Visit>
void Fields::list(const char* name, std::vector<Record>& values, std::size_t limit, Visit visit) {
  entries(name, limit, values.size(), [&](Fields& fields, std::size_t i) {
    if (i == values.size()) {
      values.emplace_back();
    }
    visit(fields, values[i]);
  });
}

template <class Record>
void Fields::list(const char* name, std::vector<Record>& values, std::size_t limit) {
  list(name, values, limit, [](Fields& fields, Record& value) { fields_of(fields, value); });
}

template <class Record>
void Fields::first_of_list(const char* name, std::vector<Record>& values, std::size_t limit) {
  if (output_ == nullptr) {
    list(name, values, limit);
    return;
  }
  entries(name, limit, std::min(values.size(), limit), [&values](Fields& fields, std::size_t i) {
    fields_of(fields, values[i]);
  });
}

template <class Record, std::size_t kCount>
void Fields::wholes(Record& value, const Columns<Record, kCount>& columns, Range range) {
  for (const auto& [name, member] : columns) {
    whole(name, value.*member, range);
  }
}

template <class Record, std::size_t kCount>
void Fields::columns(const char* name,
                     std::vector<Record>& records,
                     const Columns<Record, kCount>& columns,
                     std::size_t limit,
                     Range range) {
  if (input_ != nullptr) {
    JsonObject object = input_->object(name);
    records = read_columns(object, columns, limit, range);
  } else {
    put(name, columns_to_json(records, columns, limit));
  }
}

}  // namespace tune
