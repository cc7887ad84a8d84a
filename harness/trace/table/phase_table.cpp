#include "trace/table/phase_table.h"

#include "trace/intervals.h"
#include "trace/steps.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace tune::table {

namespace {

using profile::kNone;
using profile::Timeline;

constexpr std::array<const char*, kPhases> kTitles = {
    "forward", "backward", "optimizer", "zero_grad", "data loading", "transfer", "outside"};

constexpr std::string_view kAutograd = "autograd::engine::evaluate_function";

std::optional<Phase> marked_phase(std::string_view name) {
  const std::array<std::pair<std::string_view, Phase>, 5> beginnings = {
      {{"Optimizer.step#", Phase::optimizer},
       {"Optimizer.zero_grad#", Phase::zero_grad},
       {"enumerate(DataLoader)#", Phase::data_loading},
       {"enumerate(DataPipe)#", Phase::data_loading},
       {kAutograd, Phase::backward}}};
  for (const auto& [beginning, phase] : beginnings) {
    if (name.starts_with(beginning)) {
      return phase;
    }
  }
  return name == "forward" || name.ends_with("Parallel.forward") ? std::optional(Phase::forward)
         : name == "backward"                                    ? std::optional(Phase::backward)
         : name == "transfer"                                    ? std::optional(Phase::transfer)
                                                                 : std::nullopt;
}

std::vector<std::optional<Phase>> marks_by_name(const Timeline& timeline) {
  std::vector<std::optional<Phase>> marks(timeline.strings.size());
  for (profile::StringId id = 0; id < marks.size(); ++id) {
    marks[id] = marked_phase(timeline.strings.text(id));
  }
  return marks;
}

bool is_backward(const profile::OpDetail* op) {
  return op != nullptr && op->forward_thread > 0;
}

// When autograd first went back through what has the sequence number.
using BackwardBegins = std::unordered_map<std::int64_t, std::int64_t>;

BackwardBegins backward_begins(const Timeline& timeline) {
  BackwardBegins begins;
  for (const profile::Event& event : timeline.events) {  // in order of their begin
    const profile::OpDetail* const op = timeline.op(event);
    if (is_backward(op) && op->sequence_number >= 0) {
      begins.try_emplace(op->sequence_number, event.start_ns);
    }
  }
  return begins;
}

// An operator that records no gradient has the sequence number that the next one which does begins
// with, be it in the next step: with a backward pass or the start of a step between them, it is
// of no forward pass.
class NextPass {
 public:
  NextPass(const Timeline& timeline, const std::vector<std::optional<Phase>>& marks)
      : timeline_(timeline) {
    std::vector<bool> is_border(timeline.strings.size());
    for (profile::StringId id = 0; id < is_border.size(); ++id) {
      is_border[id] =
          marks[id] == Phase::backward || profile::marks_step(timeline.strings.text(id));
    }
    for (const profile::Event& event : timeline.events) {  // in order of their begin
      const profile::OpDetail* const op = timeline.op(event);
      if (is_backward(op) || is_border[event.name]) {
        borders_ns_.push_back(event.start_ns);
      } else if (op != nullptr && op->sequence_number >= 0) {
        last_begin_ns_[key_of(event, *op)] = event.start_ns;
      }
    }
  }

  bool has(const profile::Event& event, const profile::OpDetail& op) const {
    const auto border = std::upper_bound(borders_ns_.begin(), borders_ns_.end(), event.start_ns);
    const auto last = last_begin_ns_.find(key_of(event, op));
    return border != borders_ns_.end() && last != last_begin_ns_.end() && *border < last->second;
  }

 private:
  // Each thread counts by itself.
  std::uint64_t key_of(const profile::Event& event, const profile::OpDetail& op) const {
    return static_cast<std::uint64_t>(op.sequence_number) * timeline_.tracks.size() + event.track;
  }

