#include "profile/path_rows.h"

#include "profile/steps.h"

#include <algorithm>
#include <string_view>

namespace tune::profile {

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

}  // namespace tune::profile
