#pragma once

// Traces that are large in one way only, each so that work for each row over the others shows.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::profile {

/// The JSON of such a trace, row by row; times in whole us.
class HostileTrace {
 public:
  using Args = std::string;  // JSON without its brackets

  /// A complete row. `at` and `length` in us.
  void row(const char* category,
           const std::string& name,
           std::int64_t at,
           std::int64_t length,
           const std::string& place = kHost,
           const Args& args = "") {
    begin("X", category, name, at, place);
    text_ += R"(,"dur":)" + std::to_string(length);
    end(args);
  }
  void op(const std::string& name, std::int64_t at, std::int64_t length, const Args& args = "") {
    row("cpu_op", name, at, length, kHost, args);
  }
  void mark(const std::string& name, std::int64_t at, std::int64_t length) {
    row("user_annotation", name, at, length);
  }
  void call(const std::string& name,
            std::int64_t at,
            std::int64_t length,
            std::int64_t correlation,
            const std::string& place = kHost) {
    row("cuda_runtime", name, at, length, place, correlated(correlation));
  }
  /// Work of a stream of a device: "kernel", "gpu_memcpy".
  void work(const char* category,
            const std::string& name,
            std::int64_t at,
            std::int64_t length,
            std::int64_t correlation,
            std::int64_t device = 0,
            std::int64_t stream = 7) {
    row(category,
        name,
        at,
        length,
        R"("pid":)" + std::to_string(device) + R"(,"tid":)" + std::to_string(stream),
        R"("device":)" + std::to_string(device) + R"(,"stream":)" + std::to_string(stream) +
            R"(,"bytes":4,"grid":[8,1,1],"blocks per SM":1,"est. achieved occupancy %":50,)" +
            correlated(correlation));
  }
  void memory(std::int64_t at, std::int64_t bytes, std::int64_t device) {
    begin("i", "cpu_instant_event", "[memory]", at, kHost);
    end(R"("Device Type":1,"Device Id":)" + std::to_string(device) + R"(,"Addr":)" +
        std::to_string(at) + R"(,"Bytes":)" + std::to_string(bytes));
  }
  void edge(bool is_begin, const std::string& name, std::int64_t at) {
    begin(is_begin ? "B" : "E", "cpu_op", name, at, kHost);
    end("");
  }
  /// Any text in the place of a row.
  void raw(const std::string& row) {
    text_ += text_.empty() ? "" : ",\n";
    text_ += row;
  }
  void metadata(const std::string& name, const std::string& place, const std::string& value) {
    begin("M", "", name, 0, place);
    end(R"("name":")" + value + '"');
  }

  std::string json() const {
    return R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H100"}],)"
           R"("distributedInfo":{"backend":"nccl","rank":0,"world_size":2},"traceEvents":[)" +
           text_ + "]}\n";
  }

  static std::string correlated(std::int64_t correlation) {
    return R"("correlation":)" + std::to_string(correlation);
  }
  static constexpr const char* kHost = R"("pid":412,"tid":412)";

 private:
  void begin(const char* phase,
             const std::string& category,
             const std::string& name,
             std::int64_t at,
             const std::string& place) {
    raw(R"({"ph":")" + std::string(phase) + R"(","cat":")" + category + R"(","name":")" + name +
        R"(",)" + place + R"(,"ts":)" + std::to_string(at));
  }
  void end(const Args& args) { text_ += R"(,"args":{)" + args + "}}"; }

  std::string text_;
};

/// A way of being large. `rows` says how large, within a factor of a few.
struct HostileShape {
  const char* name;
  void (*write)(HostileTrace& trace, std::int64_t rows);
};

inline void write_many_steps(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 5; ++i) {
    const std::int64_t at = 1000 + 100 * i;
    trace.mark("ProfilerStep#" + std::to_string(i), at, 100);
    trace.mark("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, 20);
    trace.op("aten::mm", at + 30, 30);
    trace.call("cudaLaunchKernel", at + 40, 5, i + 1);
    trace.work("kernel", "gemm", at + 50, 40, i + 1);
  }
}

inline void write_one_correlation(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 2; ++i) {
    trace.call("cudaLaunchKernel", 1000 + 100 * i, 5, 1);
    trace.work("kernel", "gemm", 1050 + 100 * i, 40, 1);
  }
}

// Each row in the one before: `inner` adds what a row issues.
template <class Inner>
void write_nested(HostileTrace& trace, std::int64_t depth, Inner inner) {
  trace.mark("ProfilerStep#1", 1000, 1000 * depth);
  for (std::int64_t i = 0; i < depth; ++i) {
    inner(i, 1001 + 10 * i, 1000 * depth - 20 * i);
  }
}

