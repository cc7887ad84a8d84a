#pragma once

#include <cstdint>
#include <string>

namespace tune::bench {

/// Writes a trace of about so many bytes, the same for the same size, a step at a time: what Kineto
/// writes of a transformer that is trained on one device, with shapes, stacks and memory on. Each
/// step loads a batch, copies it, goes forward and back through 24 layers (operators within
/// operators, Python frames, calls, kernels on two streams, flow arrows both ways, memory rows),
/// exchanges gradients, updates, and reads the loss.
///
/// In Kineto's order: rows of the host of all steps, by their begin, then calls and device rows.
/// Throws tune::Error when the file cannot be written.
void write_large_trace(const std::string& path, std::int64_t bytes);

}  // namespace tune::bench
