#include "scenario/explain_schema.h"

#include "base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <regex>
#include <vector>

namespace tune::scenario {

namespace {

using Kind = YamlNode::Kind;

std::vector<std::string> types_of(const nlohmann::json& schema) {
  const auto found = schema.find("type");
  if (found == schema.end()) {
    return {};
  }
  return found->is_array() ? found->get<std::vector<std::string>>()
                           : std::vector<std::string>{found->get<std::string>()};
}

bool fits(const std::string& type, Kind kind) {
  return (type == "object" && kind == Kind::map) || (type == "array" && kind == Kind::list) ||
         (type == "string" && kind == Kind::text) || (type == "boolean" && kind == Kind::boolean) ||
         (type == "integer" && kind == Kind::whole) ||
         (type == "number" && (kind == Kind::whole || kind == Kind::real));
}

std::string noun(const std::string& type) {
  return type == "object"    ? "a map of keys and values"
         : type == "array"   ? "a list"
         : type == "string"  ? "text"
         : type == "boolean" ? "true or false"
         : type == "integer" ? "a whole number"
                             : "a number";
}

std::string range_text(const nlohmann::json& schema) {
  const auto bound = [&](const char* word) {
    return schema.contains(word) ? schema[word].dump() : std::string();
  };
  const std::string min = bound("minimum"), max = bound("maximum"),
                    above = bound("exclusiveMinimum");
  if (!above.empty()) {
    return " above " + above + (max.empty() ? "" : ", at most " + max);
  }
  if (!min.empty() && !max.empty()) {
    return " from " + min + " to " + max;
  }
  return !min.empty() ? " of at least " + min : !max.empty() ? " of at most " + max : "";
}

// What a value must be: "a whole number from 1 to 65536", "a time such as 120s".
std::string wanted(const nlohmann::json& schema) {
  if (schema.contains("title")) {
    return schema["title"].get<std::string>();
  }
  const std::vector<std::string> types = types_of(schema);
  std::string text;
  for (const std::string& type : types) {
    text += (text.empty() ? "" : " or ") + noun(type);
  }
  return text + range_text(schema);
}

std::string found_text(const YamlNode& node) {
  const bool scalar = node.kind != Kind::list && node.kind != Kind::map && node.kind != Kind::null;
  return "is " + (scalar ? quote(node.text) : to_text(node.kind));
}

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// YAML 1.1's other words for true and false.
std::string as_boolean(const std::string& text) {
  if (is_one_of(text, {"yes", "Yes", "YES", "on", "On", "ON", "y", "Y", "1"})) {
    return "true";
  }
  return is_one_of(text, {"no", "No", "NO", "off", "Off", "OFF", "n", "N", "0"}) ? "false" : "";
}

// What the user probably meant: true for yes, 120s for 120, 10 for 10.0 and for "10".
std::string repaired(const nlohmann::json& schema, const YamlNode& node) {
  const std::vector<std::string> types = types_of(schema);
  const std::string type = types.empty() ? "" : types.front();
  if (type == "boolean") {
    return as_boolean(node.text);
  }
  if (type == "integer" && node.kind == Kind::real && node.real == std::floor(node.real) &&
      std::fabs(node.real) < 1e15 && schema.value("minimum", node.real) <= node.real &&
      node.real <= schema.value("maximum", node.real)) {
    return std::to_string(static_cast<std::int64_t>(node.real));
  }
  const bool digits = !node.text.empty() && node.text.size() < 16 &&
                      node.text.find_first_not_of("0123456789") == std::string::npos;
  if (type == "integer" && node.kind == Kind::text && digits) {
    return node.text;
  }
  if (type == "string" && node.kind == Kind::whole && digits && schema.contains("pattern")) {
    for (const char* unit : {"s", "%", ""}) {
      if (std::regex_match(node.text + unit, std::regex(schema["pattern"].get<std::string>()))) {
        return *unit == '\0' ? "'" + node.text + "'" : node.text + unit;
      }
    }
  }
  return "";
}

// The schema of a key that has none of its own; null where no pattern fits.
const nlohmann::json* by_pattern(const nlohmann::json& schema, const std::string& key) {
  const auto patterns = schema.find("patternProperties");
  if (patterns == schema.end()) {
    return nullptr;
  }
  for (auto each = patterns->begin(); each != patterns->end(); ++each) {
    if (std::regex_search(key, std::regex(each.key()))) {
      return &each.value();
    }
  }
  return nullptr;
}

bool is_knob_path(const std::string& path) {
  return path == "baseline" || path == "grid";
}

}  // namespace

SchemaExplainer::SchemaExplainer(const nlohmann::json& schema, Complaints& complaints)
    : schema_(schema), complaints_(complaints) {}

const nlohmann::json& SchemaExplainer::resolve(const nlohmann::json& schema) const {
  if (!schema.contains("$ref")) {
    return schema;
  }
  const auto target = schema["$ref"].get<std::string>().substr(1);  // "#/definitions/time"
  return schema_.at(nlohmann::json::json_pointer(target));
}

void SchemaExplainer::explain(const YamlNode& root) {
  explain(schema_, root, "");
}

void SchemaExplainer::explain(const nlohmann::json& unresolved,
                              const YamlNode& node,
                              const std::string& path) {
  const nlohmann::json& schema = resolve(unresolved);
  const std::vector<std::string> types = types_of(schema);
  const bool typed =
      types.empty() || std::any_of(types.begin(), types.end(), [&](const auto& type) {
        return fits(type, node.kind);
      });
  if (!typed) {
    explain_type(schema, node, path);
    return;
  }
  if (schema.contains("const") &&
      !(node.kind == Kind::whole && schema["const"] == nlohmann::json(node.whole))) {
    complaints_.add(
        node.mark, quote(path) + " must be " + schema["const"].dump(), found_text(node));
  }
  switch (node.kind) {
    case Kind::text:
      explain_word(schema, node, path);
      break;
    case Kind::whole:
    case Kind::real:
      explain_number(schema, node, path);
      break;
    case Kind::list:
      explain_list(schema, node, path);
      break;
    case Kind::map:
      explain_map(schema, node, path);
      break;
    case Kind::null:
    case Kind::boolean:
      break;
  }
}

void SchemaExplainer::explain_type(const nlohmann::json& schema,
                                   const YamlNode& node,
                                   const std::string& path) {
  if (schema.contains("enum")) {
    complaints_.add(
        node.mark,
        quote(path) + " must be one of: " + joined(schema["enum"].get<std::vector<std::string>>()),
        found_text(node));
    return;
  }
  complaints_.add(node.mark,
                  quote(path) + " must be " + wanted(schema),
                  found_text(node),
                  repaired(schema, node));
}

void SchemaExplainer::explain_word(const nlohmann::json& schema,
                                   const YamlNode& node,
                                   const std::string& path) {
  if (schema.contains("enum")) {
    const auto words = schema["enum"].get<std::vector<std::string>>();
    if (std::find(words.begin(), words.end(), node.text) == words.end()) {
      const bool model = path == "workload.model";
      complaints_.add(
          node.mark,
          model ? "unknown model " + quote(node.text)
                : "unknown value " + quote(node.text) + " for " + quote(path),
          model ? "models are listed by 'tune list workloads'" : "one of: " + joined(words),
          did_you_mean(node.text, words));
    }
    return;
  }
  const bool long_enough =
      !schema.contains("minLength") || node.text.size() >= schema["minLength"].get<std::size_t>();
  const bool short_enough =
      !schema.contains("maxLength") || node.text.size() <= schema["maxLength"].get<std::size_t>();
  if (!long_enough || !short_enough) {
    complaints_.add(node.mark,
                    quote(path) + (long_enough ? " is too long" : " is empty"),
                    long_enough ? "at most " + schema["maxLength"].dump() + " characters" : "");
    return;
  }
  if (schema.contains("pattern") &&
      !std::regex_search(node.text, std::regex(schema["pattern"].get<std::string>()))) {
    complaints_.add(node.mark,
                    quote(path) + " must be " + wanted(schema),
                    found_text(node),
                    repaired(schema, node));
  }
}

void SchemaExplainer::explain_number(const nlohmann::json& schema,
                                     const YamlNode& node,
                                     const std::string& path) {
  const double value = node.kind == Kind::whole ? static_cast<double>(node.whole) : node.real;
  const bool fits_range =
      (!schema.contains("minimum") || value >= schema["minimum"].get<double>()) &&
      (!schema.contains("maximum") || value <= schema["maximum"].get<double>()) &&
      (!schema.contains("exclusiveMinimum") || value > schema["exclusiveMinimum"].get<double>());
  if (!fits_range) {
    complaints_.add(node.mark, quote(path) + " must be " + wanted(schema), found_text(node));
  }
}

void SchemaExplainer::explain_list(const nlohmann::json& schema,
                                   const YamlNode& node,
                                   const std::string& path) {
  if (schema.contains("minItems") && node.items.size() < schema["minItems"].get<std::size_t>()) {
    complaints_.add(node.mark, quote(path) + " is empty", "needs at least one value");
  }
  if (schema.contains("maxItems") && node.items.size() > schema["maxItems"].get<std::size_t>()) {
    complaints_.add(node.mark,
                    quote(path) + " is too long",
                    "at most " + schema["maxItems"].dump() + " values");
  }
  if (schema.contains("uniqueItems")) {
    for (std::size_t i = 1; i < node.items.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (node.items[i].text == node.items[j].text) {
          complaints_.add(node.items[i].mark,
                          quote(path) + " names " + quote(node.items[i].text) + " twice");
          break;
        }
      }
    }
  }
  if (schema.contains("items")) {
    for (const YamlNode& item : node.items) {
      explain(schema["items"], item, path);
    }
  }
}

