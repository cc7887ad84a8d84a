#include "trace/inferred_steps.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tune::profile {

namespace {

enum class Kind : std::uint8_t { none, loader, optimizer, server, graph };
constexpr std::size_t kKinds = 5;

// "execute_context_0(0)_generation_4(4)", "execute_new_1_cached_3", "execute_32_context_...": of
// vLLM's versions. Not execute_model and its like, which others call as they like.
bool marks_vllm(std::string_view name) {
  constexpr std::string_view kExecute = "execute_";
  if (!name.starts_with(kExecute) || name.size() == kExecute.size()) {
    return false;
  }
  name.remove_prefix(kExecute.size());
  return name.starts_with("context_") || name.starts_with("new_") ||
         std::isdigit(static_cast<unsigned char>(name.front())) != 0;
}

Kind kind_of_name(std::string_view name) {
  if (name.starts_with("enumerate(DataLoader)#")) {
    return Kind::loader;
  }
  if (name.starts_with("Optimizer.step#")) {
    return Kind::optimizer;
  }
  return name.starts_with("step[") || marks_vllm(name) ? Kind::server : Kind::none;
}

// A name is looked at once: a trace of a million rows has a few thousand.
class KindOfEvent {
 public:
  explicit KindOfEvent(const Timeline& timeline) {
    of_name_.reserve(timeline.strings.size());
    launches_graph_.reserve(timeline.strings.size());
    for (StringId id = 0; id < timeline.strings.size(); ++id) {
      const std::string_view name = timeline.strings.text(id);
      of_name_.push_back(kind_of_name(name));
      launches_graph_.push_back(name.find("GraphLaunch") != std::string_view::npos);
    }
  }

  Kind operator()(const Event& event) const {
    if (is_device_call(event.category)) {
      return launches_graph_[event.name] ? Kind::graph : Kind::none;
    }
    const bool is_range =
        event.category == Category::user_annotation || event.category == Category::cpu_op;
    return is_range ? of_name_[event.name] : Kind::none;
  }

 private:
  std::vector<Kind> of_name_;
  std::vector<bool> launches_graph_;
};

// By kind, the rows of the thread that has most of them. One within another (an optimizer that
// calls another, cuGraphLaunch in cudaGraphLaunch) is a part of it.
using Rows = std::array<std::vector<const Event*>, kKinds>;

Rows rows_by_kind(const Timeline& timeline, std::optional<std::int64_t> cut_ns) {
  std::array<std::map<std::uint32_t, std::vector<const Event*>>, kKinds> by_track;
  const KindOfEvent kind_of(timeline);
  for (const Event& event : timeline.events) {  // by start
    const Kind kind = kind_of(event);
    if (kind == Kind::none || (cut_ns && event.end_ns() > *cut_ns)) {
      continue;
    }
    std::vector<const Event*>& rows = by_track[static_cast<std::size_t>(kind)][event.track];
    if (rows.empty() || rows.back()->end_ns() <= event.start_ns) {
      rows.push_back(&event);
    }
  }
  Rows most;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (auto& [track, rows] : by_track[kind]) {
      if (rows.size() > most[kind].size()) {
        most[kind] = std::move(rows);
      }
    }
  }
  return most;
}

// After how many rows their signatures repeat. Between two steps of many equal rows (layers) nearly
// every row is like its neighbour: the shortest period that is within half a percent of the best.
// A period needs four steps to be seen. Ours. What repeats shows in the first rows.
std::size_t period_of(std::span<const std::uint64_t> signatures) {
  constexpr std::size_t kLongest = 512, kSteps = 4, kMostRows = 20'000;
  signatures = signatures.first(std::min(signatures.size(), kMostRows));
  constexpr double kLeastMatch = 0.9, kAsGood = 0.005;
  const std::size_t longest = std::min(kLongest, signatures.size() / kSteps);
  std::vector<double> matches;
  matches.reserve(longest);
  for (std::size_t period = 1; period <= longest; ++period) {
    std::size_t equal = 0;
    for (std::size_t i = period; i < signatures.size(); ++i) {
      equal += signatures[i] == signatures[i - period] ? 1 : 0;
    }
    matches.push_back(static_cast<double>(equal) / static_cast<double>(signatures.size() - period));
  }
  const double best = matches.empty() ? 0 : *std::max_element(matches.begin(), matches.end());
  const auto found = std::find_if(
      matches.begin(), matches.end(), [best](double match) { return match >= best - kAsGood; });
  return best < kLeastMatch ? 0 : static_cast<std::size_t>(found - matches.begin()) + 1;
}

using Begins = std::vector<std::int64_t>;

Steps steps_between(const Begins& begins, std::string inferred_from) {
  Steps inferred;
  for (std::size_t i = 1; i < begins.size(); ++i) {
    inferred.steps.push_back(
        {"step " + std::to_string(i), static_cast<std::int64_t>(i), {begins[i - 1], begins[i]}});
  }
  inferred.are_known = true;
  inferred.inferred_from = std::move(inferred_from);
  return inferred;
}

Begins starts_of(const std::vector<const Event*>& rows) {
  Begins begins;
  begins.reserve(rows.size());
  for (const Event* const row : rows) {
    begins.push_back(row->start_ns);
  }
  return begins;
}

// Without the first whole step.
Begins after_the_first(Begins begins) {
  begins.erase(begins.begin(), begins.begin() + (begins.empty() ? 0 : 1));
  return begins;
}

