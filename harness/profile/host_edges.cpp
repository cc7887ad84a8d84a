#include "profile/host_edges.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tune::profile {

namespace {

// A row that lies in no other, and the edge of the gap before it.
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
