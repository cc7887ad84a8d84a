#include "scenario/edit_baseline.h"

#include "base/assert.h"
#include "base/error.h"
#include "scenario/read_knob_value.h"
#include "scenario/read_scenario.h"
#include "scenario/read_yaml.h"
#include "scenario/set_in_section.h"
#include "trial/plugin_knob.h"

#include <algorithm>
#include <utility>

namespace tune::scenario {

namespace {

constexpr const char* kSection = "baseline";

YamlNode read(const std::string& text, const std::filesystem::path& file) {
  return read_faultless_yaml(text, file.string());
}

// What a knob is set to; nothing where something is written that it cannot have.
std::optional<trial::KnobValue> value_in(const YamlNode& root, const std::string& name) {
  const trial::Knob* const knob = trial::find_knob(name);
  TUNE_ASSERT(knob != nullptr || trial::is_plugin_knob(name));
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

}  // namespace tune::scenario
