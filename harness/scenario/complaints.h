#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune::scenario {

/// What a file holds, in the words of complaints.
struct DocumentKind {
  std::string_view one = "a scenario", many = "scenarios", see = "see `tune help scenario`";
};

/// A place in a YAML file, both from 1; columns count bytes.
struct Mark {
  std::int64_t line = 1, column = 1;
  bool operator==(const Mark&) const = default;
};

/// Everything that is wrong with one file, so that the user can put it right in one go.
class Complaints {
 public:
  explicit Complaints(std::string file, DocumentKind kind = {});  ///< as the user wrote it

  void add(Mark mark, std::string problem, std::string why = "", std::string suggestion = "");
  /// Whether something has been said about this place already.
  bool has(Mark mark) const;
  bool empty() const { return complaints_.empty(); }
  std::size_t count() const { return complaints_.size(); }
  const DocumentKind& kind() const { return kind_; }

  /// "training.yaml:5:19"
  std::string place(Mark mark) const;

  /// In the order of the file; after the first 50 a line that says how many more there are.
  std::vector<Error::Parts> sorted() const;

  /// Throws a tune::Error with all complaints in the order of the file, if there are any.
  void throw_if_any() const;

 private:
  struct Complaint {
    Mark mark;
    std::string problem, why, suggestion;
  };
  std::string file_;
  DocumentKind kind_;
  std::vector<Complaint> complaints_;
};

/// Untrusted text made fit for a message: one line, short, printable.
std::string quote(const std::string& text);

}  // namespace tune::scenario
