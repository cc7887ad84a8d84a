#pragma once

#include "trial/knob_catalog.h"

#include <string>
#include <string_view>

namespace tune::trial {

/// Whether the knob's values before and after, "none" where it is not set, may differ in more than
/// the last digits of what is computed. Of the user's own knobs each may, except variables that
/// are for an allocator of memory: GLIBC_TUNABLES of glibc.malloc alone, MALLOC_..., TCMALLOC_...,
/// LD_PRELOAD of jemalloc or tcmalloc.
bool may_change_numbers(const std::string& knob,
                        const KnobSettings& before,
                        const KnobSettings& after);

/// Whether a value of GLIBC_TUNABLES is for glibc's allocator alone.
bool is_of_malloc(std::string_view tunables);

}  // namespace tune::trial
