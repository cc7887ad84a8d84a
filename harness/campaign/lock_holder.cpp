#include "campaign/lock_holder.h"

#include "base/error.h"
#include "base/file.h"

#include <unistd.h>

namespace tune::campaign {

std::string read_holder(const std::filesystem::path& file) {
  constexpr std::int64_t kLongest = 8192;
  std::string holder;
  try {
    const std::string text = read_file(file, kLongest);
    holder = text.substr(0, text.find('\n'));
  } catch (const Error&) {  // it says who, no more
  }
  return holder.empty() ? "another process" : holder;
}

bool note_holder(int descriptor, const std::string& holder) {
  const std::string text = holder + "\n";
  return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text.data(), text.size(), 0) >= 0;
}

}  // namespace tune::campaign