  const Timeline& timeline_;
  std::vector<std::int64_t> borders_ns_;
  std::unordered_map<std::uint64_t, std::int64_t> last_begin_ns_;  // of operators with the number
};

// Whether autograd went back through the operator. One within the optimizer is of a closure then;
// but an update that records gradients has the number that the next forward pass begins with, and
// its backward comes after the optimizer. `optimizer`: its row around the operator.
bool has_backward(const Timeline& timeline,
                  const BackwardBegins& begins,
                  const NextPass& next_pass,
                  std::uint32_t i,
                  std::uint32_t optimizer) {
  const profile::OpDetail* const op = timeline.op(timeline.events[i]);
  const auto found = op == nullptr ? begins.end() : begins.find(op->sequence_number);
  return found != begins.end() && !next_pass.has(timeline.events[i], *op) &&
         (optimizer == kNone || found->second < timeline.events[optimizer].end_ns());
}

// What brings a tensor to a device: batch.to(device).
bool moves(std::string_view name) {
  return name == "aten::to" || name == "aten::_to_copy" || name == "aten::copy_" ||
         name == "aten::cuda" || name == "aten::pin_memory" || name == "aten::_pin_memory";
}

// By event: the outermost operator that moves around the row, or kNone.
std::vector<std::uint32_t> outermost_moves(const Timeline& timeline, const HostTree& tree) {
  std::vector<bool> is_move(timeline.strings.size());
  for (profile::StringId id = 0; id < is_move.size(); ++id) {
    is_move[id] = moves(timeline.strings.text(id));
  }
  return outermost_that(tree,
                        [&](std::uint32_t row) { return is_move[timeline.events[row].name]; });
}

void find_transfers(const Timeline& timeline,
                    const HostTree& tree,
                    const std::vector<std::uint32_t>& issuing_row,
                    std::vector<Phase>& phases) {
  std::uint32_t first = kNone;
  std::vector<std::uint32_t> moves_around;  // only where a batch is moved
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Event& work = timeline.events[i];
    if (work.category != profile::Category::memcpy || issuing_row[i] == kNone ||
        phases[issuing_row[i]] != Phase::other ||
        timeline.name(work).find("HtoD") == std::string_view::npos) {
      continue;
    }
    if (moves_around.empty()) {
      moves_around = outermost_moves(timeline, tree);
    }
    const std::uint32_t move = moves_around[issuing_row[i]];
    const std::uint32_t row = move == kNone ? issuing_row[i] : move;
    phases[row] = phases[row] == Phase::other ? Phase::transfer : phases[row];
    first = std::min(first, row);
  }
  for (std::uint32_t i = first; i < timeline.events.size(); ++i) {  // parents first
    const bool is_within =
        tree.is_row(i) && tree.parent[i] != kNone && phases[tree.parent[i]] == Phase::transfer;
    phases[i] = is_within && phases[i] == Phase::other ? Phase::transfer : phases[i];
  }
}

struct Sums {
  std::int64_t rows = 0, cpu_ns = 0, wait_ns = 0;
  bool is_marked_by_name = false;
  std::vector<profile::Interval> work;
};

std::array<Sums, kPhases> sum_phases(const TableInput& input) {
  const Timeline& timeline = input.timeline;
  const std::vector<Phase> phases = find_phases(timeline, input.tree, input.issuing_row);
  const auto marks = marks_by_name(timeline);
  std::array<Sums, kPhases> sums;
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Event& event = timeline.events[i];
    if (input.tree.is_row(i)) {
      Sums& sum = sums[static_cast<std::size_t>(phases[i])];
      ++sum.rows;
      sum.cpu_ns += input.tree.self_ns[i];
      sum.wait_ns += input.kind_of(i) == profile::CallKind::blocking ? input.tree.self_ns[i] : 0;
      sum.is_marked_by_name =
          sum.is_marked_by_name ||
          (marks[event.name].has_value() && !timeline.name(event).starts_with(kAutograd));
    } else if (input.issuing_row[i] != kNone) {
      const Phase phase = phases[input.issuing_row[i]];
      sums[static_cast<std::size_t>(phase)].work.push_back({event.start_ns, event.end_ns()});
    }
  }
  return sums;
}

