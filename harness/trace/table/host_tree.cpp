#include "trace/table/host_tree.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tune::table {

namespace {

using profile::Category;
using profile::Event;
using profile::kNone;
using profile::Timeline;

constexpr std::int64_t kLateEndNs = 1000;

// Calls of the profiler, and three that autograd makes all the time: PyTorch hides them too.
constexpr std::array<std::string_view, 6> kHidden = {"profiler::_record_function_enter",
                                                     "profiler::_record_function_enter_new",
                                                     "profiler::_record_function_exit",
                                                     "aten::is_leaf",
                                                     "aten::output_nr",
                                                     "aten::_version"};

bool is_host(Category category) {
  return category == Category::cpu_op || category == Category::user_annotation ||
         profile::is_device_call(category);
}

bool is_operator(Category category) {
  return category == Category::cpu_op || category == Category::user_annotation;
}

// A child that ends late must overlap its parent longer than it runs after it: a row that begins
// just before another ends follows it.
bool lies_in(const Event& child, const Event& parent) {
  const std::int64_t late_ns = child.end_ns() - parent.end_ns();
  const std::int64_t within_ns = parent.end_ns() - child.start_ns;
  return within_ns > 0 && (late_ns <= 0 || (late_ns < kLateEndNs && late_ns < within_ns));
}

std::vector<bool> hidden_names(const Timeline& timeline) {
  std::vector<bool> hidden(timeline.strings.size());
  for (profile::StringId id = 0; id < hidden.size(); ++id) {
    hidden[id] =
        std::find(kHidden.begin(), kHidden.end(), timeline.strings.text(id)) != kHidden.end();
  }
  return hidden;
}

// By track, the row that began last and may still be running.
using Innermost = std::vector<std::uint32_t>;

void own_memory(const Timeline& timeline, HostTree& tree, Innermost& innermost) {
  tree.memory_row.assign(timeline.memory.size(), kNone);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < timeline.memory.size(); ++i) {
    const profile::MemoryEvent& memory = timeline.memory[i];
    for (; next < timeline.events.size() && timeline.events[next].start_ns <= memory.time_ns;
         ++next) {
      if (tree.is_row(next)) {
        innermost[timeline.events[next].track] = next;
      }
    }
    std::uint32_t& row = innermost[memory.track];
    while (row != kNone && timeline.events[row].end_ns() < memory.time_ns) {
      row = tree.parent[row];
    }
    tree.memory_row[i] = row;
  }
}

// Where a parent and its only child have the same name, the parent stays.
void merge_repeated(const Timeline& timeline,
                    HostTree& tree,
                    std::vector<std::uint32_t>& children) {
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    if (!tree.is_row(i) || tree.parent[i] == kNone) {
      continue;
    }
    const std::uint32_t parent = tree.row[tree.parent[i]];
    if (children[parent] == 1 && timeline.events[parent].name == timeline.events[i].name) {
      tree.row[i] = parent;
      children[parent] = children[i];
    }
    tree.parent[i] = parent;
  }
}

void subtract_children(const Timeline& timeline, HostTree& tree) {
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    if (tree.is_row(i)) {
      const Event& event = timeline.events[i];
      tree.self_ns[i] += event.duration_ns;
      if (tree.parent[i] != kNone) {
        const std::int64_t parent_end_ns = timeline.events[tree.parent[i]].end_ns();
        tree.self_ns[tree.parent[i]] -= std::min(event.end_ns(), parent_end_ns) - event.start_ns;
      }
    }
  }
}

using ById = std::vector<std::pair<std::int64_t, std::uint32_t>>;

ById operators_by_external_id(const Timeline& timeline, const HostTree& tree) {
  ById operators;
  operators.reserve(timeline.events.size() / 2);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& event = timeline.events[i];
    if (tree.row[i] != kNone && is_operator(event.category) && event.external_id > 0) {
      operators.emplace_back(event.external_id, tree.row[i]);
    }
  }
  if (!std::is_sorted(operators.begin(), operators.end())) {
    std::sort(operators.begin(), operators.end());
  }
  return operators;
}

std::uint32_t with_external_id(const ById& operators, const Event& work) {
  if (work.external_id <= 0 || work.external_id == work.correlation) {
    return kNone;
  }
  const auto found =
      std::lower_bound(operators.begin(), operators.end(), std::pair(work.external_id, 0U));
  return found != operators.end() && found->first == work.external_id ? found->second : kNone;
}

}  // namespace

HostTree nest_host_rows(const Timeline& timeline) {
  const std::size_t count = timeline.events.size();
  HostTree tree{.row = std::vector<std::uint32_t>(count, kNone),
                .parent = std::vector<std::uint32_t>(count, kNone),
                .enclosing = {},
                .self_ns = std::vector<std::int64_t>(count),
                .memory_row = {}};
  std::vector<std::uint32_t> children(count);
  const std::vector<bool> hidden = hidden_names(timeline);
  Innermost innermost(timeline.tracks.size(), kNone);
  for (std::uint32_t i = 0; i < count; ++i) {  // by start, the longer first
    const Event& event = timeline.events[i];
    if (!is_host(event.category) || hidden[event.name]) {
      continue;
    }
    tree.row[i] = i;
    std::uint32_t parent = innermost[event.track];
    while (parent != kNone && !lies_in(event, timeline.events[parent])) {
      parent = tree.parent[parent];
    }
    tree.parent[i] = parent;
    innermost[event.track] = i;
    if (parent != kNone) {
      ++children[parent];
    }
  }
  merge_repeated(timeline, tree, children);
  tree.enclosing = innermost_that(
      tree, [&timeline](std::uint32_t row) { return is_operator(timeline.events[row].category); });
  subtract_children(timeline, tree);
  std::fill(innermost.begin(), innermost.end(), kNone);
  own_memory(timeline, tree, innermost);
  return tree;
}

std::vector<std::uint32_t> issuing_rows(const Timeline& timeline,
                                        const HostTree& tree,
                                        const profile::Launches& launches) {
  const ById operators = operators_by_external_id(timeline, tree);
  std::vector<std::uint32_t> rows(timeline.events.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    if (!profile::is_device_work(timeline.events[i].category)) {
      continue;
    }
    const std::uint32_t call = launches.call_of[i];
    rows[i] = call == kNone ? kNone : tree.row[call];
    if (rows[i] == kNone || enclosing_operator(tree, rows[i]) == kNone) {
      const std::uint32_t same_id = with_external_id(operators, timeline.events[i]);
      rows[i] = same_id == kNone ? rows[i] : same_id;
    }
  }
  return rows;
}

}  // namespace tune::table
