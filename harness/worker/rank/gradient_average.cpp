#include "worker/rank/gradient_average.h"

#include "base/clock.h"
#include "worker/rank/gloo_backend.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

using GroupPointer = c10::intrusive_ptr<c10d::ProcessGroup>;

constexpr std::size_t kBufferBytes = 250 << 20;  // as DistributedDataParallel sends buffers

GroupPointer connect(const trial::TrialSpec& spec, CudaPlugin* gpu) {
  const auto folder = std::filesystem::path(spec.folder);
  const auto store_file = (spec.rank == 0 ? folder : folder.parent_path()) / "ranks-store";
  const auto rank = static_cast<int>(spec.rank);
  const auto size = static_cast<int>(trial::rank_count(spec));
  const auto store = c10::make_intrusive<c10d::FileStore>(store_file.string(), size);
  auto group = c10::make_intrusive<c10d::ProcessGroup>(store, rank, size);
  if (gpu != nullptr) {
    if (const std::string problem = gpu->connect(*group); !problem.empty()) {
      throw std::invalid_argument("knobs.devices: " + problem);
    }
    return group;
  }
  group->setBackend(
      c10::DeviceType::CPU, c10d::ProcessGroup::GLOO, connect_gloo(store, rank, size));
  group->setDefaultBackend(c10d::ProcessGroup::GLOO);
  return group;
}

// The buckets as DistributedDataParallel first makes them: the last layers, whose gradients come
// first, in the first one.
std::vector<std::vector<std::size_t>> first_buckets(const std::vector<at::Tensor>& parameters) {
  auto [buckets, limits] = c10d::compute_bucket_assignment_by_size(
      parameters,
      {c10d::kDefaultFirstBucketBytes, c10d::kDefaultBucketBytesCap},
      std::vector<bool>(parameters.size(), false));
  std::reverse(buckets.begin(), buckets.end());
  return buckets;
}

// From LibTorch 2.11 on it also takes a list of limits, empty by default.
template <class Reducer, class... Arguments>
std::unique_ptr<Reducer> reducer_of(Arguments... arguments) {
  using Limits = std::vector<std::int64_t>;
  if constexpr (std::is_constructible_v<Reducer, Arguments..., Limits>) {
    return std::make_unique<Reducer>(std::move(arguments)..., Limits());
  } else {
    return std::make_unique<Reducer>(std::move(arguments)...);
  }
}

}  // namespace

class GradientAverage::Group {
 public:
  Group(const trial::TrialSpec& spec, OwnRank& rank, const Model& model, CudaPlugin* gpu)
      : rank_(rank), buffers_(model.buffers()) {
    wait([&] { group_ = connect(spec, gpu); });
    std::vector<at::Tensor> all = model.parameters();
    all.insert(all.end(), buffers_.begin(), buffers_.end());
    wait([&] { send(all); });
    make_reducer(model.parameters());
  }

  void share_buffers() {
    const std::int64_t start_ns = monotonic_ns();
    wait([this] {
      reducer_->rebuild_buckets();  // once, in the order in which gradients came
      if (!buffers_.empty()) {
        send(buffers_);
      }
    });
    if (timer_ != nullptr) {
      timer_->end_phase(DevicePhase::communication);
    }
    exposed_.forward_ns += monotonic_ns() - start_ns;
  }

  void expect_gradients() { reducer_->prepare_for_backward({}); }

  void end_backward() {
    if (!own_are_ready_ns_) {
      return;
    }
    if (timer_ != nullptr) {
      timer_->end_phase(DevicePhase::communication);
    }
    exposed_.backward_ns += monotonic_ns() - *own_are_ready_ns_;
    own_are_ready_ns_.reset();
    rank_.page().wait_for_others(rank_.number(), false);
  }

  void set_timer(DeviceTimer* timer) { timer_ = timer; }
  ExposedCommunication take_exposed() { return std::exchange(exposed_, {}); }

 private:
  // The default of the Reducer, which sends each bucket as soon as it is complete; says when the
  // last one is on its way. A hook divides the bucket itself, which takes one more pass over it.
  class Hook final : public c10d::CommHookInterface {
   public:
    explicit Hook(Group& group) : group_(group) {}

    c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
      std::vector<at::Tensor> gradients = {bucket.getBufferRef()};
      gradients.front().div_(group_.group_->getSize());
      auto sum = group_.group_->allreduce(gradients)->getFuture();
      if (bucket.isLast()) {
        group_.own_are_ready();
      }
      return sum;
    }

    at::Tensor parseHookResult(const c10::IValue& result) override {
      return c10d::detail::parseCppCommHookResult(result);
    }

   private:
    Group& group_;
  };

  template <class Work>
  void wait(Work work) {
    rank_.page().wait_for_others(rank_.number(), true);
    work();
    rank_.page().wait_for_others(rank_.number(), false);
  }

  void send(const std::vector<at::Tensor>& tensors) {
    const at::NoGradGuard no_grad;
    c10d::broadcast_coalesced(group_, tensors, kBufferBytes, 0);
  }

  void make_reducer(const std::vector<at::Tensor>& parameters) {
    reducer_ = reducer_of<c10d::Reducer>(parameters,
                                         first_buckets(parameters),
                                         group_,
                                         std::vector<bool>(parameters.size(), false),
                                         std::int64_t{c10d::kDefaultBucketBytesCap},
                                         /*find_unused_parameters=*/false,
                                         /*gradient_as_bucket_view=*/false,
                                         std::unordered_map<std::size_t, std::string>(),
                                         std::int64_t{c10d::kDefaultFirstBucketBytes},
                                         /*skip_all_reduce_unused_params=*/false,
                                         /*use_python_reducer=*/false);
    reducer_->register_comm_hook(std::make_unique<Hook>(*this));
  }

  // On a GPU in a thread of autograd, while the training thread waits for it.
  void own_are_ready() {
    if (timer_ != nullptr) {
      timer_->end_phase(DevicePhase::backward);
    }
    own_are_ready_ns_ = monotonic_ns();
    rank_.page().wait_for_others(rank_.number(), true);
  }

  OwnRank& rank_;
  const std::vector<at::Tensor> buffers_;
  GroupPointer group_;
  std::unique_ptr<c10d::Reducer> reducer_;
  DeviceTimer* timer_ = nullptr;
  ExposedCommunication exposed_;
  std::optional<std::int64_t> own_are_ready_ns_;
};

GradientAverage::GradientAverage(const trial::TrialSpec& spec,
                                 OwnRank& rank,
                                 const Model& model,
                                 CudaPlugin* gpu)
    : group_(std::make_unique<Group>(spec, rank, model, gpu)) {}

GradientAverage::~GradientAverage() = default;

void GradientAverage::share_buffers() {
  group_->share_buffers();
}
void GradientAverage::expect_gradients() {
  group_->expect_gradients();
}
void GradientAverage::end_backward() {
  group_->end_backward();
}
void GradientAverage::set_timer(DeviceTimer* timer) {
  group_->set_timer(timer);
}
ExposedCommunication GradientAverage::take_exposed() {
  return group_->take_exposed();
}

}  // namespace tune::worker
