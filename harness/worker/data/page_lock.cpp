#include "worker/data/page_lock.h"

#include "base/units.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tune::worker {

LockedPages::LockedPages(PageLocker& locker, void* begin, std::size_t bytes)
    : locker_(&locker), begin_(begin) {
  if (!locker.lock_pages(begin, bytes)) {
    std::string text = "knobs.pin_memory: the driver refuses to page-lock ";
    text += format_bytes(static_cast<std::int64_t>(bytes));
    text += " (too little memory?) false?";
    throw std::runtime_error(text);
  }
}

}  // namespace tune::worker
