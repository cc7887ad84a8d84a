#include "profile/timeline.h"

#include <algorithm>

namespace tune::profile {

namespace {

template <class Row>
const Row* row_of(const std::vector<Row>& table, const Event& event, bool is_its_table) {
  return is_its_table && event.detail < table.size() ? &table[event.detail] : nullptr;
}

template <class Row>
std::size_t held(const std::vector<Row>& table) {
  return table.capacity() * sizeof(Row);
}

}  // namespace

const KernelDetail* Timeline::kernel(const Event& event) const {
  return row_of(kernels, event, event.category == Category::kernel);
}

const CopyDetail* Timeline::copy(const Event& event) const {
  return row_of(
      copies, event, event.category == Category::memcpy || event.category == Category::memset);
}

const OpDetail* Timeline::op(const Event& event) const {
  return row_of(ops,
                event,
                event.category == Category::cpu_op || event.category == Category::user_annotation);
}

const SyncDetail* Timeline::sync(const Event& event) const {
  return row_of(syncs, event, event.category == Category::synchronization);
}

bool Timeline::has(Category category) const {
  return std::any_of(events.begin(), events.end(), [category](const Event& event) {
    return event.category == category;
  });
}

std::size_t Timeline::bytes() const {
  return strings.bytes() + held(events) + held(tracks) + held(kernels) + held(copies) +
         held(syncs) + held(ops) + held(frames) + held(collectives) + held(memory);
}

}  // namespace tune::profile
