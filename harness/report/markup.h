#pragma once

#include "base/text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

/// printable(), with & < > " ' written so that XML and HTML read them as text, also in attributes.
std::string escape_markup(std::string_view text);

/// one_line() of at most `limit` characters, "..." in its middle when there were more: template
/// kernels begin alike and end with what they were made for. Needs a limit of at least 20.
std::string cut_in_the_middle(const std::string& text, std::size_t limit);

/// Name -> value, written in this order.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// Text that is well-formed XML and HTML at once: everything given to it is escaped, what was
/// opened must be closed, and only void elements end themselves.
class Markup {
 public:
  /// A section of the page: what its heading says, and the id that links lead to.
  struct Place {
    std::string id, title;
  };

  Markup& open(std::string_view tag, const Attributes& attributes = {});
  Markup& close();  ///< the element opened last
  Markup& text(std::string_view text);
  Markup& leaf(std::string_view tag, std::string_view text, const Attributes& attributes = {});
  Markup& empty(std::string_view tag, const Attributes& attributes = {});  ///< br, rect, line, ...
  Markup& append(const Markup& other);                                     ///< complete itself
  /// Opens a section with its heading, which is of the second level. Its id is the title in small
  /// letters: a page has no two sections of one title.
  Markup& section(const std::string& title);
  /// The same, its content in <details>: two elements to close.
  Markup& folded_section(const std::string& title);
  Markup& line();  ///< a line break in the source, for whoever reads that

  /// Asserts that nothing is still open.
  const std::string& finished() const;

  /// Those opened by section(), also in what was appended, in the order of the page.
  const std::vector<Place>& sections() const { return sections_; }

 private:
  void start(std::string_view tag, const Attributes& attributes);

  std::string text_;
  std::vector<std::string> open_;
  std::vector<Place> sections_;
};

}  // namespace tune::report
