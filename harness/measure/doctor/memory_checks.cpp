#include "base/units.h"
#include "measure/doctor/checks.h"

#include <algorithm>

namespace tune::doctor {

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

Check free_memory_check(const Observation& seen) {
  constexpr std::int64_t kShare = 10;  // a tenth of it
  Check check{.id = "free-memory"};
  if (!seen.memory.available_bytes) {
    return not_known(check, "the kernel does not say how much memory is free");
  }
  const std::int64_t limit = seen.machine.memory_limit_bytes;
  const std::int64_t usable =
      limit > 0 ? std::min(limit, *seen.memory.available_bytes) : *seen.memory.available_bytes;
  check.found = format_bytes(usable) + " of memory are free";
  if (limit > 0) {
    check.found += " of " + format_bytes(limit);
  }
  if (usable < std::max(kGiB, limit / kShare)) {
    check.level = Level::warning;
    check.why = "the page cache has no room for the data set, and larger batches run out of memory";
    check.advice = "end what takes memory (ps aux --sort=-rss | head), or use a machine with more";
  }
  return check;
}

Check swap_check(const machine::MemoryState& memory) {
  Check check{.id = "swap"};
  if (!memory.swap_used_bytes) {
    check.level = Level::unknown;
    check.found = "the kernel does not say whether swap is used";
  } else if (*memory.swap_used_bytes > 0) {
    check.level = Level::note;
    check.found = format_bytes(*memory.swap_used_bytes) + " of " +
                  format_bytes(memory.swap_bytes.value_or(0)) + " of swap are used";
    check.why = "memory ran short before; what is in swap comes back as slow page faults";
    check.advice = "with enough free memory: sudo swapoff -a && sudo swapon -a";
  } else {
    check.found = "no swap is used";
  }
  return check;
}

Check huge_pages_check(const machine::MemoryState& memory) {
  Check check{.id = "huge-pages"};
  if (memory.huge_pages.empty()) {
    return not_known(check, "the kernel does not say who gets transparent huge pages");
  }
  check.found = "transparent huge pages: " + memory.huge_pages;
  if (memory.huge_pages == "never") {
    check.level = Level::note;
    check.why = "large tensors come in pages of 4 KiB, each with a page fault when it is new";
    check.advice =
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled, then try "
        "THP_MEM_ALLOC_ENABLE=1, with which LibTorch asks for them";
  }
  return check;
}

Check defrag_check(const machine::MemoryState& memory) {
  Check check{.id = "huge-pages-defrag"};
  if (memory.huge_pages_defrag.empty()) {
    return not_known(check, "the kernel does not say who waits for huge pages");
  }
  check.found = "defragmentation for huge pages: " + memory.huge_pages_defrag;
  if (memory.huge_pages_defrag == "always" && memory.huge_pages == "always") {
    check.level = Level::note;
    check.why = "any allocation may wait until memory was moved: single steps are slow by chance";
    check.advice = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/defrag";
  }
  return check;
}

// tune's own loader has no use for it; PyTorch's does.
Check shared_memory_check(const Observation& seen) {
  Check check{.id = "shared-memory"};
  if (!seen.shared_memory || seen.shared_memory->folder.filename() != "shm") {
    return not_known(check, "there is no /dev/shm");
  }
  check.found = format_bytes(seen.shared_memory->free_bytes) + " of " +
                format_bytes(seen.shared_memory->total_bytes) + " of shared memory are free";
  if (seen.shared_memory->free_bytes < kGiB) {
    check.level = Level::note;
    check.why =
        "tune does not need it, but loader processes of PyTorch in Python end with "
        "\"Bus error\" when it is full";
    check.advice = "docker run --shm-size=8g, or --ipc=host";
  }
  return check;
}

}  // namespace

std::vector<Check> memory_checks(const Observation& seen) {
  return {free_memory_check(seen),
          swap_check(seen.memory),
          huge_pages_check(seen.memory),
          defrag_check(seen.memory),
          shared_memory_check(seen)};
}

}  // namespace tune::doctor
