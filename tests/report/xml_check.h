#pragma once

#include <string>
#include <vector>

namespace tune::report {

/// A start tag with its attributes, as far as the checks need it.
struct XmlElement {
  std::string tag;
  std::vector<std::pair<std::string, std::string>> attributes;

  std::string attribute(const std::string& name) const;  ///< "" when absent
};

/// What a reader of well-formed XML sees.
struct XmlDocument {
  std::string problem;  ///< the first, with its offset; "" when well-formed
  std::vector<XmlElement> elements;
  std::string text;  ///< of all elements but style, entities resolved
};

XmlDocument read_xml(const std::string& text);

}  // namespace tune::report
