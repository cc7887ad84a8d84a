#include "worker/host_work.h"

#include "base/error.h"
#include "worker/workload/model.h"

#include <ATen/core/grad_mode.h>

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

namespace tune::worker {

namespace {

bool are_class_scores(const at::Tensor& result, const at::Tensor& labels) {
  return labels.defined() && labels.scalar_type() == at::kLong && labels.numel() > 0 &&
         result.dim() == labels.dim() + 1 &&
         result.sizes().slice(0, static_cast<std::size_t>(labels.dim())) == labels.sizes() &&
         labels.max().item<std::int64_t>() < result.size(-1);
}

// For the output of the user's own model: any number that distinguishes two results.
at::Tensor judged(const at::Tensor& result, const at::Tensor& labels) {
  const at::Tensor numbers = result.to(at::kFloat);
  return are_class_scores(numbers, labels) ? loss_of(numbers, labels) : numbers.square().mean();
}

}  // namespace

void LossRecord::keep(std::int64_t step, at::Tensor loss) {
  keep({step, std::move(loss), {}});
}

// The last one is read only while nothing later has overwritten it.
void LossRecord::keep_overwritten(std::int64_t step, const at::Tensor& loss) {
  keep({step, is_listed(step) ? loss.clone() : loss, {}});
}

void LossRecord::keep_scores(std::int64_t step, at::Tensor scores, at::Tensor labels) {
  if (scores.dim() <= 2) {
    keep({step, std::move(scores), std::move(labels)});
  } else if (is_listed(step)) {
    keep({step, judged(scores, labels), {}});
  }
}

void LossRecord::keep(Kept kept) {
  if (is_listed(kept.step)) {
    at_powers_.push_back(kept);
  }
  last_ = std::move(kept);
}

bool LossRecord::is_listed(std::int64_t step) {
  return std::has_single_bit(static_cast<std::uint64_t>(step));
}

double LossRecord::value_of(const Kept& kept) {
  const at::NoGradGuard no_grad;
  const at::Tensor loss =
      kept.labels.defined() ? judged(kept.loss_or_scores, kept.labels) : kept.loss_or_scores;
  return loss.item<double>();
}

double LossRecord::last() const {
  return value_of(last_);
}

std::vector<trial::Loss> LossRecord::all() const {
  std::vector<trial::Loss> losses;
  for (const Kept& kept : at_powers_) {
    losses.push_back({kept.step, value_of(kept)});
  }
  if (last_.step > 0 && (losses.empty() || losses.back().step != last_.step)) {
    losses.push_back({last_.step, value_of(last_)});
  }
  return losses;
}

void HostWork::after_step(std::int64_t step, const Model& model, const LossRecord& losses) const {
  const trial::Workload& workload = spec_.workload;
  if (workload.log_every > 0 && step % workload.log_every == 0) {
    (void)std::fprintf(stderr, "step %" PRId64 " loss %.6f\n", step, losses.last());
  }
  if (workload.checkpoint_every > 0 && step % workload.checkpoint_every == 0) {
    save(model);
  }
}

// Raw numbers one after the other: nobody will load the file, but every byte is copied and written.
// No fsync, because torch.save does none.
void HostWork::save(const Model& model) const {
  const auto path = std::filesystem::path(spec_.folder) / "checkpoint.bin";
  const auto unfinished = std::filesystem::path(spec_.folder) / "checkpoint.bin.tmp";
  {
    std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
    for (const auto& tensors : {model.parameters(), model.buffers()}) {
      for (const at::Tensor& tensor : tensors) {
        const at::Tensor dense =
            tensor.detach().to(at::Device(at::kCPU), tensor.scalar_type()).contiguous();
        file.write(static_cast<const char*>(dense.const_data_ptr()),
                   static_cast<std::streamsize>(dense.nbytes()));
      }
    }
    if (!file.flush()) {
      throw Error({unfinished.string(), "cannot be written", "disk full?", ""});
    }
  }
  std::filesystem::rename(unfinished, path);
}

}  // namespace tune::worker
