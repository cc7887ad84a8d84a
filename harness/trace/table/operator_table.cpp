#include "trace/table/operator_table.h"

#include "base/whole_number.h"
#include "trace/steps.h"
#include "trace/table/cell_text.h"
#include "trace/table/flop_count.h"
#include "trace/table/table_input.h"
#include "trace/timeline.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tune::table {

namespace {

// Bytes allocated less bytes freed, of the host and of devices.
struct MemoryUse {
  std::int64_t cpu_bytes = 0, device_bytes = 0;

  void add(const MemoryUse& more) {
    cpu_bytes = saturated_sum(cpu_bytes, more.cpu_bytes);
    device_bytes = saturated_sum(device_bytes, more.device_bytes);
  }
};

// Device work and memory of the rows of the host. Vectors are by event.
struct RowContents {
  // Work that was launched in the row: outside any operator within it, and anywhere in it.
  std::vector<std::int64_t> self_device_ns, device_ns;
  std::vector<MemoryUse> self_memory, memory;
  MemoryUse outside;  // of [memory] rows in no row of the host
  std::int64_t outside_rows = 0;
  std::int64_t all_device_ns = 0;  // of all work, linked or not
  std::int64_t unlinked_ns = 0, unlinked_rows = 0;
  bool has_device_rows = false, has_device_memory = false;
};

using profile::kNone;

// c10::DeviceType: CPU, MKLDNN and IDEEP are memory of the host.
bool is_host_memory(std::int32_t device_type) {
  return device_type == 0 || device_type == 2 || device_type == 5;
}

void add_memory(const TableInput& input, RowContents& contents) {
  const profile::Timeline& timeline = input.timeline;
  contents.self_memory.resize(timeline.events.size());
  for (std::size_t i = 0; i < timeline.memory.size(); ++i) {
    const profile::MemoryEvent& memory = timeline.memory[i];
    const bool is_host = is_host_memory(memory.device_type);
    const MemoryUse bytes{is_host ? memory.bytes : 0,
                          !is_host && memory.device_type > 0 ? memory.bytes : 0};
    contents.has_device_memory = contents.has_device_memory || bytes.device_bytes != 0;
    if (input.tree.memory_row[i] == kNone) {
      contents.outside.add(bytes);
      ++contents.outside_rows;
    } else {
      contents.self_memory[input.tree.memory_row[i]].add(bytes);
    }
  }
}

void add_device_work(const TableInput& input, RowContents& contents) {
  const profile::Timeline& timeline = input.timeline;
  contents.self_device_ns.resize(timeline.events.size());
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Event& work = timeline.events[i];
    if (!profile::is_device_work(work.category)) {
      continue;
    }
    contents.has_device_rows = true;
    contents.all_device_ns += work.duration_ns;
    const std::uint32_t row = issuing_operator(input, i);
    if (row == kNone) {
      contents.unlinked_ns += work.duration_ns;
      ++contents.unlinked_rows;
    } else {
      contents.self_device_ns[row] += work.duration_ns;
    }
  }
}

RowContents contents_of_rows(const TableInput& input) {
  const HostTree& tree = input.tree;
  RowContents contents;
  add_memory(input, contents);
  add_device_work(input, contents);
  contents.device_ns = contents.self_device_ns;
  contents.memory = contents.self_memory;
  for (std::size_t i = input.timeline.events.size(); i-- > 0;) {  // parents precede their children
    if (tree.row[i] == i && tree.parent[i] != kNone) {
      contents.device_ns[tree.parent[i]] += contents.device_ns[i];
      contents.memory[tree.parent[i]].add(contents.memory[i]);
    }
  }
  return contents;
}

using profile::Category;
using profile::Timeline;

// Sums over the rows of a group.
struct Totals {
  std::int64_t count = 0;
  std::int64_t self_cpu_ns = 0, cpu_ns = 0, self_device_ns = 0, device_ns = 0;
  MemoryUse self_memory, memory;
  std::int64_t flops = 0;
  bool has_flops = false;
};

// Inputs repeat from step to step: each combination is counted once.
class FlopCounter {
 public:
  explicit FlopCounter(const Timeline& timeline)
      : timeline_(timeline), has_formula_(timeline.strings.size()) {
    for (profile::StringId id = 0; id < has_formula_.size(); ++id) {
      has_formula_[id] = has_flop_formula(timeline.strings.text(id));
    }
  }

