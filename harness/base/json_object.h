#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// Parses untrusted text. Throws tune::Error naming `where` when it is not JSON, is nested deeper
/// than any message of ours, has more than a million values, or names a field twice.
nlohmann::json parse_json(std::string_view text, const std::string& where);

/// Throws tune::Error: "<where>: <path> <problem>".
[[noreturn]] void complain(const std::string& where,
                           const std::string& path,
                           const std::string& problem);

/// Numbers that a field may have, inclusive.
struct Range {
  std::int64_t min = 0, max = 0;
};

/// One number of a list, or of a field.
std::int64_t read_whole(const nlohmann::json& value,
                        Range range,
                        const std::string& where,
                        const std::string& path);

/// Reads the fields of one untrusted JSON object. Every reader throws tune::Error naming file and
/// field when the field is missing, of another type or out of range.
class JsonObject {
 public:
  /// `path` is the object's place in the file: "" for the whole, "slices[3]". The value and `where`
  /// must outlive this.
  JsonObject(const nlohmann::json& value, const std::string& where, std::string path);

  std::int64_t whole(const char* name, Range range);
  std::uint64_t seed(const char* name);
  double real(const char* name, double min, double max);
  bool flag(const char* name);
  std::string text(const char* name, std::size_t limit_bytes = 4096);
  std::string word(const char* name, const std::vector<std::string_view>& choices);
  JsonObject object(const char* name);
  const nlohmann::json& list(const char* name, std::size_t limit);
  std::vector<std::int64_t> whole_list(const char* name, std::size_t limit, Range range);
  /// null: NaN.
  std::vector<double> real_list(const char* name, std::size_t limit, double min, double max);
  std::vector<std::string> text_list(const char* name, std::size_t limit);
  /// Visits the entries of a list of objects.
  void each(const char* name, std::size_t limit, const std::function<void(JsonObject&)>& visit);
  const nlohmann::json& any(const char* name);
  bool is_null(const char* name);
  bool has(const char* name) const;  ///< false: the field is missing

  std::string path_of(const char* name) const;
  const std::string& where() const { return where_; }

  /// Throws when there are fields that nobody has read.
  void expect_no_more() const;

 private:
  const nlohmann::json& value_;
  const std::string& where_;
  std::string path_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace tune
