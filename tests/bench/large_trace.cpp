#include "large_trace.h"

#include "base/error.h"
#include "step_text.h"
#include "transformer_kernels.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace tune::bench {

namespace {

constexpr int kLayers = 24;
constexpr int kMainThread = 412, kBackwardThread = 413;

// All steps, one after the other; rows outside the wanted part are made and dropped.
class TraceRows {
 public:
  enum class Part { host, device };

  explicit TraceRows(Part part) : part_(part) {}

  std::string next_step() {
    const Ns begin_ns = now_ns_;
    load_batch();
    for (layer_ = 0; layer_ < kLayers; ++layer_) {
      forward();
    }
    for (layer_ = kLayers; layer_-- > 0;) {
      backward();
    }
    update();
    read_loss();
    annotation(("ProfilerStep#" + std::to_string(step_)).c_str(), begin_ns);
    ++step_;
    now_ns_ += 5 * kUs;
    return text_.take();
  }

  Ns now_ns() const { return now_ns_; }

 private:
  bool is_host() const { return part_ == Part::host; }

  // splitmix64
  Ns below(Ns limit) {
    bits_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = (bits_ ^ (bits_ >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return static_cast<Ns>((mixed ^ (mixed >> 31)) % static_cast<std::uint64_t>(limit));
  }

  void annotation(const char* name, Ns begin_ns) {
    ++event_;
    if (is_host()) {
      text_.add(
          begin_ns,
          R"j({"ph": "X", "cat": "user_annotation", "name": "%s", "pid": 412, "tid": 412, "ts": %s, "dur": %s, "args": {"External id": %d, "Record function id": 0, "Ev Idx": %d}})j",
          name,
          Us(begin_ns)(),
          Us(now_ns_ - begin_ns)(),
          event_,
          event_);
    }
  }

  // An operator that began at `begin_ns` and ends now.
  void operation(const char* name, Ns begin_ns, int sequence, bool is_backward = false) {
    ++event_;
    now_ns_ += 500 + below(1500);
    if (is_host()) {
      text_.add(
          begin_ns,
          R"j({"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 412, "tid": %d, "ts": %s, "dur": %s, "args": {"External id": %d, "Record function id": 0, "Sequence number": %d, "Fwd thread id": %d, "Concrete Inputs": ["", "", ""], "Input type": ["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"], "Input Strides": [[1], [%d, 1], [1, 1024]], "Input Dims": [[4096], [8192, %d], [%d, 4096]], "Ev Idx": %d}})j",
          name,
          thread_,
          Us(begin_ns)(),
          Us(now_ns_ - begin_ns)(),
          event_,
          sequence,
          is_backward ? 1 : 0,
          1024 + 128 * layer_,
          1024 + 128 * layer_,
          1024 + 128 * layer_,
          event_);
    }
  }

  void python(const char* name, Ns begin_ns) {
    ++frame_;
    if (is_host()) {
      text_.add(
          begin_ns,
          R"j({"ph": "X", "cat": "python_function", "name": "%s", "pid": 412, "tid": 412, "ts": %s, "dur": %s, "args": {"Python id": %d, "Python parent id": %d, "Ev Idx": %d}})j",
          name,
          Us(begin_ns)(),
          Us(now_ns_ - begin_ns)(),
          frame_,
          frame_ / 3,
          event_);
    }
  }

  void memory(Ns bytes) {
    allocated_ += bytes;
    if (is_host()) {
      text_.add(
          now_ns_,
          R"j({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 412, "tid": %d, "ts": %s, "args": {"Total Reserved": 68719476736, "Total Allocated": %lld, "Bytes": %lld, "Addr": %lld, "Device Id": 0, "Device Type": 1, "Ev Idx": %d}})j",
          thread_,
          Us(now_ns_)(),
          static_cast<long long>(allocated_),
          static_cast<long long>(bytes),
          static_cast<long long>(140'000'000'000'000 + below(1 << 30) * 512),
          event_);
    }
  }

  struct Call {
    Ns begin_ns = 0, end_ns = 0;
  };

  Call call(const char* name, int callback, Ns length_ns) {
    ++correlation_;
    const Call made{now_ns_ + kUs, now_ns_ + kUs + length_ns};
    now_ns_ = made.end_ns + kUs;
    if (!is_host()) {
      text_.add(
          made.begin_ns,
          R"j({"ph": "X", "cat": "cuda_runtime", "name": "%s", "pid": 412, "tid": %d, "ts": %s, "dur": %s, "args": {"External id": %d, "cbid": %d, "correlation": %d}})j",
          name,
          thread_,
          Us(made.begin_ns)(),
          Us(length_ns)(),
          event_ + 1,
          callback,
          correlation_);
    }
    return made;
  }

  // From a call to its work.
  void arrows(Ns from_ns, Ns to_ns, int stream) {
    text_.add(
        from_ns,
        R"j({"ph": "s", "id": %d, "pid": 412, "tid": %d, "ts": %s, "cat": "ac2g", "name": "ac2g"})j",
        correlation_,
        thread_,
        Us(from_ns)());
    text_.add(
        to_ns,
        R"j({"ph": "f", "id": %d, "pid": 0, "tid": %d, "ts": %s, "cat": "ac2g", "name": "ac2g", "bp": "e"})j",
        correlation_,
        stream,
        Us(to_ns)());
  }

