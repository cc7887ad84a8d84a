#include "profile/reader/row.h"

#include <algorithm>
#include <vector>

namespace tune::profile {

namespace {

struct ArgumentKey {
  std::string_view key;
  Argument argument = Argument::count;
};

// Kineto's output_json.cpp and c10d's ParamCommsUtils; what stands in lower case is of 2021 or
// ROCm.
constexpr ArgumentKey kArgumentKeys[] = {
    {"name", Argument::name},
    {"labels", Argument::labels},
    {"External id", Argument::external_id},
    {"external id", Argument::external_id},
    {"External Id", Argument::external_id},
    {"correlation", Argument::correlation},
    {"device", Argument::device},
    {"stream", Argument::stream},
    {"grid", Argument::grid},
    {"block", Argument::block},
    {"blocks per SM", Argument::blocks_per_sm},
    {"warps per SM", Argument::warps_per_sm},
    {"est. achieved occupancy %", Argument::occupancy},
    {"registers per thread", Argument::registers},
    {"shared memory", Argument::shared_memory},
    {"graph node id", Argument::graph_node},
    {"bytes", Argument::bytes},
    {"wait_on_stream", Argument::wait_on_stream},
    {"wait_on_cuda_event_record_corr_id", Argument::wait_on_record_correlation},
    {"wait_on_cuda_event_id", Argument::wait_on_event},
    {"Input Dims", Argument::input_dims},
    {"Input dims", Argument::input_dims},
    {"Input type", Argument::input_types},
    {"Input Strides", Argument::input_strides},
    {"Concrete Inputs", Argument::concrete_inputs},
    {"Sequence number", Argument::sequence_number},
    {"Fwd thread id", Argument::forward_thread},
    {"Module Hierarchy", Argument::module_hierarchy},
    {"Call stack", Argument::call_stack},
    {"Python id", Argument::python_id},
    {"Python parent id", Argument::python_parent},
    {"Python module id", Argument::python_module},
    {"Device Type", Argument::device_type},
    {"Device Id", Argument::device_id},
    {"Addr", Argument::address},
    {"Bytes", Argument::memory_bytes},
    {"Total Allocated", Argument::total_allocated},
    {"Total Reserved", Argument::total_reserved},
    {"Collective name", Argument::collective_name},
    {"dtype", Argument::dtype},
    {"In msg nelems", Argument::elements_in},
    {"Out msg nelems", Argument::elements_out},
    {"Group size", Argument::group_size},
    {"Process Group Name", Argument::group_name},
    {"Process Group Description", Argument::group_description},
    {"Process Group Ranks", Argument::group_ranks},
    {"Src Rank", Argument::source_rank},
    {"Dst Rank", Argument::target_rank},
    {"Seq", Argument::sequence},
};

// Ordered by length, so that a key is compared with few of its length only.
class ArgumentIndex {
 public:
  ArgumentIndex() {
    for (const ArgumentKey& entry : kArgumentKeys) {
      by_length_.resize(std::max(by_length_.size(), entry.key.size() + 1));
      by_length_[entry.key.size()].push_back(entry);
    }
  }

  Argument find(std::string_view key) const {
    if (key.size() < by_length_.size()) {
      for (const ArgumentKey& entry : by_length_[key.size()]) {
        if (entry.key == key) {
          return entry.argument;
        }
      }
    }
    return Argument::count;
  }

 private:
  std::vector<std::vector<ArgumentKey>> by_length_;
};

}  // namespace

Argument argument_of(std::string_view key) {
  static const ArgumentIndex index;
  return index.find(key);
}

Member member_of(std::string_view key) {
  switch (key.size()) {  // one comparison at most for the keys of a row
    case 2:
      return key == "ph" ? Member::phase : key == "ts" ? Member::start : Member::none;
    case 3:
      return key == "cat"   ? Member::category
             : key == "pid" ? Member::process
             : key == "tid" ? Member::thread
             : key == "dur" ? Member::duration
                            : Member::none;
    case 4:
      return key == "name" ? Member::name : key == "args" ? Member::args : Member::none;
    default:
      return Member::none;
  }
}

}  // namespace tune::profile
