#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::scenario {

/// A place in a scenario file, both from 1; columns count bytes.
struct Mark {
  std::int64_t line = 1, column = 1;
  bool operator==(const Mark&) const = default;
};

/// Everything that is wrong with one file, so that the user can put it right in one go.
class Complaints {
 public:
  explicit Complaints(std::string file);  ///< as the user wrote it

  void add(Mark mark, std::string problem, std::string why = "", std::string suggestion = "");
  /// Whether something has been said about this place already.
  bool has(Mark mark) const;
  bool empty() const { return complaints_.empty(); }
  std::size_t count() const { return complaints_.size(); }

  /// Throws a tune::Error with all complaints in the order of the file, if there are any.
  void throw_if_any() const;

 private:
  struct Complaint {
    Mark mark;
    std::string problem, why, suggestion;
  };
  std::string file_;
  std::vector<Complaint> complaints_;
};

/// Untrusted text made fit for a message: one line, short, printable.
std::string quote(const std::string& text);

}  // namespace tune::scenario