// What told it: names of rows, copies to a device, or autograd.
std::string mark_of(Phase phase, const Sums& sum) {
  return sum.is_marked_by_name ? "name" : phase == Phase::transfer ? "copies" : "autograd";
}

}  // namespace

std::vector<Phase> find_phases(const Timeline& timeline,
                               const HostTree& tree,
                               const std::vector<std::uint32_t>& issuing_row) {
  const auto marks = marks_by_name(timeline);
  const BackwardBegins begins = backward_begins(timeline);
  const NextPass next_pass(timeline, marks);
  std::vector<Phase> phases(timeline.events.size(), Phase::other);
  // By event, of rows of the optimizer: the outermost of those that lie in each other.
  std::vector<std::uint32_t> optimizers(timeline.events.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    if (!tree.is_row(i)) {
      continue;
    }
    const profile::Event& event = timeline.events[i];
    const profile::OpDetail* const op = timeline.op(event);
    const std::uint32_t parent = tree.parent[i];
    const Phase around = parent == kNone ? Phase::other : phases[parent];
    const std::uint32_t optimizer = parent == kNone ? kNone : optimizers[parent];
    // An optimizer may call a closure, in which the loss is computed.
    const bool tells_autograd = around == Phase::other || around == Phase::optimizer;
    if (marks[event.name] && !profile::is_device_call(event.category)) {
      phases[i] = *marks[event.name];
    } else if (tells_autograd && is_backward(op)) {
      phases[i] = Phase::backward;
    } else if (tells_autograd && has_backward(timeline, begins, next_pass, i, optimizer)) {
      phases[i] = Phase::forward;
    } else {
      phases[i] = around;
    }
    if (phases[i] == Phase::optimizer) {
      optimizers[i] = optimizer == kNone ? i : optimizer;
    }
  }
  find_transfers(timeline, tree, issuing_row, phases);
  return phases;
}

Table phase_table(const TableInput& input) {
  Table table{.id = "phases", .title = "Phases"};
  auto sums = sum_phases(input);
  const auto last = sums.end() - 1;
  if (std::all_of(sums.begin(), last, [](const Sums& sum) { return sum.rows == 0; })) {
    table.reason =
        "no row names a phase (forward, Optimizer.step#..., enumerate(DataLoader)#...), and "
        "none is autograd's";
    return table;
  }
  table.columns = {{"phase", "Phase"},
                   {"cpu_time", "CPU time", Quantity::time_ns},
                   {"cpu_ratio", "CPU share", Quantity::ratio, 1},
                   {"gpu_time", "GPU time", Quantity::time_ns},
                   {"host_wait", "Host wait", Quantity::time_ns},
                   {"marked_by", "Marked by"}};
  std::int64_t all_ns = 0;
  for (const Sums& sum : sums) {
    all_ns += sum.cpu_ns;
  }
  const bool has_devices = input.partition.has_device_rows;
  table.rows.reserve(kPhases);
  for (std::size_t i = 0; i < kPhases; ++i) {
    Sums& sum = sums[i];
    if (sum.rows == 0) {
      continue;
    }
    const std::int64_t work_ns = length_ns(profile::unite(std::move(sum.work)));
    const bool is_outside = i + 1 == kPhases;
    table.rows.push_back(
        {std::string(kTitles[i]),
         sum.cpu_ns,
         all_ns == 0 ? Cell() : Cell(static_cast<double>(sum.cpu_ns) / static_cast<double>(all_ns)),
         has_devices ? Cell(work_ns) : Cell(),
         has_devices ? Cell(sum.wait_ns) : Cell(),
         is_outside ? Cell() : Cell(mark_of(static_cast<Phase>(i), sum))});
  }
  if (!has_devices) {
    table.notes.emplace_back(
        "GPU time and host wait are not known: the trace has no row of a device");
  }
  return table;
}

}  // namespace tune::table
