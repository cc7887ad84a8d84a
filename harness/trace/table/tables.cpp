#include "trace/table/tables.h"

#include "base/assert.h"
#include "trace/table/copy_table.h"
#include "trace/table/critical_path_tables.h"
#include "trace/table/kernel_table.h"
#include "trace/table/memory_tables.h"
#include "trace/table/operator_table.h"
#include "trace/table/phase_table.h"
#include "trace/table/step_table.h"

#include <algorithm>
#include <functional>

namespace tune::table {

namespace {

struct Entry {
  std::string name;
  std::function<Table(const TableInput&, const GroupBy&)> make;
};

std::function<Table(const TableInput&, const GroupBy&)> ungrouped(
    Table (*make)(const TableInput&)) {
  return [make](const TableInput& input, const GroupBy&) { return make(input); };
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> kEntries = {
      {"steps", ungrouped(step_table)},
      {"phases", ungrouped(phase_table)},
      {"critical-path", ungrouped(critical_path_table)},
      {"critical-rows", ungrouped(critical_row_table)},
      {"operators", operator_table},
      {"kernels", ungrouped(kernel_table)},
      {"copies", ungrouped(copy_table)},
      {"memory", ungrouped(memory_table)},
      {"memory-timeline",
       [](const TableInput& input, const GroupBy&) { return memory_timeline_table(input); }},
      {"allocations", ungrouped(allocation_table)},
  };
  return kEntries;
}

std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const Entry& entry : entries) {
    names.push_back(entry.name);
  }
  return names;
}

}  // namespace

const std::vector<std::string>& table_names() {
  static const std::vector<std::string> kTableNames = names_of(entries());
  return kTableNames;
}

Table make_table(const TableInput& input, const std::string& name, const GroupBy& by) {
  const auto& known = entries();
  const auto found = std::find_if(
      known.begin(), known.end(), [&name](const Entry& entry) { return entry.name == name; });
  TUNE_ASSERT(found != known.end());
  return found->make(input, by);
}

std::vector<Table> all_tables(const TableInput& input) {
  std::vector<Table> tables;
  tables.reserve(entries().size());
  for (const Entry& entry : entries()) {
    tables.push_back(entry.make(input, {}));
  }
  return tables;
}

}  // namespace tune::table