  std::optional<std::int64_t> of(const profile::Event& event) {
    const profile::OpDetail* const op = has_formula_[event.name] ? timeline_.op(event) : nullptr;
    if (op == nullptr || op->input_dims == 0) {
      return std::nullopt;
    }
    const auto texts = static_cast<std::uint64_t>(has_formula_.size());
    const std::uint64_t inputs = std::uint64_t{op->input_dims} * texts + op->concrete_inputs;
    const auto [entry, is_new] = known_[event.name].try_emplace(inputs);
    if (is_new) {
      entry->second = flop_count(timeline_.name(event),
                                 timeline_.strings.text(op->input_dims),
                                 timeline_.strings.text(op->concrete_inputs));
    }
    return entry->second;
  }

 private:
  using ByInputs = std::unordered_map<std::uint64_t, std::optional<std::int64_t>>;

  const Timeline& timeline_;
  std::vector<bool> has_formula_;
  std::unordered_map<profile::StringId, ByInputs> known_;
};

std::vector<Totals> sum_groups(const TableInput& input,
                               const OperatorGroups& groups,
                               const RowContents& contents) {
  std::vector<Totals> totals(groups.groups.size());
  const Timeline& timeline = input.timeline;
  const HostTree& tree = input.tree;
  FlopCounter flops(timeline);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    if (!tree.is_row(i)) {
      continue;
    }
    Totals& sum = totals[groups.group_of[i]];
    ++sum.count;
    sum.self_cpu_ns += tree.self_ns[i];
    sum.cpu_ns += timeline.events[i].duration_ns;
    sum.self_device_ns += contents.self_device_ns[i];
    sum.device_ns += contents.device_ns[i];
    sum.self_memory.add(contents.self_memory[i]);
    sum.memory.add(contents.memory[i]);
    const auto operations = flops.of(timeline.events[i]);
    sum.flops = saturated_sum(sum.flops, operations.value_or(0));
    sum.has_flops = sum.has_flops || operations.has_value();
  }
  return totals;
}

// Which columns there are.
struct Shown {
  bool device = false, memory = false, device_memory = false, flops = false;
  std::string word = "Device";  // of the trace's devices
  GroupBy::Kind by = GroupBy::Kind::name;
};

void add_columns(Table& table, const Shown& shown) {
  const auto add = [&table](Column column) { table.columns.push_back(std::move(column)); };
  table.columns.reserve(20);
  add({"name", "Name"});
  add({"self_cpu_ratio", "Self CPU %", Quantity::ratio, 4});
  add({"self_cpu_time_total", "Self CPU", Quantity::time_ns});
  add({"cpu_ratio", "CPU total %", Quantity::ratio, 7});
  add({"cpu_time_total", "CPU total", Quantity::time_ns, 1});
  add({"cpu_time", "CPU time avg", Quantity::time_ns, 6});
  if (shown.device) {
    add({"self_device_time_total", "Self " + shown.word, Quantity::time_ns});
    add({"self_device_ratio", "Self " + shown.word + " %", Quantity::ratio, 3});
    add({"device_time_total", shown.word + " total", Quantity::time_ns, 1});
    add({"device_time", shown.word + " time avg", Quantity::time_ns, 8});
  }
  if (shown.memory) {
    add({"cpu_memory_usage", "CPU Mem", Quantity::bytes, 9});
    add({"self_cpu_memory_usage", "Self CPU Mem", Quantity::bytes, 5});
  }
  if (shown.device_memory) {
    add({"device_memory_usage", shown.word + " Mem", Quantity::bytes, 9});
    add({"self_device_memory_usage", "Self " + shown.word + " Mem", Quantity::bytes, 2});
  }
  add({"count", "# of Calls", Quantity::count});
  if (shown.flops) {
    add({"flops", "Total FLOPs", Quantity::count, 5});
  }
  switch (shown.by) {
    case GroupBy::Kind::shape:
      return add({"input_shapes", "Input Shapes"});
    case GroupBy::Kind::stack:
      return add({"stack", "Source Location"});
    case GroupBy::Kind::module:
      return add({"module", "Module Hierarchy"});
    case GroupBy::Kind::name:
      return;
  }
}

// The sums of the whole table.
struct Sums {
  std::int64_t self_cpu_ns = 0, device_ns = 0;
};

