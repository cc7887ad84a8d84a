#include "scenario/edit_scenario.h"

#include "base/assert.h"
#include "base/error.h"
#include "scenario/read_knobs.h"
#include "scenario/read_yaml.h"
#include "scenario/scenario.h"
#include "scenario/set_in_section.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tune::scenario {

namespace {

YamlNode read(const std::string& text, const std::filesystem::path& file) {
  return read_faultless_yaml(text, file.string());
}

std::string item_text(const AcceptedRow& accepted) {
  return "{row: " + accepted.row + ", max: " + share_text(accepted.max_ratio) +
         ", until: " + accepted.until + ", reason: " + nlohmann::json(accepted.reason).dump() + "}";
}

/// Puts text at the places that the reader's marks give.
class Insertion {
 public:
  explicit Insertion(const std::string& text) : text_(text) {
    const std::size_t first = text.find('\n');
    line_end_ = first != std::string::npos && first > 0 && text[first - 1] == '\r' ? "\r\n" : "\n";
  }

  std::string accept(const YamlNode& root, const std::string& item) const {
    const YamlNode* const gate = root.find("gate");
    if (gate == nullptr) {
      return add_section(root, item);
    }
    const YamlNode* const list = gate->find("accepted");
    if (list != nullptr && list->kind == YamlNode::Kind::list) {
      return is_at(list->mark, '[') ? behind_bracket(list->mark, item, list->items.empty())
                                    : before_line(list->items.front().mark, "- " + item);
    }
    const std::string entry = "accepted: [" + item + "]";
    if (is_at(gate->mark, '{')) {
      return behind_bracket(gate->mark, entry, gate->keys.empty());
    }
    return gate->keys.empty() ? text_ : before_line(gate->keys.front().mark, entry);
  }

 private:
  bool is_at(Mark mark, char letter) const {
    const std::size_t at = offset_of(text_, mark);
    return at < text_.size() && text_[at] == letter;
  }

  std::string put(std::size_t at, const std::string& added) const {
    return text_.substr(0, at) + added + text_.substr(at);
  }

  std::string behind_bracket(Mark mark, const std::string& entry, bool is_empty) const {
    return put(offset_of(text_, mark) + 1, entry + (is_empty ? "" : ", "));
  }

  // A line of its own, indented as the one that follows it.
  std::string before_line(Mark mark, const std::string& entry) const {
    const std::size_t at = offset_of(text_, mark);
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t word = std::min(text_.find_first_not_of(' ', begin), text_.size());
    return put(begin, text_.substr(begin, word - begin) + entry + line_end_);
  }

  std::string add_section(const YamlNode& root, const std::string& item) const {
    if (is_at(root.mark, '{')) {
      return behind_bracket(root.mark, "gate: {accepted: [" + item + "]}", root.keys.empty());
    }
    const bool is_ended = text_.empty() || text_.ends_with('\n');
    return text_ + (is_ended ? "" : line_end_) + "gate:" + line_end_ + "  accepted:" + line_end_ +
           "    - " + item + line_end_;
  }

