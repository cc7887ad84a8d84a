#include "trace/table/operator_groups.h"

#include "trace/steps.h"
#include "trace/table/host_tree.h"
#include "trace/timeline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::table {

namespace {

// Where rows of the host were called from.
struct CallPlaces {
  std::vector<std::uint32_t> place_of;  // by event: index in `texts`; 0 is not known
  std::vector<std::string> texts = {""};

  bool are_known() const { return texts.size() > 1; }
};

using profile::Category;
using profile::Event;
using profile::kNone;
using profile::OpDetail;
using profile::StringId;
using profile::Timeline;

constexpr std::string_view kModule = "nn.Module: ";

// How to name a group, from a text that the profiler wrote with an operator or from the frames
// around it.
struct Reading {
  StringId OpDetail::*written;
  std::function<std::string(std::string_view)> of_written;
  std::function<std::string(const std::vector<std::string_view>&)> of_frames;  // innermost first
  std::size_t frames = kDeepestStack;                                          // so many at most
};

class Collector {
 public:
  Collector(const Timeline& timeline, const HostTree& tree, const Reading& reading)
      : timeline_(timeline), tree_(tree), reading_(reading) {
    places_.place_of.assign(timeline.events.size(), 0);
  }

  CallPlaces collect() {
    visit_rows();
    follow_sequence_numbers();
    return std::move(places_);
  }

 private:
  // One place in the Python program: a frame, called from another.
  struct Node {
    std::uint32_t parent = kNone;
    StringId frame = 0;
    std::uint32_t place = kNone;  // not asked for yet
  };
  // A row of a Python frame.
  struct Frame {
    std::uint32_t parent = kNone;  // index in frames_
    std::int64_t end_ns = 0;
    std::uint32_t node = 0;
  };

  void visit_rows() {
    std::vector<std::uint32_t> innermost(timeline_.tracks.size(), kNone);
    for (std::uint32_t i = 0; i < timeline_.events.size(); ++i) {
      const Event& event = timeline_.events[i];
      const bool is_frame = event.category == Category::python_function;
      if (!is_frame && !tree_.is_row(i)) {
        continue;
      }
      std::uint32_t& frame = innermost[event.track];
      while (frame != kNone && frames_[frame].end_ns <= event.start_ns) {
        frame = frames_[frame].parent;
      }
      if (is_frame) {
        const std::uint32_t node =
            node_in(frame == kNone ? kNone : frames_[frame].node, event.name);
        frames_.push_back({frame, event.end_ns(), node});
        frame = static_cast<std::uint32_t>(frames_.size() - 1);
      } else {
        places_.place_of[i] = place_of_row(event, frame);
      }
    }
  }

  std::uint32_t place_of_row(const Event& event, std::uint32_t frame) {
    const OpDetail* const op = timeline_.op(event);
    const StringId text = op == nullptr ? 0 : op->*reading_.written;
    if (text != 0) {
      const auto [entry, is_new] = place_of_text_.try_emplace(text, 0);
      if (is_new) {
        entry->second = intern(reading_.of_written(timeline_.strings.text(text)));
      }
      return entry->second;
    }
    return frame == kNone ? 0 : place_of_node(frames_[frame].node);
  }

  std::uint32_t node_in(std::uint32_t parent, StringId frame) {
    const std::uint64_t key = std::uint64_t{parent} << 32 | frame;
    const auto [entry, is_new] =
        node_of_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) {
      nodes_.push_back({parent, frame});
    }
    return entry->second;
  }

  std::uint32_t place_of_node(std::uint32_t node) {
    if (nodes_[node].place == kNone) {
      std::vector<std::string_view> frames;
      frames.reserve(32);
      for (std::uint32_t at = node; at != kNone && frames.size() < reading_.frames;
           at = nodes_[at].parent) {
        frames.push_back(timeline_.strings.text(nodes_[at].frame));
      }
      nodes_[node].place = intern(reading_.of_frames(frames));
    }
    return nodes_[node].place;
  }

  std::uint32_t intern(std::string text) {
    if (text.empty()) {
      return 0;
    }
    const auto [entry, is_new] =
        places_known_.try_emplace(text, static_cast<std::uint32_t>(places_.texts.size()));
    if (is_new) {
      places_.texts.push_back(std::move(text));
    }
    return entry->second;
  }

  // Backward operators were called by autograd; their forward operator says more.
  void follow_sequence_numbers() {
    std::unordered_map<std::int64_t, std::uint32_t> forward;
    std::vector<std::int64_t> backward(timeline_.events.size(), profile::kUnknownId);
    for (std::uint32_t i = 0; i < timeline_.events.size(); ++i) {
      if (!tree_.is_row(i)) {
        continue;
      }
      const OpDetail* const op = timeline_.op(timeline_.events[i]);
      const bool has_number = op != nullptr && op->sequence_number >= 0;
      const std::uint32_t parent = tree_.parent[i];
      backward[i] = parent == kNone ? profile::kUnknownId : backward[parent];
      if (has_number && op->forward_thread > 0) {
        backward[i] = op->sequence_number;
      } else if (has_number && backward[i] == profile::kUnknownId && places_.place_of[i] != 0) {
        forward.try_emplace(op->sequence_number, places_.place_of[i]);
      }
      if (backward[i] != profile::kUnknownId) {
        const auto found = forward.find(backward[i]);
        places_.place_of[i] = found == forward.end() ? places_.place_of[i] : found->second;
      }
    }
  }

  const Timeline& timeline_;
  const HostTree& tree_;
  const Reading& reading_;
  CallPlaces places_;
  std::vector<Node> nodes_;
  std::vector<Frame> frames_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_of_;  // by parent and frame
  std::unordered_map<StringId, std::uint32_t> place_of_text_;
  std::unordered_map<std::string, std::uint32_t> places_known_;
};

// The first frames of "innermost;...;outermost".
std::string first_frames(std::string_view stack, std::size_t frames) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < frames && end < stack.size(); ++i) {
    end = std::min(stack.find(';', end + (i > 0 ? 1 : 0)), stack.size());
  }
  std::string text(stack.substr(0, end));
  std::replace(text.begin(), text.end(), ';', '\n');
  return text;
}

// The innermost `frames` frames of each row, innermost first, one a line: those that the profiler
// wrote with the operator ("Call stack", until 2021), else the Python frames around it on its
// thread.
CallPlaces stack_places(const Timeline& timeline, const HostTree& tree, std::size_t frames) {
  const Reading reading{&OpDetail::call_stack,
                        [frames](std::string_view stack) { return first_frames(stack, frames); },
                        [](const std::vector<std::string_view>& stack) {
                          std::string text;
                          for (const std::string_view frame : stack) {
                            text += text.empty() ? "" : "\n";
                            text += frame;
                          }
                          return text;
                        },
                        std::min(frames, kDeepestStack)};
  return Collector(timeline, tree, reading).collect();
}

// The modules of each row, outermost first: what torch.jit wrote ("Module Hierarchy"), else the
// Python frames `nn.Module: ...` around it on its thread, of the kDeepestStack innermost frames.
CallPlaces module_places(const Timeline& timeline, const HostTree& tree) {
  const Reading reading{&OpDetail::module_hierarchy,
                        [](std::string_view modules) { return std::string(modules); },
                        [](const std::vector<std::string_view>& stack) {
                          std::string text;
                          for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
                            if (frame->starts_with(kModule)) {
                              text += text.empty() ? "" : ".";
                              text += frame->substr(kModule.size());
                            }
                          }
                          return text;
                        }};
  return Collector(timeline, tree, reading).collect();
}

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
