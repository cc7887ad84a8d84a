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

/// The fields of a record, each named once. For a record there is one function,
///
///     void fields_of(Fields& fields, Sentinel& sentinel) {
///       fields.whole("before_ns", sentinel.before_ns, kDuration);
///       fields.whole("after_ns", sentinel.after_ns, kDuration);
///     }
///
/// found beside the record, which reads it from JSON and writes it as JSON: read_record(),
/// to_value(). Reading throws tune::Error, naming file and field, as JsonObject does: for a field
/// that is missing, of another type, or out of range. A lenient reader (read_leniently()) leaves
/// such a field as it is: it reads what any version wrote, and anybody may have changed. Its texts
/// are cleaned() and its numbers finite.
class Fields {
 private:
  static constexpr double kLargest = std::numeric_limits<double>::max();
  static constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  static constexpr Range kFromZero{0, std::numeric_limits<std::int64_t>::max()};

 public:
  /// What a reader makes of fields that it does not know.
  enum class Unknown { left_alone, refused };

  explicit Fields(JsonObject& input, Unknown unknown) : input_(&input), unknown_(unknown) {}
  explicit Fields(nlohmann::ordered_json& output) : output_(&output) {}
  explicit Fields(const nlohmann::json& stored) : stored_(&stored) {}

  void whole(const char* name, std::int64_t& value, Range range = kFromZero);
  void whole(const char* name, int& value, Range range);
  void seed(const char* name, std::uint64_t& value);
  void seed(const char* name, std::optional<std::uint64_t>& value);
  void real(const char* name, double& value, double min = -kLargest, double max = kLargest);
  /// A number that need not be finite, which JSON has no word for: "nan", "inf", "-inf".
  void any_real(const char* name, double& value);
  void flag(const char* name, bool& value);
  void text(const char* name, std::string& value, std::size_t limit_bytes = 4096);
  /// A writer writes only the first `written_bytes` of a text that may hold anything, with a space
  /// for each zero byte, so that a reader takes it: of what is no UTF-8 three bytes stand for one.
  void cut_text(const char* name,
                std::string& value,
                std::size_t written_bytes,
                std::size_t limit_bytes = 4096);
  /// What the record is, and of which version: a reader refuses any other.
  void schema(std::string_view ours);
  /// Also of several lines, which a lenient reader leaves as they are.
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
  /// NaN is null: there is none at this place.
  void real_list(
      const char* name, std::vector<double>& values, std::size_t limit, double min, double max);

  /// What may be nothing: null then.
  void whole(const char* name, std::optional<std::int64_t>& value, Range range = kFromZero);
  void real(const char* name,
            std::optional<double>& value,
            double min = -kLargest,
            double max = kLargest);
  void text(const char* name, std::optional<std::string>& value, std::size_t limit_bytes = 4096);
  /// The same of a field that an older version does not write.
  void whole_if_said(const char* name, std::optional<std::int64_t>& value, Range range);
  void real_if_said(const char* name, std::optional<double>& value, double min, double max);
  void flag_if_said(const char* name, std::optional<bool>& value);
  /// "" is written as null.
  void text_or_null(const char* name, std::string& value, std::size_t limit_bytes = 4096);

  /// What may be nothing, and is not written then.
  void whole_if_any(const char* name, std::optional<std::int64_t>& value, Range range = kFromZero);
  void flag_if_any(const char* name, std::optional<bool>& value);
  /// null, whatever there is.
  void nothing(const char* name);

  // What may be nothing: null then, and why in the field <name>_reason, which is null otherwise.
  void text_or_reason(const char* name, std::string& value, std::string& reason);
  void whole_or_reason(const char* name, std::optional<std::int64_t>& value, std::string& reason);
  void real_or_reason(const char* name, std::optional<double>& value, std::string& reason);
  template <class Record>
  void record_or_reason(const char* name, std::optional<Record>& value, std::string& reason);
  /// Nothing: it is empty, and there is a reason.
  template <class Record>
  void list_or_reason(const char* name, std::vector<Record>& values, std::string& reason);
  /// The same of fields of this record that stand in an object of their own.
  void reasoned(const char* name,
                bool& is_there,
                std::string& reason,
                const std::function<void(Fields&)>& visit);

  /// Fields of this record that stand in an object of their own.
  void object(const char* name, const std::function<void(Fields&)>& visit);
  void object_or_null(const char* name, bool& is_there, const std::function<void(Fields&)>& visit);

  template <class Record>
  void record(const char* name, Record& value);
  template <class Record>
  void record(const char* name, std::optional<Record>& value);
  /// `visit(Fields&, Record&)` has the fields in place of fields_of().
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
  /// Whole numbers of a record, all with one range, by the table of its columns (record_columns.h).
  template <class Record, std::size_t kCount>
  void wholes(Record& value, const Columns<Record, kCount>& columns, Range range);
  /// Many of them, one list a column.
  template <class Record, std::size_t kCount>
  void columns(const char* name,
               std::vector<Record>& records,
               const Columns<Record, kCount>& columns,
               std::size_t limit,
               Range range);

  /// Whether the field is there. Only a reader may find that it is not: in what an older version
  /// wrote, or where it says nothing; the value is left as it is then.
  bool has(const char* name) const { return has(name, true); }
  /// As has(), and it is not null.
  bool says(const char* name) const;
  /// A writer leaves the field out where it has nothing to say.
  bool has(const char* name, bool is_something) const;

  /// What is read must be so: "<where>: <path of name> <problem>".
  void expect(bool is_so, const char* name, const std::string& problem) const;

  /// Throws where unknown fields are refused and there are some. Called when all were read.
  void end() const;

  bool reads() const { return output_ == nullptr; }
  bool writes() const { return output_ != nullptr; }

  /// For what no method above reads or writes: all but one of them are nullptr.
  JsonObject* input() const { return input_; }
  nlohmann::ordered_json* output() const { return output_; }
  /// What a lenient reader reads, and its field, which is null where there is none.
  const nlohmann::json* stored() const { return stored_; }
  const nlohmann::json* stored(const char* name) const;
  /// Visits the members of a stored field that is an object.
  void each_member(
      const char* name,
      const std::function<void(const std::string&, const nlohmann::json&)>& visit) const;

 private:
  /// A writer writes null where there is nothing, a reader says whether it found null.
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

/// The record as far as the JSON says it.
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
/// has the fields where it is not fields_of().
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

/// Reads the fields of the object that the text is; throws tune::Error naming `where` as
/// parse_json() does where it is none.
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

/// As text, with `indent` spaces a level or in one line (-1). What is no UTF-8 becomes U+FFFD.
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);
/// The same, the fields of each object by name.
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