// Batches that no update comes before are of the same step (accumulation) or of an evaluation.
Begins batches_after_updates(const std::vector<const Event*>& loader,
                             const std::vector<const Event*>& optimizer) {
  Begins begins;
  std::size_t updates = 0, counted = 0;
  for (const Event* const row : loader) {
    if (row->track != optimizer.front()->track) {
      return {};
    }
    while (updates < optimizer.size() && optimizer[updates]->end_ns() <= row->start_ns) {
      ++updates;
    }
    if (begins.empty() || updates > counted) {
      begins.push_back(row->start_ns);
      counted = updates;
    }
  }
  return begins;
}

// Two optimizers of one class have the same name; the operators before each differ.
std::vector<std::uint64_t> operators_before(const Timeline& timeline,
                                            const std::vector<const Event*>& rows) {
  std::vector<std::uint64_t> counts(rows.size());
  std::size_t row = 0;
  for (const Event& event : timeline.events) {  // by start
    while (row < rows.size() && rows[row]->start_ns <= event.start_ns) {
      ++row;
    }
    if (row < rows.size() && event.category == Category::cpu_op) {
      ++counts[row];
    }
  }
  return counts;
}

Begins ends_of_updates(const Timeline& timeline, const std::vector<const Event*>& optimizer) {
  const std::size_t period =
      std::max(period_of(operators_before(timeline, optimizer)), std::size_t{1});
  Begins begins;
  for (std::size_t i = period; i <= optimizer.size(); i += period) {
    begins.push_back(optimizer[i - 1]->end_ns());
  }
  return begins;
}

// By launch, what its kernels are: how many, and which is the first.
std::vector<std::uint64_t> replayed_kernels(const Timeline& timeline,
                                            const std::vector<const Event*>& launches) {
  std::unordered_map<std::int64_t, std::size_t> launch_of;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (launches[i]->correlation > 0) {
      launch_of.emplace(launches[i]->correlation, i);
    }
  }
  std::vector<std::uint64_t> signatures(launches.size());
  for (const Event& event : timeline.events) {
    const auto found =
        event.category == Category::kernel ? launch_of.find(event.correlation) : launch_of.end();
    if (found != launch_of.end()) {
      std::uint64_t& signature = signatures[found->second];
      signature = signature == 0 ? (std::uint64_t{event.name} << 32U) + 1 : signature + 1;
    }
  }
  return signatures;
}

// Captured for several sizes of a batch, one graph has other kernels, but as many.
std::size_t period_of_replays(std::vector<std::uint64_t> signatures) {
  if (std::find(signatures.begin(), signatures.end(), 0) != signatures.end()) {
    return 0;  // a launch without a kernel says nothing
  }
  if (const std::size_t period = period_of(signatures); period > 0) {
    return period;
  }
  for (std::uint64_t& signature : signatures) {
    signature &= std::numeric_limits<std::uint32_t>::max();
  }
  return period_of(signatures);
}

// The first launch of a step is the one before which the host pauses longest.
std::size_t first_of_period(const std::vector<const Event*>& launches, std::size_t period) {
  std::vector<std::int64_t> pauses_ns(period);
  for (std::size_t i = 1; i < launches.size(); ++i) {
    pauses_ns[i % period] += launches[i]->start_ns - launches[i - 1]->end_ns();
  }
  return static_cast<std::size_t>(std::max_element(pauses_ns.begin(), pauses_ns.end()) -
                                  pauses_ns.begin());
}

Begins starts_of_replays(const Timeline& timeline, const std::vector<const Event*>& launches) {
  const std::size_t period = period_of_replays(replayed_kernels(timeline, launches));
  Begins begins;
  if (period == 0) {
    return begins;
  }
  for (std::size_t i = first_of_period(launches, period); i < launches.size(); i += period) {
    begins.push_back(launches[i]->start_ns);
  }
  return begins;
}

bool hold_half_of_the_work(const Begins& begins, const Timeline& timeline) {
  std::int64_t begin_ns = std::numeric_limits<std::int64_t>::max(), end_ns = 0;
  for (const Event& event : timeline.events) {
    if (is_device_work(event.category)) {
      begin_ns = std::min(begin_ns, event.start_ns);
      end_ns = std::max(end_ns, event.end_ns());
    }
  }
  return !begins.empty() && 2 * (begins.back() - begins.front()) >= end_ns - begin_ns;
}

}  // namespace

Steps infer_steps(const Timeline& timeline, std::optional<std::int64_t> cut_ns) {
  constexpr std::size_t kLeast = 3;  // begins: two steps
  Rows rows = rows_by_kind(timeline, cut_ns);
  const auto of = [&rows](Kind kind) -> const std::vector<const Event*>& {
    return rows[static_cast<std::size_t>(kind)];
  };
  if (!of(Kind::optimizer).empty()) {
    if (Begins begins =
            after_the_first(batches_after_updates(of(Kind::loader), of(Kind::optimizer)));
        begins.size() >= kLeast) {
      return steps_between(begins, "the batches that follow an Optimizer.step# row");
    }
    const Begins begins = ends_of_updates(timeline, of(Kind::optimizer));
    return begins.size() >= kLeast ? steps_between(begins, "the ends of Optimizer.step# rows")
                                   : Steps{};
  }
  for (const auto& [kind, words] : {std::pair{Kind::server, "the iterations that the server names"},
                                    std::pair{Kind::loader, "the enumerate(DataLoader)# rows"}}) {
    if (Begins begins = after_the_first(starts_of(of(kind))); begins.size() >= kLeast) {
      return steps_between(begins, words);
    }
  }
  if (Begins begins = after_the_first(starts_of_replays(timeline, of(Kind::graph)));
      begins.size() >= kLeast && hold_half_of_the_work(begins, timeline)) {
    return steps_between(begins, "the replays of a CUDA graph");
  }
  return {};
}

}  // namespace tune::profile
