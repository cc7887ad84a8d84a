#include "trace/device_edges.h"

#include "trace/runtime_calls.h"
#include "trace/stream_waits.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace tune::profile {

namespace {

constexpr std::int64_t kUnexplainedDelayNs = 1'500'000;
constexpr std::size_t kMostAwaited = 16;  // streams; bounds the edges of a broken trace

PathPart part_of(Role role) {
  return role == Role::kernel          ? PathPart::kernel
         : role == Role::communication ? PathPart::communication
                                       : PathPart::copy;
}

bool names_device(std::string_view call) {
  return call.find("DeviceSynchronize") != std::string_view::npos ||
         call.find("CtxSynchronize") != std::string_view::npos;
}

struct Stream {
  std::uint32_t last = kNone;        // row of its last work
  std::vector<std::uint32_t> waits;  // rows that its next work waits for
};

// Goes through the calls in order and keeps what each stream was given last.
class DeviceEdges {
 public:
  DeviceEdges(const Timeline& timeline,
              const Launches& launches,
              const PathRows& rows,
              IdleTime idle,
              DependencyGraph& graph)
      : timeline_(timeline),
        launches_(launches),
        rows_(rows),
        idle_(idle),
        graph_(graph),
        role_of_(timeline),
        kind_of_(timeline, launches),
        syncs_(timeline),
        streams_(timeline.tracks.size()),
        ends_(timeline.tracks) {}

  std::int64_t add(const std::vector<std::uint32_t>& closing) {
    const std::vector<IssuedWork> issued = issued_work(launches_, rows_);
    auto next = issued.begin();
    for (std::uint32_t i = 0; i < timeline_.events.size(); ++i) {
      const Event& event = timeline_.events[i];
      if (!is_device_call(event.category)) {
        continue;
      }
      for (; next != issued.end() && next->call == i; ++next) {
        add_work(rows_.row_of[i], rows_.row_of[next->work]);
      }
      const SyncWait* const wait = event.correlation > 0 ? syncs_.of(event.correlation) : nullptr;
      if (wait != nullptr && wait->kind == SyncWait::Kind::stream_event) {
        hold_stream(*wait);
      } else if (rows_.row_of[i] != kNone && closing[rows_.row_of[i]] != kNone &&
                 (wait != nullptr || kind_of_(i) == CallKind::blocking)) {
        add_wait(i, closing[rows_.row_of[i]], wait);
      }
      note_record(event);
    }
    return inferred_;
  }

 private:
  std::int64_t end_ns(std::uint32_t row) const {
    return graph_.node_ns[DependencyGraph::end_of(row)];
  }

  // The work waits for up to three ends; only the latest of them weighs.
  void add_work(std::uint32_t call, std::uint32_t row) {
    const std::uint32_t event = rows_.events[row];
    const std::uint32_t begin = DependencyGraph::begin_of(row);
    const std::uint32_t end = DependencyGraph::end_of(row);
    const std::uint32_t called = DependencyGraph::begin_of(call);
    Stream& stream = streams_[timeline_.events[event].track];
    // A kernel may seem to begin before its call (kineto#1380).
    graph_.node_ns[begin] = std::max(graph_.node_ns[begin], graph_.node_ns[called]);
    graph_.node_ns[end] = std::max(graph_.node_ns[end], graph_.node_ns[begin]);
    const std::int64_t begin_ns = graph_.node_ns[begin];
    std::uint32_t held_by = kNone;
    for (const std::uint32_t wait : stream.waits) {
      const bool is_later = held_by == kNone || end_ns(wait) > end_ns(held_by);
      held_by = end_ns(wait) <= begin_ns && is_later ? wait : held_by;
    }
    const bool has_before = stream.last != kNone && end_ns(stream.last) <= begin_ns;
    const std::int64_t called_ns = graph_.node_ns[called];
    const bool is_held = held_by != kNone && end_ns(held_by) >= called_ns &&
                         (!has_before || end_ns(held_by) >= end_ns(stream.last));
    const bool is_queued = !is_held && has_before && end_ns(stream.last) >= called_ns;
    const PathEdge launch{.event = event, .part = PathPart::launch};
    graph_.connect(called, begin, launch, !is_held && !is_queued);
    if (has_before) {
      const bool weighs = is_queued && begin_ns - end_ns(stream.last) < kUnexplainedDelayNs;
      const PathEdge delay{.event = event, .part = PathPart::kernel_delay};
      graph_.connect(DependencyGraph::end_of(stream.last), begin, delay, weighs);
    }
    for (const std::uint32_t wait : stream.waits) {
      const PathEdge sync{.event = event, .part = PathPart::sync};
      const bool weighs = is_held && wait == held_by && idle_ == IdleTime::counted;
      graph_.connect(DependencyGraph::end_of(wait), begin, sync, weighs);
    }
    const PathEdge work{.event = event,
                        .part = part_of(role_of_(timeline_.events[event]).value_or(Role::memcpy))};
    graph_.connect(begin, end, work, true);
    stream.waits.clear();
    if (stream.last == kNone || end_ns(row) >= end_ns(stream.last)) {
      stream.last = row;
      ends_.set(timeline_.events[event].track, end_ns(row));
    }
  }