  // The time when work issued now begins on the stream.
  Ns enqueue(const Call& made, Ns length_ns, Ns& free_ns) {
    const Ns begin_ns = std::max(made.end_ns + 3 * kUs, free_ns + kUs);
    free_ns = begin_ns + length_ns;
    return begin_ns;
  }

  void launch(const Kernel& kernel) {
    const Call made = call("cudaLaunchKernel", 211, 3 * kUs + below(3 * kUs));
    const Ns length_ns = kernel.mean_ns / 2 + below(kernel.mean_ns);
    const Ns begin_ns = enqueue(made, length_ns, compute_free_ns_);
    if (is_host()) {
      return;
    }
    text_.add(
        begin_ns,
        R"j({"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 7, "ts": %s, "dur": %s, "args": {"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": %d, "registers per thread": 32, "shared memory": 49152, "blocks per SM": %.2f, "warps per SM": %.2f, "grid": [%d, 1, 1], "block": [256, 1, 1], "est. achieved occupancy %%": 46}})j",
        kernel.name,
        Us(begin_ns)(),
        Us(length_ns)(),
        event_ + 1,
        correlation_,
        kernel.blocks / 132.0,
        kernel.blocks / 132.0 * 8,
        kernel.blocks);
    arrows(made.begin_ns, begin_ns, 7);
  }

  void copy(const char* name, Ns bytes, Ns length_ns) {
    const Call made = call("cudaMemcpyAsync", 41, 10 * kUs + below(10 * kUs));
    const Ns begin_ns = enqueue(made, length_ns, compute_free_ns_);
    if (is_host()) {
      return;
    }
    text_.add(
        begin_ns,
        R"j({"ph": "X", "cat": "gpu_memcpy", "name": "%s", "pid": 0, "tid": 7, "ts": %s, "dur": %s, "args": {"External id": %d, "device": 0, "context": 1, "stream": 7, "correlation": %d, "bytes": %lld, "memory bandwidth (GB/s)": %.3f}})j",
        name,
        Us(begin_ns)(),
        Us(length_ns)(),
        event_ + 1,
        correlation_,
        static_cast<long long>(bytes),
        static_cast<double>(bytes) / static_cast<double>(length_ns));
    arrows(made.begin_ns, begin_ns, 7);
  }

  void all_reduce() {
    const Ns begin_ns = now_ns_;
    const Call made = call("cudaLaunchKernelExC", 430, 6 * kUs);
    const Ns length_ns = 200 * kUs + below(100 * kUs);
    const Ns start_ns = enqueue(made, length_ns, communication_free_ns_);
    if (!is_host()) {
      text_.add(
          start_ns,
          R"j({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "pid": 0, "tid": 20, "ts": %s, "dur": %s, "args": {"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": 20, "correlation": %d, "registers per thread": 96, "shared memory": 92344, "blocks per SM": 0.18, "warps per SM": 3.03, "grid": [24, 1, 1], "block": [544, 1, 1], "est. achieved occupancy %%": 0, "Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 16777216, "Out msg nelems": 16777216, "Group size": 8, "In split size": "[]", "Out split size": "[]", "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]"}})j",
          Us(start_ns)(),
          Us(length_ns)(),
          event_ + 1,
          correlation_);
      arrows(made.begin_ns, start_ns, 20);
    }
    operation("record_param_comms", begin_ns, 0);
  }

  void load_batch() {
    const Ns begin_ns = now_ns_;
    for (int worker = 0; worker < 4; ++worker) {
      const Ns frame_ns = now_ns_;
      now_ns_ += 100 * kUs + below(200 * kUs);
      python("torch/utils/data/dataloader.py(701): __next__", frame_ns);
    }
    annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", begin_ns);
    const Ns copy_ns = now_ns_;
    memory(8 << 20);
    copy("Memcpy HtoD (Pageable -> Device)", 8 << 20, 700 * kUs);
    operation("aten::copy_", copy_ns + 300, 0);
    operation("aten::_to_copy", copy_ns + 100, 0);
    operation("aten::to", copy_ns, 0);
  }

  // One kernel in an operator in an operator, in a module.
  void in_module(const char* outer, const char* inner, const Kernel& kernel, const char* frame) {
    const Ns begin_ns = now_ns_;
    now_ns_ += 6 * kUs;
    const Ns outer_ns = now_ns_;
    now_ns_ += kUs;
    const Ns inner_ns = now_ns_;
    memory(16 << 20);
    launch(kernel);
    ++sequence_;
    operation(inner, inner_ns, sequence_);
    operation(outer, outer_ns, sequence_);
    python("<built-in method of type object at 0x7f3a5c0b9a40>", outer_ns - 200);
    python(frame, begin_ns + kUs);
    python("torch/nn/modules/module.py(1553): _wrapped_call_impl", begin_ns);
  }

  void forward() {
    const Ns begin_ns = now_ns_;
    const std::array<const char*, 3> projections = {"torch/nn/modules/linear.py(116): forward",
                                                    "transformer/attention.py(88): project",
                                                    "transformer/block.py(41): feed_forward"};
    in_module("aten::layer_norm",
              "aten::native_layer_norm",
              kNorm,
              "torch/nn/modules/normalization.py(201): forward");
    for (const char* const frame : projections) {
      in_module("aten::linear", "aten::addmm", kGemm, frame);
    }
    in_module("aten::scaled_dot_product_attention",
              "aten::_flash_attention_forward",
              kAttention,
              "transformer/attention.py(131): attend");
    in_module(
        "aten::gelu", "aten::gelu", kElementwise, "torch/nn/modules/activation.py(704): forward");
    python(("nn.Module: TransformerBlock_" + std::to_string(layer_)).c_str(), begin_ns);
  }

  void backward() {
    thread_ = kBackwardThread;
    const std::array<std::pair<const char*, const char*>, 3> nodes = {{
        {"autograd::engine::evaluate_function: GeluBackward0", "aten::gelu_backward"},
        {"autograd::engine::evaluate_function: AddmmBackward0", "aten::mm"},
        {"autograd::engine::evaluate_function: NativeLayerNormBackward0",
         "aten::native_layer_norm_backward"},
    }};
    for (const auto& [node, kernel_operator] : nodes) {
      const Ns begin_ns = now_ns_;
      const int sequence = 6 * layer_ + step_ * 6 * kLayers;
      for (int input = 0; input < 2; ++input) {
        const Ns inner_ns = now_ns_ + kUs;
        now_ns_ = inner_ns + kUs;
        memory(-(16 << 20));
        launch(input == 0 ? kGemm : kElementwise);
        operation(kernel_operator, inner_ns, sequence, true);
      }
      operation(node, begin_ns, sequence, true);
    }
    if (layer_ % 4 == 0) {
      all_reduce();
    }
    thread_ = kMainThread;
  }

  void update() {
    const Ns begin_ns = now_ns_;
    for (int group = 0; group < 4; ++group) {
      const Ns inner_ns = now_ns_ + kUs;
      now_ns_ = inner_ns;
      launch(kOptimizer);
      operation("aten::_fused_adamw_", inner_ns, 0);
    }
    python("torch/optim/adamw.py(197): step", begin_ns + kUs);
    annotation("Optimizer.step#AdamW.step", begin_ns);
  }

  void read_loss() {
    const Ns begin_ns = now_ns_;
    copy("Memcpy DtoH (Device -> Pageable)", 4, 2 * kUs);
    const Ns wait_ns = std::max(compute_free_ns_ - now_ns_, 2 * kUs);
    call("cudaStreamSynchronize", 131, wait_ns);
    operation("aten::_local_scalar_dense", begin_ns + 300, 0);
    operation("aten::item", begin_ns, 0);
  }

  Part part_;
  StepText text_;
  std::uint64_t bits_ = 1;
  Ns now_ns_ = 1'000'000, compute_free_ns_ = 0, communication_free_ns_ = 0,
     allocated_ = Ns{16} << 30;
  int thread_ = kMainThread;
  int step_ = 0, layer_ = 0, event_ = 0, frame_ = 0, sequence_ = 0, correlation_ = 0;
};

