#include "table/call_places.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace tune::table {

namespace {

using profile::Category;
using profile::Event;
using profile::kNone;
using profile::OpDetail;
using profile::StringId;
using profile::Timeline;

constexpr std::string_view kModule = "nn.Module: ";

// What a text beside an operator, or the frames around it, come to.
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

}  // namespace

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

}  // namespace tune::table