inline void write_nested_operators(HostileTrace& trace, std::int64_t rows) {
  write_nested(trace, rows / 3, [&](std::int64_t i, std::int64_t at, std::int64_t length) {
    trace.op("custom::f" + std::to_string(i % 1000), at, length, R"("Input Dims":[[64,64]])");
    trace.call("cudaLaunchKernel", at + 2, 3, i + 1);
    trace.work("kernel", "direct_copy_kernel", at + 6, 3, i + 1);
  });
}

inline void write_nested_calls(HostileTrace& trace, std::int64_t rows) {
  write_nested(trace, rows / 2, [&](std::int64_t i, std::int64_t at, std::int64_t length) {
    trace.call(i % 2 == 0 ? "cudaLaunchKernel" : "cuLaunchKernel", at, length, i + 1);
    trace.work("kernel", "gemm", at + 5, 4, i + 1);
  });
}

inline void write_nested_copies(HostileTrace& trace, std::int64_t rows) {
  write_nested(trace, rows / 6, [&](std::int64_t i, std::int64_t at, std::int64_t length) {
    trace.op("custom::f", at, length);
    trace.call("cudaMemcpyAsync", at + 1, 1, 3 * i + 1);
    trace.work("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", at + 2, 1, 3 * i + 1);
    trace.call("cudaMemcpy", at + 3, 1, 3 * i + 2);
    trace.work("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", at + 4, 1, 3 * i + 2);
    trace.memory(at + 5, 4096 + i, i);
  });
}

// An optimizer that calls itself, and autograd goes back through all of it.
inline void write_nested_optimizers(HostileTrace& trace, std::int64_t rows) {
  const std::int64_t depth = rows / 3;
  write_nested(trace, depth, [&](std::int64_t i, std::int64_t at, std::int64_t length) {
    const std::string number = R"("Sequence number":)" + std::to_string(i);
    trace.mark("Optimizer.step#SGD.step", at, length);
    trace.op("aten::mm", at + 1, 1, number + R"(,"Fwd thread id":0)");
    trace.row("cpu_op",
              "MmBackward0",
              1001 * depth + 10 * i,
              5,
              R"("pid":412,"tid":413)",
              number + R"(,"Fwd thread id":1)");
  });
}

inline void write_nested_products(HostileTrace& trace, std::int64_t rows) {
  write_nested(trace, rows / 4, [&](std::int64_t i, std::int64_t at, std::int64_t length) {
    trace.op("custom::f" + std::to_string(i % 2), at, length);
    for (const std::int64_t part : {0, 1, 2}) {
      trace.op(part == 1 ? "aten::softmax" : "aten::bmm",
               at + 1 + 2 * part,
               1,
               R"("Input Dims":[[8,64,64],[8,64,64]],"Input type":["float","float"])");
    }
  });
}

inline void write_python_frames(HostileTrace& trace, std::int64_t rows) {
  write_nested(trace, rows / 2, [&](std::int64_t i, std::int64_t at, std::int64_t length) {
    trace.row("python_function", "nn.Module: M_" + std::to_string(i), at, length);
    trace.op("aten::mm", at + 1, 2);
  });
}

inline void write_open_begins(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 2; ++i) {
    trace.edge(true, "aten::mm", 1000 + i);
  }
  for (std::int64_t i = 0; i < rows / 4; ++i) {
    trace.edge(false, "aten::mm", 1000 + rows + i);
  }
}

inline void write_many_threads(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 4; ++i) {
    const std::string place = R"("pid":)" + std::to_string(i % 3 == 0 ? 5000 + i : 412) +
                              R"(,"tid":)" + std::to_string(500 + i);
    trace.metadata("process_name", place, "python " + std::to_string(i));
    trace.metadata("thread_name", place, "thread " + std::to_string(i));
    trace.row("cpu_op", "aten::mm", 1000 + 10 * i, 50, place);
    trace.call("cudaDeviceSynchronize", 1001 + 10 * i, 5, 0, place);
  }
}

inline void write_many_streams(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 4; ++i) {
    const std::int64_t at = 1000 + 100 * i;
    trace.call("cudaLaunchKernel", at, 5, 3 * i + 1);
    trace.work("kernel", "gemm", at + 10, 60, 3 * i + 1, 0, 100 + i);
    trace.call(
        i % 2 == 0 ? "cudaDeviceSynchronize" : "cudaStreamSynchronize", at + 8, 80, 3 * i + 2);
    trace.row("cuda_sync",
              "Context Sync",
              at + 8,
              80,
              R"("pid":0,"tid":-1)",
              R"("device":0,"stream":-1,)" + HostileTrace::correlated(i % 4 == 0 ? 3 * i + 2 : 0));
  }
}

