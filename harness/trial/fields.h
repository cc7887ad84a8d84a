#pragma once

#include "trial/json_object.h"
#include "trial/record_columns.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::trial {

/// The fields of a record, each named once. For a record there is one function,
///
///     void fields_of(Fields& fields, Sentinel& sentinel) {
///       fields.whole("before_ns", sentinel.before_ns, kDuration);
///       fields.whole("after_ns", sentinel.after_ns, kDuration);
///     }
///
/// found beside the record, which reads it from JSON and writes it as JSON: read_record(),
/// to_value(). Reading throws tune::Error, naming file and field, as JsonObject does: for a field
/// that is missing, of another type, or out of range.
class Fields {
 public:
  /// What a reader makes of fields that it does not know.
  enum class Unknown { left_alone, refused };

  explicit Fields(JsonObject& input, Unknown unknown) : input_(&input), unknown_(unknown) {}
  explicit Fields(nlohmann::ordered_json& output) : output_(&output) {}

  void whole(const char* name, std::int64_t& value, Range range);
  void seed(const char* name, std::uint64_t& value);
  void real(const char* name, double& value, double min, double max);
  /// A number that need not be finite, which JSON has no word for: "nan", "inf", "-inf".
  void any_real(const char* name, double& value);
  void flag(const char* name, bool& value);
  void text(const char* name, std::string& value, std::size_t limit_bytes = 4096);
  void word(const char* name, std::string& value, const std::vector<std::string_view>& choices);
  /// A value of an enumeration, by its word.
  template <class Value>
  void word(const char* name,
            Value& value,
            const std::vector<std::pair<std::string_view, Value>>& choices);
  void whole_list(const char* name,
                  std::vector<std::int64_t>& values,
                  std::size_t limit,
                  Range range);
  void text_list(const char* name, std::vector<std::string>& values, std::size_t limit);

  /// What may be nothing: null then.
  void whole(const char* name, std::optional<std::int64_t>& value, Range range);
  void real(const char* name, std::optional<double>& value, double min, double max);
  /// The same of a field that an older version does not write.
  void whole_if_said(const char* name, std::optional<std::int64_t>& value, Range range);
  void real_if_said(const char* name, std::optional<double>& value, double min, double max);
  /// "" is written as null.
  void text_or_null(const char* name, std::string& value, std::size_t limit_bytes = 4096);

  template <class Record>
  void record(const char* name, Record& value);
  template <class Record>
  void record(const char* name, std::optional<Record>& value);
  template <class Record>
  void record_if_any(const char* name, std::optional<Record>& value);
  /// A reader takes at most `limit` entries; a writer writes all of them.
  template <class Record>
  void list(const char* name, std::vector<Record>& values, std::size_t limit);
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
  bool has(const char* name) const { return input_ == nullptr || input_->has(name); }
  /// As has(), and it is not null.
  bool says(const char* name) const;
  /// Of a field that a writer leaves out where there is nothing to say.
  bool has(const char* name, bool is_something) const {
    return input_ == nullptr ? is_something : input_->has(name);
  }

  /// What is read must be so: "<where>: <path of name> <problem>".
  void expect(bool is_so, const char* name, const std::string& problem) const;

  /// Throws where unknown fields are refused and there are some. Called when all were read.
  void end() const;

  /// For what no method above reads or writes: one of them is nullptr.
  JsonObject* input() const { return input_; }
  nlohmann::ordered_json* output() const { return output_; }

 private:
  void inner(const char* name, const std::function<void(Fields&)>& visit);
  /// Visits what is to be read, or `count` entries to write.
  void entries(const char* name,
               std::size_t limit,
               std::size_t count,
               const std::function<void(Fields&, std::size_t)>& visit);
  /// A writer writes null where there is nothing, a reader says whether it found null.
  bool is_null(const char* name, bool is_nothing);
  void put(const char* name, const nlohmann::json& value);

  JsonObject* input_ = nullptr;
  Unknown unknown_ = Unknown::left_alone;
  nlohmann::ordered_json* output_ = nullptr;
};

/// The object that `write` writes.
nlohmann::ordered_json written(const std::function<void(Fields&)>& write);

/// The record as JSON, its fields in their order: nlohmann::ordered_json.
template <class Record>
auto to_value(const Record& record) {
  return written([&record](Fields& fields) {
    fields_of(fields, const_cast<Record&>(record));  // NOLINT: a writer changes nothing
  });
}

template <class Record>
Record read_record(JsonObject object, Fields::Unknown unknown = Fields::Unknown::left_alone) {
  Record record;
  Fields fields(object, unknown);
  fields_of(fields, record);
  fields.end();
  return record;
}

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
  inner(name, [&value](Fields& fields) { fields_of(fields, value); });
}

template <class Record>
void Fields::record(const char* name, std::optional<Record>& value) {
  if (is_null(name, !value)) {
    return;
  }
  if (!value) {
    value.emplace();
  }
  record(name, *value);
}

template <class Record>
void Fields::record_if_any(const char* name, std::optional<Record>& value) {
  if (has(name, value.has_value())) {
    record(name, value);
  }
}

template <class Record>
void Fields::list(const char* name, std::vector<Record>& values, std::size_t limit) {
  entries(name, limit, values.size(), [&values](Fields& fields, std::size_t i) {
    if (i == values.size()) {
      values.emplace_back();
    }
    fields_of(fields, values[i]);
  });
}

template <class Record>
void Fields::first_of_list(const char* name, std::vector<Record>& values, std::size_t limit) {
  if (input_ != nullptr) {
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

}  // namespace tune::trial
