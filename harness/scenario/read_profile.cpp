#include "scenario/read_sections.h"
#include "scenario/section.h"

#include <algorithm>

namespace tune::scenario {

namespace {

// What is not written is what the device of the trials has.
void read_activities(const Section& section, Scenario& scenario) {
  const YamlNode* const node = section.find("activities");
  if (node == nullptr || node->kind != YamlNode::Kind::list) {
    return;
  }
  trial::Profile& profile = scenario.profile;
  scenario.activities_are_written = true;
  const auto has = [node](const char* name) {
    return std::any_of(node->items.begin(), node->items.end(), [name](const YamlNode& item) {
      return item.text == name;
    });
  };
  profile.cpu = has("cpu");
  profile.cuda = has("cuda");
}

}  // namespace

void read_profile(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "profile", complaints);
  trial::Profile& profile = scenario.profile;
  section.read("cells", scenario.profile_cells);
  read_activities(section, scenario);
  section.read("wait", profile.wait);
  section.read("warmup", profile.warmup);
  section.read("active", profile.active);
  section.read("repeat", profile.repeat);
  section.read("record_shapes", profile.record_shapes);
  section.read("profile_memory", profile.profile_memory);
  section.read("with_stack", profile.with_stack);
  section.read("with_flops", profile.with_flops);
  section.read("with_modules", profile.with_modules);
  if (profile.with_stack) {
    section.complain("with_stack",
                     "'with_stack' cannot be had",
                     "the worker is a C++ program, and has no Python frames",
                     "with_stack: false");
  }
}

}  // namespace tune::scenario
