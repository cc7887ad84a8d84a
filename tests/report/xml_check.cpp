#include "xml_check.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace tune::report {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  XmlDocument read() {
    if (text_.rfind("<!DOCTYPE html>", 0) == 0) {
      at_ = 15;
    }
    while (at_ < text_.size() && document_.problem.empty()) {
      text_[at_] == '<' ? read_tag() : read_text();
    }
    if (!open_.empty()) {
      complain("<" + open_.back() + "> is never closed");
    }
    return document_;
  }

 private:
  void complain(const std::string& what) {
    if (document_.problem.empty()) {
      document_.problem = what + " at byte " + std::to_string(at_) + ": " + text_.substr(at_, 60);
    }
  }

  std::string resolved(const std::string& raw) {
    static const std::map<std::string, std::string> kEntities = {
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"#39", "'"}};
    std::string plain;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const auto code = static_cast<unsigned char>(raw[i]);
      if (code < 0x20 && raw[i] != '\n' && raw[i] != '\t') {
        complain("control character");
      }
      if (raw[i] != '&') {
        plain += raw[i];
        continue;
      }
      const std::size_t end = std::min(raw.find(';', i), raw.size());
      const auto entity = kEntities.find(raw.substr(i + 1, end - i - 1));
      if (entity == kEntities.end()) {
        complain("unknown entity " + raw.substr(i, 12));
        return plain;
      }
      plain += entity->second;
      i = end;
    }
    return plain;
  }

  void read_text() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const std::string plain = resolved(text_.substr(at_, end - at_));
    if (open_.empty() && plain.find_first_not_of(" \n\t") != std::string::npos) {
      complain("text outside of the root");
    }
    if (open_.empty() || open_.back() != "style") {
      document_.text += plain;
    }
    at_ = end;
  }

  void read_tag() {
    const std::size_t end = text_.find('>', at_);
    if (end == std::string::npos) {
      return complain("a tag without end");
    }
    if (text_[at_ + 1] == '/') {
      const std::string tag = text_.substr(at_ + 2, end - at_ - 2);
      if (open_.empty() || open_.back() != tag) {
        return complain("</" + tag + "> closes nothing");
      }
      open_.pop_back();
      at_ = end + 1;
      return;
    }
    XmlElement element;
    ++at_;
    element.tag = name();
    if (element.tag.empty()) {
      return complain("a tag without name");
    }
    while (text_[at_] == ' ') {
      ++at_;
      read_attribute(element);
      if (!document_.problem.empty()) {
        return;
      }
    }
    const bool is_empty = text_[at_] == '/';
    at_ += is_empty ? 1 : 0;
    if (text_[at_] != '>') {
      return complain("a tag that does not end");
    }
    ++at_;
    if (!is_empty) {
      open_.push_back(element.tag);
    }
    document_.elements.push_back(std::move(element));
  }

  void read_attribute(XmlElement& element) {
    const std::string key = name();
    if (key.empty() || text_.compare(at_, 2, "=\"") != 0) {
      return complain("an attribute without quoted value");
    }
    at_ += 2;
    const std::size_t end = text_.find('"', at_);
    const std::string raw = text_.substr(at_, end - at_);
    const bool is_twice = std::any_of(element.attributes.begin(),
                                      element.attributes.end(),
                                      [&](const auto& other) { return other.first == key; });
    if (end == std::string::npos || raw.find('<') != std::string::npos || is_twice) {
      return complain("a bad attribute " + key);
    }
    element.attributes.emplace_back(key, resolved(raw));
    at_ = end + 1;
  }

  std::string name() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-')) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  XmlDocument document_;
};

}  // namespace

std::string XmlElement::attribute(const std::string& name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& attribute) {
    return attribute.first == name;
  });
  return found == attributes.end() ? "" : found->second;
}

XmlDocument read_xml(const std::string& text) {
  return Reader(text).read();
}

}  // namespace tune::report
