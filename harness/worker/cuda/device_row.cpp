#include "worker/cuda/device_row.h"

namespace tune::worker {

namespace {

// By CUpti_ActivityMemcpyKind and CUpti_ActivityMemoryKind.
constexpr std::array<const char*, 11> kCopies = {
    "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
constexpr std::array<const char*, 8> kMemories = {"Unknown",
                                                  "Pageable",
                                                  "Pinned",
                                                  "Device",
                                                  "Array",
                                                  "Managed",
                                                  "Device Static",
                                                  "Managed Static"};

template <std::size_t kCount>
const char* word(const std::array<const char*, kCount>& words, std::size_t number) {
  return number < kCount ? words[number] : "Unrecognized";
}

}  // namespace

std::string copy_name(const CopyRow& copy) {
  std::string name = "Memcpy ";
  name += word(kCopies, copy.kind);
  name += " (";
  name += word(kMemories, copy.from);
  name += " -> ";
  name += word(kMemories, copy.to);
  name += ")";
  return name;
}

std::string set_name(const SetRow& set) {
  std::string name = "Memset (";
  name += word(kMemories, set.memory);
  name += ")";
  return name;
}

const char* sync_name(SyncRow::Kind kind) {
  switch (kind) {
    case SyncRow::Kind::event:
      return "Event Sync";
    case SyncRow::Kind::stream_wait_event:
      return "Stream Wait Event";
    case SyncRow::Kind::stream:
      return "Stream Sync";
    case SyncRow::Kind::context:
      return "Context Sync";
  }
  return "Unknown";
}

}  // namespace tune::worker
