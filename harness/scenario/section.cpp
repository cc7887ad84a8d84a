#include "scenario/section.h"

#include "base/units.h"

namespace tune::scenario {

Section::Section(const YamlNode& root, const char* name, Complaints& complaints)
    : node_(root.find(name)), mark_(root.mark), complaints_(complaints) {
  if (node_ != nullptr) {
    mark_ = node_->mark;
  }
}

const YamlNode* Section::find(const char* key) const {
  return node_ == nullptr ? nullptr : node_->find(key);
}

const YamlNode* Section::find(const char* key, YamlNode::Kind kind) const {
  const YamlNode* const value = find(key);
  return value != nullptr && value->kind == kind ? value : nullptr;
}

Mark Section::mark_of(const char* key) const {
  const YamlNode* const value = find(key);
  return value == nullptr ? mark_ : value->mark;
}

void Section::read(const char* key, std::int64_t& value) const {
  if (const YamlNode* const node = find(key, YamlNode::Kind::whole)) {
    value = node->whole;
  }
}

void Section::read_seed(const char* key, std::uint64_t& value) const {
  std::int64_t whole = 0;
  read(key, whole);
  value = static_cast<std::uint64_t>(whole);
}

void Section::read(const char* key, double& value) const {
  if (const YamlNode* const node = find(key, YamlNode::Kind::real)) {
    value = node->real;
  } else if (const YamlNode* const whole = find(key, YamlNode::Kind::whole)) {
    value = static_cast<double>(whole->whole);
  }
}

void Section::read(const char* key, bool& value) const {
  if (const YamlNode* const node = find(key, YamlNode::Kind::boolean)) {
    value = node->flag;
  }
}

void Section::read(const char* key, std::string& value) const {
  if (const YamlNode* const node = find(key, YamlNode::Kind::text)) {
    value = node->text;
  }
}

void Section::read_time(const char* key, std::int64_t& value_ns, std::int64_t most_ns) const {
  if (const YamlNode* const node = find(key, YamlNode::Kind::text)) {
    const auto time = parse_time_ns(node->text);
    if (time && *time > 0 && *time <= most_ns) {
      value_ns = *time;
    } else {
      complain(key,
               quote(node->text) + " is not a time that fits",
               "above 0 and at most " + format_time(most_ns));
    }
  }
}

void Section::read_ratio(const char* key, double& value) const {
  read(key, value);
  if (const YamlNode* const node = find(key, YamlNode::Kind::text)) {
    const auto ratio = parse_ratio(node->text);
    if (ratio && *ratio >= 0 && *ratio <= 1) {
      value = *ratio;
    } else {
      complain(key, quote(node->text) + " is not a share from 0% to 100%");
    }
  }
}

void Section::complain(const char* key,
                       std::string problem,
                       std::string why,
                       std::string suggestion) const {
  const Mark mark = mark_of(key);
  if (!complaints_.has(mark)) {
    complaints_.add(mark, std::move(problem), std::move(why), std::move(suggestion));
  }
}

}  // namespace tune::scenario
