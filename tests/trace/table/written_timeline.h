#pragma once

// A timeline written row by row, with times in us.

#include "trace/critical_path.h"
#include "trace/launches.h"
#include "trace/partition.h"
#include "trace/runtime_calls.h"
#include "trace/table/table.h"
#include "trace/table/table_input.h"
#include "trace/timeline.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::table {

class WrittenTimeline {
 public:
  /// A row of the host.
  profile::Event& host(profile::Category category,
                       const std::string& name,
                       double start_us,
                       double duration_us,
                       const std::string& thread = "main") {
    return add(category, name, start_us, duration_us, track(thread, false));
  }

  profile::Event& op(const std::string& name,
                     double start_us,
                     double duration_us,
                     const std::string& thread = "main") {
    return host(profile::Category::cpu_op, name, start_us, duration_us, thread);
  }

  profile::OpDetail& detail(profile::Event& event) {
    event.detail = static_cast<std::uint32_t>(timeline_.ops.size());
    return timeline_.ops.emplace_back();
  }

  profile::Event& call(const std::string& name,
                       double start_us,
                       double duration_us,
                       std::int64_t correlation,
                       const std::string& thread = "main") {
    profile::Event& event = host(profile::Category::runtime, name, start_us, duration_us, thread);
    event.correlation = correlation;
    return event;
  }

  profile::Event& work(profile::Category category,
                       const std::string& name,
                       double start_us,
                       double duration_us,
                       std::int64_t correlation) {
    profile::Event& event = add(category, name, start_us, duration_us, track("stream 7", true));
    event.correlation = correlation;
    return event;
  }

  profile::Event& kernel(const std::string& name,
                         double start_us,
                         double duration_us,
                         std::int64_t correlation,
                         float occupancy = 0.5F,
                         float blocks_per_sm = 2) {
    profile::Event& event =
        work(profile::Category::kernel, name, start_us, duration_us, correlation);
    event.detail = static_cast<std::uint32_t>(timeline_.kernels.size());
    timeline_.kernels.push_back({.blocks_per_sm = blocks_per_sm, .occupancy_ratio = occupancy});
    return event;
  }

  void grid_of_last_kernel(const std::array<std::int32_t, 3>& grid) {
    timeline_.kernels.back().grid = grid;
  }

  profile::Event& copy(const std::string& name,
                       double start_us,
                       double duration_us,
                       std::int64_t correlation,
                       std::int64_t bytes) {
    profile::Event& event =
        work(profile::Category::memcpy, name, start_us, duration_us, correlation);
    event.detail = static_cast<std::uint32_t>(timeline_.copies.size());
    timeline_.copies.push_back({bytes});
    return event;
  }

  /// Moves work to another stream than the first.
  void on_stream(profile::Event& work, const std::string& stream) {
    work.track = track(stream, true);
  }

  profile::MemoryEvent& memory(double time_us,
                               std::int64_t bytes,
                               std::int32_t device_type = 0,
                               const std::string& thread = "main") {
    profile::MemoryEvent& event = timeline_.memory.emplace_back();
    event.time_ns = ns(time_us);
    event.bytes = bytes;
    event.device_type = device_type;
    event.device = device_type == 0 ? -1 : 0;
    event.track = track(thread, false);
    return event;
  }

  profile::StringId text(const std::string& text) { return timeline_.strings.intern(text); }

  void device(const std::string& name) { timeline_.devices.push_back({.name = name}); }

  /// Sorts as the reader does; no row may follow.
  const profile::Timeline& timeline() {
    std::stable_sort(timeline_.events.begin(),
                     timeline_.events.end(),
                     [](const profile::Event& a, const profile::Event& b) {
                       return a.start_ns != b.start_ns ? a.start_ns < b.start_ns
                                                       : a.duration_ns > b.duration_ns;
                     });
    std::stable_sort(timeline_.memory.begin(),
                     timeline_.memory.end(),
                     [](const profile::MemoryEvent& a, const profile::MemoryEvent& b) {
                       return a.time_ns < b.time_ns;
                     });
    return timeline_;
  }

  const TableInput& input() {
    if (!input_) {
      partition_ = profile::partition_steps(timeline());
      launches_ = profile::find_launches(timeline_);
      kind_of_ = profile::CallKinds(timeline_, launches_);
      runtime_ = profile::split_runtime(timeline_, partition_, kind_of_);
      critical_path_ = profile::find_critical_path(
          timeline_, launches_, {0, std::numeric_limits<std::int64_t>::max()});
      tree_ = nest_host_rows(timeline_);
      issuing_row_ = issuing_rows(timeline_, tree_, launches_);
      input_.emplace(TableInput{timeline_,
                                partition_,
                                launches_,
                                kind_of_,
                                runtime_,
                                critical_path_,
                                tree_,
                                issuing_row_});
    }
    return *input_;
  }

 private:
  static std::int64_t ns(double us) { return static_cast<std::int64_t>(us * 1000 + 0.5); }

  profile::Event& add(profile::Category category,
                      const std::string& name,
                      double start_us,
                      double duration_us,
                      std::uint32_t track) {
    profile::Event event;
    event.start_ns = ns(start_us);
    event.duration_ns = ns(duration_us);
    event.name = timeline_.strings.intern(name);
    event.track = track;
    event.category = category;
    timeline_.events.push_back(event);
    return timeline_.events.back();
  }

  std::uint32_t track(const std::string& thread, bool is_device) {
    const profile::StringId name = timeline_.strings.intern(thread);
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      if (timeline_.tracks[i].thread == name) {
        return i;
      }
    }
    profile::Track added;
    added.thread = name;
    added.is_device = is_device;
    added.device = is_device ? 0 : -1;
    timeline_.tracks.push_back(added);
    return static_cast<std::uint32_t>(timeline_.tracks.size() - 1);
  }

  profile::Timeline timeline_;
  profile::Partition partition_;
  profile::Launches launches_;
  profile::CallKinds kind_of_;
  profile::RuntimeSplit runtime_;
  profile::CriticalPath critical_path_;
  HostTree tree_;
  std::vector<std::uint32_t> issuing_row_;
  std::optional<TableInput> input_;
};

/// The row whose first column is the text; a test that asks for none fails.
inline const Row& row_named(const Table& table, const std::string& name) {
  for (const Row& row : table.rows) {
    if (row.front() == Cell(name)) {
      return row;
    }
  }
  throw std::out_of_range("no row " + name + " in " + table.id);
}

inline std::int64_t whole(const Table& table, const std::string& name, std::string_view column) {
  return std::get<std::int64_t>(cell(table, row_named(table, name), column));
}

/// One marked step from 0 on, with nothing in it.
inline WrittenTimeline marked_step(double length_us) {
  WrittenTimeline trace;
  trace.host(profile::Category::user_annotation, "ProfilerStep#1", 0, length_us);
  return trace;
}

}  // namespace tune::table