constexpr const char* kHead =
    R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85045673984, "computeMajor": 9, "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32, "sharedMemPerBlock": 49152, "numSms": 132}],
"distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 8}, "with_stack": 1, "record_shapes": 1, "profile_memory": 1,
"displayTimeUnit": "ms", "baseTimeNanoseconds": 1700000000000000000, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 412, "tid": 0, "ts": 0.000, "args": {"name": "python"}},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "ts": 0.000, "args": {"name": "stream 7 "}},
)";

class File {
 public:
  explicit File(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    check(file_ != nullptr);
  }
  void write(const std::string& text) {
    check(std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size());
  }
  void close() { check(std::fclose(file_.release()) == 0); }

 private:
  void check(bool is_fine) const {
    if (!is_fine) {
      throw Error(Error::Parts{path_, "cannot be written", std::strerror(errno), ""});
    }
  }
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

std::size_t bytes_of_step() {
  return TraceRows(TraceRows::Part::host).next_step().size() +
         TraceRows(TraceRows::Part::device).next_step().size();
}

}  // namespace

void write_large_trace(const std::string& path, std::int64_t bytes) {
  const std::int64_t steps =
      std::max<std::int64_t>(2, bytes / static_cast<std::int64_t>(bytes_of_step()));
  File file(path);
  file.write(kHead);
  Ns end_ns = 0;
  for (const TraceRows::Part part : {TraceRows::Part::host, TraceRows::Part::device}) {
    TraceRows rows(part);
    for (std::int64_t step = 0; step < steps; ++step) {
      file.write(rows.next_step());
    }
    end_ns = rows.now_ns();
  }
  file.write(
      std::string(
          R"({"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": )") +
      Us(end_ns)() + "}\n]}\n");
  file.close();
}

}  // namespace tune::bench
