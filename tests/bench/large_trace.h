#pragma once

#include <cstdint>
#include <string>

namespace tune::bench {

/// Writes a trace of about this many bytes, equal for the same size, step by step: what Kineto
/// writes for a transformer in training on one device, with shapes, stacks and memory on. Each step
/// loads a batch, copies it, runs forward and backward through 24 layers (operators within
/// operators, Python frames, calls, kernels on two streams, flow arrows both ways, memory rows),
/// exchanges gradients, updates, and reads the loss.
///
/// In Kineto's order: host rows of all steps, sorted by start, then calls and device rows. Throws
/// tune::Error when the file cannot be written.
void write_large_trace(const std::string& path, std::int64_t bytes);

}  // namespace tune::bench
