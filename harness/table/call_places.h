#pragma once

#include "profile/timeline.h"
#include "table/host_tree.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::table {

/// Where rows of the host were called from.
struct CallPlaces {
  std::vector<std::uint32_t> place_of;  ///< by event: index in `texts`; 0 is not known
  std::vector<std::string> texts = {""};

  bool are_known() const { return texts.size() > 1; }
};

/// The innermost `frames` frames of each row, innermost first, one a line: those that the profiler
/// wrote beside the operator ("Call stack", until 2021), else the Python frames around it on its
/// thread.
CallPlaces stack_places(const profile::Timeline& timeline,
                        const HostTree& tree,
                        std::size_t frames);

/// The modules of each row, outermost first: what torch.jit wrote ("Module Hierarchy"), else the
/// Python frames `nn.Module: ...` around it on its thread, of the kDeepestStack innermost frames.
CallPlaces module_places(const profile::Timeline& timeline, const HostTree& tree);

}  // namespace tune::table