inline void write_many_devices(HostileTrace& trace, std::int64_t rows) {
  const std::int64_t devices = rows / 6;
  for (std::int64_t i = 0; i < devices; ++i) {
    trace.mark("ProfilerStep#" + std::to_string(i), 1000 + 100 * i, 90);
    for (const std::int64_t at : {1000 + i % 50, 1000 + 100 * devices - i % 50}) {
      trace.call("cudaLaunchKernel", at, 1, 2 * i + 1);
      trace.work("kernel", "gemm", at + 1, 2, 2 * i + 1, i, i % 100);
    }
    trace.memory(1000 + 100 * i, 4096, i);
  }
}

inline void write_many_names(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 4; ++i) {
    const std::string own = std::to_string(i);
    const std::int64_t at = 1000 + 100 * i;
    trace.op("aten::op_" + own, at, 50, R"("Input Dims":[[)" + own + R"(,64]])");
    trace.mark("range " + own, at + 55, 30);
    trace.call("cudaLaunchKernel", at + 10, 5, i + 1);
    trace.work("kernel", "void kernel_" + own + "<float>(int)", at + 20, 40, i + 1);
  }
}

inline void write_scalar_reads(HostileTrace& trace, std::int64_t rows) {
  trace.mark("ProfilerStep#1", 1000, 100 * rows);
  for (std::int64_t i = 0; i < rows / 5; ++i) {
    const std::int64_t at = 1001 + 100 * i;
    trace.op("aten::select", at, 5);
    trace.op("aten::item", at + 10, 80);
    trace.call("cudaMemcpyAsync", at + 11, 5, 2 * i + 1);
    trace.work("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", at + 70, 2, 2 * i + 1);
    trace.call("cudaStreamSynchronize", at + 20, 60, 2 * i + 2);
  }
}

inline void write_collectives(HostileTrace& trace, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows / 2; ++i) {
    const std::int64_t at = 1000 + 100 * i;
    trace.call("cudaLaunchKernel", at, 5, i + 1);
    trace.row("kernel",
              "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
              at + 10,
              60,
              R"("pid":0,"tid":20)",
              R"("device":0,"stream":20,"Collective name":"allreduce","dtype":"Float","In msg )"
              R"(nelems":1024,"Out msg nelems":1024,"Group size":2,"Process Group Name":")" +
                  std::to_string(i % 2 == 0 ? 0 : i) + R"(","Seq":)" + std::to_string(i) + "," +
                  HostileTrace::correlated(i + 1));
  }
}

// One row with long lists.
inline void write_long_lists(HostileTrace& trace, std::int64_t rows) {
  std::string dims, types;
  for (std::int64_t i = 0; i < rows; ++i) {
    dims += (i > 0 ? ",[64,63]" : "[64,63]");
    types += (i > 0 ? R"(,"c10::Half")" : R"("c10::Half")");
  }
  trace.op("aten::mm", 1000, 100, R"("Input Dims":[)" + dims + R"(],"Input type":[)" + types + "]");
  trace.call("cudaLaunchKernel", 1010, 5, 1);
  trace.work("kernel", "gemm", 1020, 50, 1);
}

inline void write_damaged_rows(HostileTrace& trace, std::int64_t rows) {
  trace.op("aten::mm", 1000, 50);
  for (std::int64_t i = 0; i < rows / 4; ++i) {
    trace.op("a \"quoted\" name", 1000 + 100 * i, 50);
    trace.op("aten::mm", 1060 + 100 * i, 5, R"("x":nan)");
    trace.raw(R"({"ph":"X","name":"open)");
    trace.raw("12");
  }
}

inline const std::vector<HostileShape>& hostile_shapes() {
  static const std::vector<HostileShape> shapes = {{"many_steps", write_many_steps},
                                                   {"one_correlation", write_one_correlation},
                                                   {"nested_operators", write_nested_operators},
                                                   {"nested_calls", write_nested_calls},
                                                   {"nested_copies", write_nested_copies},
                                                   {"nested_optimizers", write_nested_optimizers},
                                                   {"nested_products", write_nested_products},
                                                   {"python_frames", write_python_frames},
                                                   {"open_begins", write_open_begins},
                                                   {"many_threads", write_many_threads},
                                                   {"many_streams", write_many_streams},
                                                   {"many_devices", write_many_devices},
                                                   {"many_names", write_many_names},
                                                   {"scalar_reads", write_scalar_reads},
                                                   {"collectives", write_collectives},
                                                   {"long_lists", write_long_lists},
                                                   {"damaged_rows", write_damaged_rows}};
  return shapes;
}

inline std::string hostile_json(const HostileShape& shape, std::int64_t rows) {
  HostileTrace trace;
  shape.write(trace, rows);
  return trace.json();
}

}  // namespace tune::profile
