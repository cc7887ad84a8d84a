#include "worker/host_work.h"

#include "base/error.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tune::worker {

void HostWork::after_step(std::int64_t step, const Model& model, const LossRecord& losses) const {
  const trial::Workload& workload = spec_.workload;
  if (workload.log_every > 0 && step % workload.log_every == 0) {
    (void)std::fprintf(stderr, "step %" PRId64 " loss %.6f\n", step, losses.last());
  }
  if (workload.checkpoint_every > 0 && step % workload.checkpoint_every == 0) {
    save(model);
  }
}

// As raw numbers one after the other: nobody will load it, yet every byte is copied and written.
// No fsync, for torch.save does none.
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