Row row_of(const std::string& name, const Totals& sum, const Sums& sums, const Shown& shown) {
  Row row = {name,
             share(sum.self_cpu_ns, sums.self_cpu_ns),
             sum.self_cpu_ns,
             share(sum.cpu_ns, sums.self_cpu_ns),
             sum.cpu_ns,
             sum.cpu_ns / sum.count};
  if (shown.device) {
    row.insert(row.end(),
               {Cell(sum.self_device_ns),
                share(sum.self_device_ns, sums.device_ns),
                Cell(sum.device_ns),
                Cell(sum.device_ns / sum.count)});
  }
  if (shown.memory) {
    row.insert(row.end(), {Cell(sum.memory.cpu_bytes), Cell(sum.self_memory.cpu_bytes)});
  }
  if (shown.device_memory) {
    row.insert(row.end(), {Cell(sum.memory.device_bytes), Cell(sum.self_memory.device_bytes)});
  }
  row.emplace_back(sum.count);
  if (shown.flops) {
    row.emplace_back();
    if (sum.has_flops) {
      row.back() = sum.flops;
    }
  }
  return row;
}

void add_notes(Table& table, const RowContents& contents, const Sums& sums, const Shown& shown) {
  table.notes.push_back("Self CPU time total: " + time_text(sums.self_cpu_ns));
  if (shown.device) {
    table.notes.push_back("Self " + shown.word + " time total: " + time_text(sums.device_ns));
  } else {
    table.notes.emplace_back("no columns of devices: the trace has no row of one");
  }
  if (contents.unlinked_rows > 0) {
    table.notes.push_back(
        "of it launched by no operator of the trace: " + time_text(contents.unlinked_ns) + " in " +
        std::to_string(contents.unlinked_rows) + " rows");
  }
  if (!shown.memory) {
    table.notes.emplace_back(
        "no memory columns: no allocation was recorded (profile_memory=True records them)");
  }
  if (!shown.flops) {
    table.notes.emplace_back(
        "no FLOPs: no operator with a formula has input shapes (record_shapes=True records them)");
  }
}

}  // namespace

Table operator_table(const TableInput& input, const GroupBy& by) {
  Table table{.id = "operators", .title = "Operators"};
  const Timeline& timeline = input.timeline;
  if (!timeline.has(Category::cpu_op) && !timeline.has(Category::user_annotation)) {
    table.reason = "the trace has no operator row (ProfilerActivity.CPU records them)";
    return table;
  }
  const OperatorGroups groups = group_operators(timeline, input.tree, by);
  table.reason = groups.reason;
  if (!table.is_applicable()) {
    return table;
  }
  const RowContents contents = contents_of_rows(input);
  const std::vector<Totals> totals = sum_groups(input, groups, contents);
  Sums sums{.device_ns = contents.all_device_ns};
  Shown shown{.device = contents.has_device_rows,
              .memory = !timeline.memory.empty(),
              .device_memory = contents.has_device_memory,
              .word = device_word(timeline),
              .by = by.kind};
  for (const Totals& sum : totals) {
    sums.self_cpu_ns += sum.self_cpu_ns;
    shown.flops = shown.flops || sum.has_flops;
  }
  add_columns(table, shown);
  const bool has_detail = by.kind != GroupBy::Kind::name;
  table.rows.reserve(totals.size() + 1);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const std::string_view name = timeline.strings.text(groups.groups[i].name);
    table.rows.push_back(
        row_of(std::string(profile::marks_step(name) ? kStepRow : name), totals[i], sums, shown));
    if (has_detail) {
      table.rows.back().emplace_back(groups.groups[i].detail);
    }
  }
  if (contents.outside_rows > 0) {  // as PyTorch calls them
    const Totals outside{.count = contents.outside_rows,
                         .self_memory = contents.outside,
                         .memory = contents.outside};
    table.rows.push_back(row_of("[memory]", outside, sums, shown));
    table.rows.back().resize(table.columns.size());
  }
  sort_rows(table, "self_cpu_time_total");
  add_notes(table, contents, sums, shown);
  return table;
}

Table without_steps(Table table) {
  std::erase_if(table.rows,
                [](const Row& row) { return row.front() == Cell(std::string(kStepRow)); });
  return table;
}

}  // namespace tune::table
