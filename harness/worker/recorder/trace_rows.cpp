#include "worker/recorder/trace_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tune::worker {

namespace {

constexpr std::string_view kWrapper = "autograd::engine::evaluate_function: ";

bool lies_in(const std::vector<TraceWindow>& windows, std::int64_t start_ns, std::int64_t end_ns) {
  return std::any_of(windows.begin(), windows.end(), [=](const TraceWindow& window) {
    return start_ns >= window.start_ns && end_ns <= window.end_ns;
  });
}

/// Modules that are open at some point of one thread.
class OpenModules {
 public:
  OpenModules(std::vector<std::string>& paths,
              std::map<std::string, std::uint32_t, std::less<>>& known)
      : paths_(paths), known_(known) {}

  /// The innermost one at this time.
  std::uint32_t at(std::int64_t start_ns) {
    while (!open_.empty() && open_.back().end_ns <= start_ns) {
      open_.pop_back();
    }
    return open_.empty() ? 0 : open_.back().path;
  }

  /// A module that begins; its own path.
  std::uint32_t enter(std::string_view name, const TraceRow& row) {
    std::string path = paths_[at(row.start_ns)];
    path += path.empty() ? "" : ".";
    path += name;
    const auto [entry, is_new] =
        known_.try_emplace(path, static_cast<std::uint32_t>(paths_.size()));
    if (is_new) {
      paths_.push_back(path);
    }
    open_.push_back({row.end_ns, entry->second});
    return entry->second;
  }

 private:
  struct Open {
    std::int64_t end_ns = 0;
    std::uint32_t path = 0;
  };
  std::vector<std::string>& paths_;
  std::map<std::string, std::uint32_t, std::less<>>& known_;
  std::vector<Open> open_;
};

class Collector {
 public:
  Collector(const Recording& recording, const std::vector<TraceWindow>& windows)
      : recording_(recording), windows_(windows) {
    found_.modules.emplace_back();
  }

  TraceRows collect() {
    const auto logs = recording_.logs();
    torch_threads_.reserve(logs.size());
    for (std::size_t i = 0; i < logs.size(); ++i) {
      torch_threads_.push_back(logs[i]->torch_thread());
      collect_events(*logs[i], static_cast<std::uint32_t>(i));
      collect_memory(*logs[i], static_cast<std::uint32_t>(i));
    }
    std::stable_sort(
        found_.rows.begin(), found_.rows.end(), [](const TraceRow& a, const TraceRow& b) {
          return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
        });
    std::stable_sort(found_.memory.begin(), found_.memory.end(), [](const auto& a, const auto& b) {
      return a.row.time_ns < b.row.time_ns;
    });
    link();
    return std::move(found_);
  }

 private:
  void collect_events(const ThreadLog& log, std::uint32_t index) {
    OpenModules modules(found_.modules, module_paths_);
    std::size_t wrapper = kNoRow;  // the previous row, when it may wrap the next one
    const std::uint32_t count = log.events().size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const RecordedEvent& event = log.events()[i];
      const std::int64_t end_ns = event.end_ns.load(std::memory_order_acquire);
      if (end_ns == 0 || !lies_in(windows_, event.start_ns, end_ns)) {
        wrapper = kNoRow;
        continue;
      }
      TraceRow row{event.start_ns,
                   end_ns,
                   event.sequence,
                   event.name,
                   index,
                   event.forward_thread,
                   event.inputs,
                   0,
                   event.kind};
      const std::string_view name = recording_.names().text(event.name);
      row.module =
          row.kind == EventKind::module ? modules.enter(name, row) : modules.at(row.start_ns);
      if (row.kind == EventKind::backward && wrapper != kNoRow) {
        found_.rows[wrapper].sequence = row.sequence;
        found_.rows[wrapper].forward_thread = row.forward_thread;
      }
      wrapper = name.starts_with(kWrapper) ? found_.rows.size() : kNoRow;
      found_.rows.push_back(row);
    }
  }

  void collect_memory(const ThreadLog& log, std::uint32_t index) {
    const std::uint32_t count = log.memory().size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const MemoryRow& row = log.memory()[i];
      if (lies_in(windows_, row.time_ns, row.time_ns)) {
        found_.memory.push_back({row, index});
      }
    }
  }

  void link() {
    struct Hash {
      std::size_t operator()(const std::pair<std::uint32_t, std::int64_t>& key) const {
        constexpr std::uint64_t kPrime = 1009;
        return static_cast<std::size_t>(static_cast<std::uint64_t>(key.second) * kPrime +
                                        key.first);
      }
    };
    std::unordered_map<std::pair<std::uint32_t, std::int64_t>, std::size_t, Hash> forwards;
    for (std::size_t i = 0; i < found_.rows.size(); ++i) {
      const TraceRow& row = found_.rows[i];
      if (row.sequence < 0) {
        continue;
      }
      if (row.kind == EventKind::op && row.forward_thread == 0) {
        forwards[{torch_threads_[row.log], row.sequence}] = i;
      } else if (row.kind == EventKind::backward) {
        const auto forward = forwards.find({row.forward_thread, row.sequence});
        if (forward != forwards.end()) {
          found_.links.push_back({forward->second, i});
        }
      }
    }
  }

  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  const Recording& recording_;
  const std::vector<TraceWindow>& windows_;
  TraceRows found_;
  std::map<std::string, std::uint32_t, std::less<>> module_paths_;
  std::vector<std::uint32_t> torch_threads_;
};

}  // namespace

TraceRows collect_rows(const Recording& recording, const std::vector<TraceWindow>& windows) {
  return Collector(recording, windows).collect();
}

std::int64_t peak_bytes(const std::vector<TraceMemoryRow>& memory,
                        const std::vector<TraceWindow>& windows) {
  std::int64_t peak = 0;
  for (const TraceWindow& window : windows) {
    std::int64_t held = 0;
    for (const TraceMemoryRow& entry : memory) {
      const MemoryRow& row = entry.row;
      if (row.device_type == 0 && row.time_ns >= window.start_ns && row.time_ns <= window.end_ns) {
        held += row.bytes;
        peak = std::max(peak, held);
      }
    }
  }
  return peak;
}

}  // namespace tune::worker
