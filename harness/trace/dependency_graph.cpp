#include "trace/dependency_graph.h"

#include "trace/steps.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace tune::profile {

namespace {

constexpr std::array<std::string_view, kPathParts> kNames = {"cpu",
                                                             "host_gap",
                                                             "data_loading",
                                                             "kernel",
                                                             "communication",
                                                             "copy",
                                                             "launch",
                                                             "kernel_delay",
                                                             "sync"};

// Indices of the edges, by the node that they leave; those of node n begin at first[n].
struct Leaving {
  std::vector<std::uint32_t> first, edges;
};

Leaving edges_by_source(const DependencyGraph& graph) {
  Leaving leaving;
  leaving.first.assign(graph.node_ns.size() + 1, 0);
  for (const PathEdge& edge : graph.edges) {
    ++leaving.first[edge.from + 1];
  }
  std::partial_sum(leaving.first.begin(), leaving.first.end(), leaving.first.begin());
  std::vector<std::uint32_t> next(leaving.first.begin(), leaving.first.end() - 1);
  leaving.edges.resize(graph.edges.size());
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    leaving.edges[next[graph.edges[i].from]++] = i;
  }
  return leaving;
}

}  // namespace

std::string_view path_part_name(PathPart part) {
  return kNames[static_cast<std::size_t>(part)];
}

std::uint32_t DependencyGraph::connect(std::uint32_t from,
                                       std::uint32_t to,
                                       const PathEdge& kind,
                                       bool weighs) {
  const std::int64_t between_ns = node_ns[to] - node_ns[from];
  if (between_ns < 0) {
    return kNone;
  }
  edges.push_back({from, to, kind.event, kind.part, weighs ? between_ns : 0});
  return static_cast<std::uint32_t>(edges.size() - 1);
}

bool sort_edges(DependencyGraph& graph) {
  const Leaving leaving = edges_by_source(graph);
  const std::size_t nodes = graph.node_ns.size();
  std::vector<std::uint32_t> missing(nodes);  // edges into the node whose source is not done
  for (const PathEdge& edge : graph.edges) {
    ++missing[edge.to];
  }
  std::vector<std::uint32_t> ready;
  ready.reserve(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (missing[node] == 0) {
      ready.push_back(node);
    }
  }
  std::vector<PathEdge> sorted;
  sorted.reserve(graph.edges.size());
  for (std::size_t i = 0; i < ready.size(); ++i) {  // grows within
    const std::uint32_t node = ready[i];
    for (std::uint32_t at = leaving.first[node]; at < leaving.first[node + 1]; ++at) {
      const PathEdge& edge = graph.edges[leaving.edges[at]];
      sorted.push_back(edge);
      if (--missing[edge.to] == 0) {
        ready.push_back(edge.to);
      }
    }
  }
  graph.edges = std::move(sorted);
  return ready.size() == nodes;
}

namespace {

bool is_of_host(Role role) {
  return role == Role::cpu_op || role == Role::data_loading || role == Role::runtime;
}

// By StringId. Profilers of 2021 write no row of the engine, but of its last function.
std::vector<bool> autograd_names(const Timeline& timeline) {
  std::vector<bool> names(timeline.strings.size());
  for (StringId id = 0; id < names.size(); ++id) {
    const std::string_view name = timeline.strings.text(id);
    names[id] = name.starts_with("autograd::engine::evaluate_function") ||
                name == "torch::autograd::AccumulateGrad";
  }
  return names;
}

// What each thread of the host did within the window.
struct Threads {
  std::uint32_t marking = kNone;     // the track of the first step
  std::vector<std::uint32_t> calls;  // by track
  std::vector<bool> is_autograd;     // by track
};

Threads look_at_threads(const Timeline& timeline, const RoleOfEvent& role_of, Interval window) {
  Threads threads{.calls = std::vector<std::uint32_t>(timeline.tracks.size()),
                  .is_autograd = std::vector<bool>(timeline.tracks.size())};
  const std::vector<bool> is_autograd = autograd_names(timeline);
  for (const Event& event : timeline.events) {
    if (event.start_ns < window.begin_ns || event.start_ns >= window.end_ns) {
      continue;
    }
    const auto role = role_of(event);
    if (role == Role::runtime) {
      ++threads.calls[event.track];
    } else if (role == Role::cpu_op && is_autograd[event.name]) {
      threads.is_autograd[event.track] = true;
    } else if (threads.marking == kNone && !role && !timeline.track(event).is_device &&
               marks_step(timeline.name(event))) {
      threads.marking = event.track;
    }
  }
  return threads;
}

}  // namespace