void SchemaExplainer::explain_map(const nlohmann::json& schema,
                                  const YamlNode& node,
                                  const std::string& path) {
  static const nlohmann::json kNone = nlohmann::json::object();
  const nlohmann::json& known = schema.contains("properties") ? schema["properties"] : kNone;
  const std::string prefix = path.empty() ? "" : path + ".";
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlKey& key = node.keys[i];
    if (known.contains(key.name)) {
      explain(known[key.name], node.items[i], prefix + key.name);
    } else if (const nlohmann::json* const fitting = by_pattern(schema, key.name)) {
      explain(*fitting, node.items[i], prefix + key.name);
    } else if (schema.contains("additionalProperties")) {
      explain_key_name(schema, key, path);
      const nlohmann::json& others = schema["additionalProperties"];
      if (others.is_object()) {
        explain(others, node.items[i], prefix + key.name);
      } else if (!others.get<bool>()) {
        explain_key(known, key, path);
      }
    }
  }
  if (schema.contains("required")) {
    for (const auto& name : schema["required"]) {
      if (node.find(name.get<std::string>()) == nullptr) {
        complaints_.add(node.mark,
                        "the key " + quote(prefix + name.get<std::string>()) + " is missing");
      }
    }
  }
  if (schema.contains("minProperties") &&
      node.keys.size() < schema["minProperties"].get<std::size_t>()) {
    complaints_.add(node.mark, quote(path) + " is empty", "needs at least one key");
  }
  if (schema.contains("maxProperties") &&
      node.keys.size() > schema["maxProperties"].get<std::size_t>()) {
    complaints_.add(
        node.mark, quote(path) + " has too many keys", "at most " + schema["maxProperties"].dump());
  }
}