  void hold_stream(const SyncWait& wait) {
    const auto noted = noted_.find(wait.record);
    const std::uint32_t row = noted != noted_.end()    ? noted->second
                              : wait.recorded != kNone ? streams_[wait.recorded].last
                                                       : kNone;
    if (row != kNone && wait.stream != kNone && wait.stream != wait.recorded) {
      streams_[wait.stream].waits.push_back(row);
    }
  }

  void note_record(const Event& event) {
    const std::uint32_t stream =
        event.correlation > 0 ? syncs_.recorded_on(event.correlation) : kNone;
    if (stream != kNone) {
      noted_[event.correlation] = streams_[stream].last;
    }
  }

  // The rows of work that the call waits for.
  std::vector<std::uint32_t> awaited(std::uint32_t call, const SyncWait* wait) {
    std::vector<std::uint32_t> found;
    const auto add = [&found](std::uint32_t row) {
      if (row != kNone) {
        found.push_back(row);
      }
    };
    if (wait != nullptr && wait->kind == SyncWait::Kind::stream && wait->stream != kNone) {
      add(streams_[wait->stream].last);
    } else if (wait != nullptr && wait->kind == SyncWait::Kind::event &&
               noted_.contains(wait->record)) {
      add(noted_.at(wait->record));
    } else if (launches_.first_work_of[call] != kNone) {
      add(rows_.row_of[launches_.first_work_of[call]]);
    } else {
      const bool is_known = wait != nullptr && wait->kind == SyncWait::Kind::device;
      inferred_ += is_known ? 0 : 1;
      const Event& event = timeline_.events[call];
      if (is_known || names_device(timeline_.name(event))) {
        for (const std::uint32_t stream :
             ends_.latest(is_known ? wait->device : -1, kMostAwaited)) {
          add(streams_[stream].last);
        }
      } else {
        const std::uint32_t stream = ends_.last_within({event.start_ns, event.end_ns()});
        add(stream == kNone ? kNone : streams_[stream].last);
      }
    }
    return found;
  }

  void add_wait(std::uint32_t call, std::uint32_t closing, const SyncWait* wait) {
    const std::uint32_t end = DependencyGraph::end_of(rows_.row_of[call]);
    std::uint32_t latest = kNone;
    for (const std::uint32_t row : awaited(call, wait)) {
      const PathEdge sync{.event = call, .part = PathPart::sync};
      const std::uint32_t edge = graph_.connect(DependencyGraph::end_of(row), end, sync, false);
      const bool has_waited = edge != kNone && end_ns(row) > timeline_.events[call].start_ns;
      if (has_waited && (latest == kNone || end_ns(row) > source_ns(latest))) {
        latest = edge;
      }
    }
    PathEdge& own = graph_.edges[closing];
    if (latest != kNone || idle_ == IdleTime::ignored) {
      own.weight_ns = 0;
    } else {
      own.part = launches_.first_work_of[call] == kNone ? PathPart::sync : PathPart::copy;
    }
    if (latest != kNone && idle_ == IdleTime::counted) {
      graph_.edges[latest].weight_ns = graph_.node_ns[end] - source_ns(latest);
    }
  }

  std::int64_t source_ns(std::uint32_t edge) const {
    return graph_.node_ns[graph_.edges[edge].from];
  }

  const Timeline& timeline_;
  const Launches& launches_;
  const PathRows& rows_;
  IdleTime idle_;
  DependencyGraph& graph_;
  RoleOfEvent role_of_;
  CallKinds kind_of_;
  SyncWaits syncs_;
  std::vector<Stream> streams_;  // by track
  StreamEnds ends_;
  std::map<std::int64_t, std::uint32_t> noted_;  // by correlation of a record: what was last
  std::int64_t inferred_ = 0;
};

}  // namespace

std::int64_t add_device_edges(const DeviceEdgeInput& input, DependencyGraph& graph) {
  return DeviceEdges(input.timeline, input.launches, input.rows, input.idle, graph)
      .add(input.closing);
}

}  // namespace tune::profile
