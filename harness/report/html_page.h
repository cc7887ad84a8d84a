#pragma once

#include "report/markup.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// A page of its own around the body: one file, nothing from a network, complete without its style
/// sheet and its one script (reports/templates/report.js), and well-formed XML. Its content
/// security policy allows that script by its hash, and no other. `data` is what data_block() made
/// (embedded_data.h), or "".
std::string html_page(const std::string& title,
                      const std::string& tune_version,
                      const Markup& body,
                      const std::string& data = "");

/// Sections of a page that may become too large, and its data.
struct PageParts {
  std::string title, tune_version;
  std::vector<Markup> sections;  ///< the first, which answers, always stays
  std::string data;              ///< as above
};

/// The page, with links to its sections behind the first of them.
std::string html_page(const PageParts& parts);

/// The same without its data and without as many sections from its end as must go for it to fit;
/// each keeps its heading and says that it was left out.
std::string shortened_page(PageParts parts, std::size_t limit_bytes);

}  // namespace tune::report