PathRows choose_path_rows(const Timeline& timeline, const Launches& launches, Interval window) {
  const RoleOfEvent role_of(timeline);
  const Threads threads = look_at_threads(timeline, role_of, window);
  PathRows rows{.row_of = std::vector<std::uint32_t>(timeline.events.size(), kNone)};
  const auto most = std::max_element(threads.calls.begin(), threads.calls.end());
  if (threads.marking != kNone) {
    rows.main_thread = threads.marking;
  } else if (most != threads.calls.end() && *most > 0) {
    rows.main_thread = static_cast<std::uint32_t>(most - threads.calls.begin());
  }
  rows.is_backward = threads.is_autograd;
  if (rows.main_thread != kNone) {
    rows.is_backward[rows.main_thread] = false;
  }
  const auto add = [&rows](std::uint32_t event) {
    rows.row_of[event] = static_cast<std::uint32_t>(rows.events.size());
    rows.events.push_back(event);
  };
  rows.events.reserve(timeline.events.size());
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& event = timeline.events[i];
    const auto role = role_of(event);
    const bool counts = threads.calls[event.track] > 0 || event.track == rows.main_thread ||
                        rows.is_backward[event.track];
    if (role && is_of_host(*role) && counts && event.start_ns >= window.begin_ns &&
        event.start_ns < window.end_ns &&
        (event.duration_ns > 0 || launches.first_work_of[i] != kNone)) {
      add(i);
    }
  }
  rows.host_rows = rows.events.size();
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const std::uint32_t call = launches.call_of[i];
    if (call != kNone && rows.row_of[call] != kNone) {
      add(i);
    }
  }
  return rows;
}

std::vector<IssuedWork> issued_work(const Launches& launches, const PathRows& rows) {
  std::vector<IssuedWork> issued;
  issued.reserve(rows.events.size() - rows.host_rows);
  for (std::size_t row = rows.host_rows; row < rows.events.size(); ++row) {
    issued.push_back({launches.call_of[rows.events[row]], rows.events[row]});
  }
  std::sort(issued.begin(), issued.end(), [](const IssuedWork& a, const IssuedWork& b) {
    return a.call != b.call ? a.call < b.call : a.work < b.work;
  });
  return issued;
}

namespace {

// A row that no other row encloses, and the edge of the gap before it.
struct TopRow {
  std::uint32_t row = 0;
  std::uint32_t gap_edge = kNone;
};

struct Thread {
  std::vector<std::uint32_t> open;  // rows, the outermost first
  std::uint32_t last = kNone;       // the last node of the outermost open row
  std::size_t open_loaders = 0;     // of the open rows
  std::vector<TopRow> tops;
};

class HostEdges {
 public:
  HostEdges(const Timeline& timeline, const PathRows& rows, IdleTime idle, DependencyGraph& graph)
      : timeline_(timeline),
        rows_(rows),
        idle_(idle),
        graph_(graph),
        role_of_(timeline),
        threads_(timeline.tracks.size()),
        closing_(rows.host_rows, kNone) {}

  std::vector<std::uint32_t> add() {
    for (std::uint32_t row = 0; row < rows_.host_rows; ++row) {
      const Event& event = event_of(row);
      Thread& thread = threads_[event.track];
      close(thread, event.start_ns);
      open(thread, row, event.track);
    }
    for (Thread& thread : threads_) {
      close(thread, std::numeric_limits<std::int64_t>::max());
    }
    if (rows_.main_thread != kNone && idle_ == IdleTime::counted) {
      join_threads();
    }
    return std::move(closing_);
  }

