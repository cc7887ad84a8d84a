#include "trace/table/folded_stacks.h"

#include "trace/steps.h"
#include "trace/table/operator_table.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace tune::table {

namespace {

using profile::kNone;
using profile::Timeline;

// A frame: no separator of the format, no line break.
std::string frame_of(std::string_view name) {
  if (profile::marks_step(name)) {
    return std::string(kStepRow);
  }
  std::string frame(name);
  std::replace(frame.begin(), frame.end(), ';', ':');
  std::replace_if(
      frame.begin(), frame.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return frame.empty() ? "(no name)" : frame;
}

std::string thread_of(const Timeline& timeline, const profile::Event& event) {
  const profile::Track& track = timeline.track(event);
  std::string text = "thread ";
  text += timeline.strings.text(track.thread);
  return frame_of(text);
}

// By event, for rows of the host: the frames from the thread to the row. A parent comes before its
// children, so that its stack is known by then.
class Stacks {
 public:
  explicit Stacks(const TableInput& input)
      : input_(input), of_(input.timeline.events.size()), depth_(of_.size()) {
    for (std::uint32_t i = 0; i < of_.size(); ++i) {
      if (input.tree.is_row(i)) {
        of_[i] = stack_of(i);
      }
    }
  }

  const std::string& of(std::uint32_t row) const { return texts_[of_[row]]; }

 private:
  std::uint32_t stack_of(std::uint32_t row) {
    const profile::Event& event = input_.timeline.events[row];
    const std::uint32_t parent = input_.tree.parent[row];
    depth_[row] = parent == kNone ? 1 : depth_[parent] + 1;
    if (depth_[row] > kDeepestStack) {
      return of_[parent];
    }
    std::string text = parent == kNone ? thread_of(input_.timeline, event) : texts_[of_[parent]];
    text += ";";
    text += frame_of(input_.timeline.name(event));
    const auto [entry, is_new] =
        known_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) {
      texts_.push_back(std::move(text));
    }
    return entry->second;
  }

  const TableInput& input_;
  std::vector<std::uint32_t> of_, depth_;  // by event
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

using Times = std::map<std::string, std::int64_t>;  // ns by stack

std::string written(const Times& times) {
  constexpr std::int64_t kNsPerUs = 1000;
  std::string text;
  for (const auto& [stack, ns] : times) {
    const std::int64_t us = (ns + kNsPerUs / 2) / kNsPerUs;
    if (us > 0) {
      text += stack;
      text += " " + std::to_string(us) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string folded_host_stacks(const TableInput& input) {
  const Stacks stacks(input);
  Times times;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    if (input.tree.is_row(i)) {
      times[stacks.of(i)] += input.tree.self_ns[i];
    }
  }
  return written(times);
}

std::string folded_device_stacks(const TableInput& input) {
  const Stacks stacks(input);
  Times times;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (!profile::is_device_work(event.category)) {
      continue;
    }
    const std::uint32_t row = input.issuing_row[i];
    std::string stack = row == kNone ? "(issued outside the trace)" : stacks.of(row);
    stack += ";";
    stack += frame_of(input.timeline.name(event));
    times[stack] += event.duration_ns;
  }
  return written(times);
}

}  // namespace tune::table
