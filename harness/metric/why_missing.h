#pragma once

#include "metric/trace_input.h"

#include <string>

namespace tune::metric {

// Why a trace says nothing about something; "" when it does. Without a step all of them say so.

/// Kernels, of communication or not.
std::string why_no_kernels(const TraceInput& input);
/// Kernels, copies and fills.
std::string why_no_device_work(const TraceInput& input);
/// Kernels that can be joined to the calls that launched them: at least four of five. Of fewer
/// nobody can say what a device waited for.
std::string why_no_launches(const TraceInput& input);
/// Kernels whose call is not in the trace (TraceInput) ÷ all kernels. Needs a kernel.
double uncorrelated_ratio(const TraceInput& input);
/// A path through the steps that takes time.
std::string why_no_critical_path(const TraceInput& input);
/// Calls of the host into a device's library.
std::string why_no_calls(const TraceInput& input);
/// Operators: the rows that PyTorch itself writes for the host.
std::string why_no_operators(const TraceInput& input);
/// Kernels of NCCL and its like.
std::string why_no_communication(const TraceInput& input);
/// Rows of PyTorch's DataLoader.
std::string why_no_loader(const TraceInput& input);
/// Steps that the host marked.
std::string why_no_marked_steps(const TraceInput& input);
/// At least two of them: one step tells nothing about spread or growth.
std::string why_not_several_steps(const TraceInput& input);

}  // namespace tune::metric