  const std::string& text_;
  std::string line_end_;
};

bool nothing_else_differs(const YamlNode& before, const YamlNode& after) {
  const auto is_gate = [](const std::string& key) { return key == "gate"; };
  const auto is_accepted = [](const std::string& key) { return key == "accepted"; };
  return equal_values(without_keys(&before, is_gate), without_keys(&after, is_gate)) &&
         equal_values(without_keys(before.find("gate"), is_accepted),
                      without_keys(after.find("gate"), is_accepted));
}

// The entries of before, with this one as the first.
bool is_added(const Scenario& before, const Scenario& after, const AcceptedRow& accepted) {
  std::vector<AcceptedRow> wanted = before.gate.accepted;
  wanted.insert(wanted.begin(), accepted);
  return after.gate.accepted == wanted;
}

bool reads_well(const std::string& text,
                const std::string& changed,
                const std::filesystem::path& file,
                const AcceptedRow& accepted) {
  const Scenario before = read_scenario(text, file);
  try {
    return is_added(before, read_scenario(changed, file), accepted) &&
           nothing_else_differs(read(text, file), read(changed, file));
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string with_accepted(const std::string& text,
                          const std::filesystem::path& file,
                          const AcceptedRow& accepted) {
  const std::string item = item_text(accepted);
  std::string changed = Insertion(text).accept(read(text, file), item);
  if (!reads_well(text, changed, file, accepted)) {
    throw Error(Error::Parts{file.string(),
                             "the entry cannot be written into this text",
                             "read again, it would say something else too",
                             "write by hand, under gate: accepted: - " + item});
  }
  return changed;
}

namespace {

constexpr const char* kSection = "baseline";

// What a knob is set to; nothing where something is written that it cannot have.
std::optional<trial::KnobValue> value_in(const YamlNode& root, const std::string& name) {
  const trial::Knob* const knob = trial::find_knob(name);
  TUNE_ASSERT(trial::is_knob(name));
  const YamlNode* const section = root.find(kSection);
  const YamlNode* const node = section == nullptr ? nullptr : section->find(name);
  if (node == nullptr) {
    return knob == nullptr ? std::nullopt : std::optional(knob->default_value);
  }
  Complaints ignored("");
  return knob == nullptr ? read_plugin_value(name, *node, ignored)
                         : read_knob_value(*knob, *node, ignored);
}

std::string with_knob(const std::string& text,
                      const std::filesystem::path& file,
                      const std::pair<const std::string, trial::KnobValue>& change) {
  if (value_in(read(text, file), change.first) == change.second) {
    return text;
  }
  return set_in_section(
      text,
      file.string(),
      {.section = kSection, .key = change.first, .value = change.second, .next_section = "grid"});
}

bool nothing_else_differs(const YamlNode& before,
                          const YamlNode& after,
                          const trial::KnobSettings& changes) {
  const auto is_section = [](const std::string& key) { return key == kSection; };
  const auto is_knob = [&](const std::string& key) { return changes.contains(key); };
  return equal_values(without_keys(&before, is_section), without_keys(&after, is_section)) &&
         equal_values(without_keys(before.find(kSection), is_knob),
                      without_keys(after.find(kSection), is_knob));
}

}  // namespace

std::string with_baseline(const std::string& text,
                          const std::filesystem::path& file,
                          const trial::KnobSettings& changes) {
  std::string changed = text;
  for (const auto& change : changes) {
    changed = with_knob(changed, file, change);
  }
  if (changed == text) {
    return changed;
  }
  const Scenario scenario = read_scenario(changed, file);
  const bool are_set = std::all_of(changes.begin(), changes.end(), [&](const auto& change) {
    return scenario.baseline.at(change.first) == change.second;
  });
  if (!are_set || !nothing_else_differs(read(text, file), read(changed, file), changes)) {
    throw Error(Error::Parts{file.string(),
                             "the settings cannot be written into this text",
                             "read again, it would say something else too",
                             "set " + trial::to_text(changes) + " by hand"});
  }
  return changed;
}

namespace {

// From the line of a key of the outermost map to the line of the next one.
std::string without_section(const std::string& text, const YamlNode& root, const char* section) {
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    if (root.keys[i].name != section) {
      continue;
    }
    const std::size_t begin = offset_of(text, {root.keys[i].mark.line, 1});
    const std::size_t end =
        i + 1 == root.keys.size() ? text.size() : offset_of(text, {root.keys[i + 1].mark.line, 1});
    return text.substr(0, begin) + text.substr(std::max(begin, end));
  }
  return text;
}

}  // namespace

std::string with_grid(const std::string& text,
                      const std::filesystem::path& file,
                      const std::string& grid) {
  const YamlNode root = read(text, file);
  std::string changed = without_section(text, root, "grid");
  changed += changed.empty() || changed.ends_with('\n') ? "" : "\n";
  changed += "grid:\n" + grid;
  const auto is_grid = [](const std::string& key) { return key == "grid"; };
  bool is_changed_well = false;
  try {
    const YamlNode after = read(changed, file);
    is_changed_well = after.find("grid") != nullptr &&
                      equal_values(without_keys(&root, is_grid), without_keys(&after, is_grid));
  } catch (const Error&) {
    is_changed_well = false;
  }
  if (!is_changed_well) {
    throw Error(Error::Parts{file.string(),
                             "its grid cannot be replaced in this text",
                             "read again, it would say something else too",
                             "write every section at the beginning of a line"});
  }
  return changed;
}

}  // namespace tune::scenario
