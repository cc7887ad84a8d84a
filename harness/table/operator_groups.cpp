#include "table/operator_groups.h"

#include "profile/steps.h"
#include "table/call_places.h"

#include <algorithm>
#include <unordered_map>

namespace tune::table {

namespace {

using profile::Category;
using profile::kNone;
using profile::StringId;
using profile::Timeline;

// By event a number that tells apart what `by` tells apart, and what it means.
struct Details {
  std::vector<std::uint32_t> number_of;
  std::vector<std::string> texts;  // by number; empty: numbers are StringIds
};

Details shapes(const Timeline& timeline) {
  Details details;
  details.number_of.reserve(timeline.events.size());
  for (const profile::Event& event : timeline.events) {
    const profile::OpDetail* const op = timeline.op(event);
    details.number_of.push_back(op == nullptr ? 0 : op->input_dims);
  }
  return details;
}

Details places(CallPlaces found) {
  return {std::move(found.place_of), std::move(found.texts)};
}

Details details_of(const Timeline& timeline, const HostTree& tree, const GroupBy& by) {
  switch (by.kind) {
    case GroupBy::Kind::shape:
      return shapes(timeline);
    case GroupBy::Kind::stack:
      return places(stack_places(timeline, tree, by.frames));
    case GroupBy::Kind::module:
      return places(module_places(timeline, tree));
    case GroupBy::Kind::name:
      break;
  }
  return {};
}

std::string why_none(const Details& details, GroupBy::Kind kind) {
  const auto& numbers = details.number_of;
  if (kind == GroupBy::Kind::name ||
      std::any_of(
          numbers.begin(), numbers.end(), [](std::uint32_t number) { return number != 0; })) {
    return "";
  }
  switch (kind) {
    case GroupBy::Kind::shape:
      return "no operator has input shapes (they are recorded with record_shapes=True)";
    case GroupBy::Kind::stack:
      return "no operator has a call stack (recorded with with_stack=True; read with --stacks or "
             "--python)";
    default:
      return "no operator has modules (recorded with with_modules=True, or with_stack=True and "
             "read "
             "with --python)";
  }
}

// All marks of steps have one name, which is that of the first.
std::vector<StringId> shared_names(const Timeline& timeline) {
  std::vector<StringId> shared(timeline.strings.size());
  StringId step = 0;
  for (StringId id = 0; id < shared.size(); ++id) {
    shared[id] = id;
    if (profile::marks_step(timeline.strings.text(id))) {
      step = step == 0 ? id : step;
      shared[id] = step;
    }
  }
  return shared;
}

}  // namespace

OperatorGroups group_operators(const Timeline& timeline, const HostTree& tree, const GroupBy& by) {
  OperatorGroups result;
  const Details details = details_of(timeline, tree, by);
  result.reason = why_none(details, by.kind);
  if (!result.reason.empty()) {
    return result;
  }
  const std::vector<StringId> names = shared_names(timeline);
  const auto texts = static_cast<std::uint64_t>(timeline.strings.size()) + details.texts.size();
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  result.group_of.assign(timeline.events.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    if (!tree.is_row(i)) {
      continue;
    }
    const profile::Event& event = timeline.events[i];
    const std::uint32_t number = details.number_of.empty() ? 0 : details.number_of[i];
    const bool is_annotation = event.category == Category::user_annotation;
    const std::uint64_t key =
        (std::uint64_t{names[event.name]} * 2 + (is_annotation ? 1 : 0)) * texts + number;
    const auto [entry, is_new] =
        known.try_emplace(key, static_cast<std::uint32_t>(result.groups.size()));
    if (is_new) {
      const std::string detail = number == 0 ? ""
                                 : details.texts.empty()
                                     ? std::string(timeline.strings.text(number))
                                     : details.texts[number];
      result.groups.push_back({names[event.name], is_annotation, detail});
    }
    result.group_of[i] = entry->second;
  }
  return result;
}

}  // namespace tune::table
