#include "table/row_contents.h"

namespace tune::table {

namespace {

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

}  // namespace

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

}  // namespace tune::table