 private:
  const Event& event_of(std::uint32_t row) const { return timeline_.events[rows_.events[row]]; }
  bool is_loader(std::uint32_t row) const { return role_of_(event_of(row)) == Role::data_loading; }
  bool counts_gaps(std::uint32_t track) const {
    return idle_ == IdleTime::counted && (track == rows_.main_thread || rows_.is_backward[track]);
  }

  PathEdge work_of(const Thread& thread, std::uint32_t row) const {
    return {.event = rows_.events[row],
            .part = thread.open_loaders > 0 ? PathPart::data_loading : PathPart::cpu};
  }

  // A child that ends late takes its parent's end with it.
  void close(Thread& thread, std::int64_t until_ns) {
    while (!thread.open.empty() && event_of(thread.open.back()).end_ns() <= until_ns) {
      const std::uint32_t row = thread.open.back();
      const std::uint32_t end = DependencyGraph::end_of(row);
      graph_.node_ns[end] = std::max(graph_.node_ns[end], graph_.node_ns[thread.last]);
      closing_[row] = graph_.connect(thread.last, end, work_of(thread, row), true);
      thread.open_loaders -= is_loader(row) ? 1 : 0;
      thread.open.pop_back();
      thread.last = thread.open.empty() ? kNone : end;
    }
  }

  void open(Thread& thread, std::uint32_t row, std::uint32_t track) {
    const std::uint32_t begin = DependencyGraph::begin_of(row);
    if (!thread.open.empty()) {
      // Where the row before ended late this one begins with it.
      graph_.node_ns[begin] = std::max(graph_.node_ns[begin], graph_.node_ns[thread.last]);
      graph_.connect(thread.last, begin, work_of(thread, thread.open.back()), true);
    } else {
      TopRow top{row};
      if (!thread.tops.empty()) {
        const std::uint32_t before = DependencyGraph::end_of(thread.tops.back().row);
        graph_.node_ns[begin] = std::max(graph_.node_ns[begin], graph_.node_ns[before]);
        const PathEdge gap{.event = rows_.events[row], .part = PathPart::host_gap};
        top.gap_edge = graph_.connect(before, begin, gap, counts_gaps(track));
      }
      thread.tops.push_back(top);
    }
    thread.open.push_back(row);
    thread.open_loaders += is_loader(row) ? 1 : 0;
    thread.last = begin;
  }

  void join_threads() {
    const std::vector<TopRow>& main = threads_[rows_.main_thread].tops;
    for (std::uint32_t track = 0; track < threads_.size(); ++track) {
      if (rows_.is_backward[track]) {
        join(main, threads_[track].tops);
        join(threads_[track].tops, main);
      }
    }
  }

  // Edges from the last row that the other thread finished in each gap.
  void join(const std::vector<TopRow>& waiting, const std::vector<TopRow>& other) {
    std::size_t done = 0;
    std::int64_t gap_begin_ns = std::numeric_limits<std::int64_t>::min();
    for (const TopRow& top : waiting) {
      const std::uint32_t begin = DependencyGraph::begin_of(top.row);
      while (done < other.size() && end_ns(other[done]) <= graph_.node_ns[begin]) {
        ++done;
      }
      if (done > 0 && end_ns(other[done - 1]) > gap_begin_ns) {
        const PathEdge gap{.event = rows_.events[top.row], .part = PathPart::host_gap};
        graph_.connect(DependencyGraph::end_of(other[done - 1].row), begin, gap, true);
        if (top.gap_edge != kNone) {
          graph_.edges[top.gap_edge].weight_ns = 0;
        }
      }
      gap_begin_ns = end_ns(top);
    }
  }

  std::int64_t end_ns(const TopRow& top) const {
    return graph_.node_ns[DependencyGraph::end_of(top.row)];
  }

  const Timeline& timeline_;
  const PathRows& rows_;
  IdleTime idle_;
  DependencyGraph& graph_;
  RoleOfEvent role_of_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> closing_;
};

}  // namespace

std::vector<std::uint32_t> add_host_edges(const Timeline& timeline,
                                          const PathRows& rows,
                                          IdleTime idle,
                                          DependencyGraph& graph) {
  return HostEdges(timeline, rows, idle, graph).add();
}

}  // namespace tune::profile