void SchemaExplainer::explain_key_name(const nlohmann::json& schema,
                                       const YamlKey& key,
                                       const std::string& path) {
  const nlohmann::json::json_pointer place("/propertyNames/pattern");
  if (schema.contains(place) &&
      !std::regex_search(key.name, std::regex(schema.at(place).get<std::string>()))) {
    complaints_.add(key.mark,
                    quote(key.name) + " is not a name for a key of " + quote(path),
                    "small letters, digits and _");
  }
}

void SchemaExplainer::explain_key(const nlohmann::json& known,
                                  const YamlKey& key,
                                  const std::string& path) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known.items()) {
    names.push_back(name);
  }
  const std::string nearest = did_you_mean(key.name, names);
  if (is_knob_path(path)) {
    complaints_.add(key.mark,
                    "unknown knob " + quote(key.name),
                    "knobs are listed by 'tune list knobs'",
                    nearest);
    return;
  }
  std::string why = "keys of " +
                    (path.empty() ? std::string(complaints_.kind().one) : quote(path)) + ": " +
                    joined(names);
  const nlohmann::json::json_pointer knobs("/properties/baseline/properties");
  if (nearest.empty() && schema_.contains(knobs) && schema_.at(knobs).contains(key.name)) {
    why = "it is a knob: write it into 'baseline' or 'grid'";
  }
  complaints_.add(key.mark, "unknown key " + quote(key.name), why, nearest);
}

}  // namespace tune::scenario
