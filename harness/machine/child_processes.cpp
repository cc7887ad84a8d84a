#include "machine/child_processes.h"

#include "machine/text_file.h"

#include <algorithm>
#include <system_error>

namespace tune::machine {

std::vector<int> child_processes() {
  std::vector<int> children;
  std::error_code problem;
  for (std::filesystem::directory_iterator at("/proc/self/task", problem), end;
       !problem && at != end;
       at.increment(problem)) {
    const std::string text = read_text(at->path() / "children");
    std::string_view words = trimmed(text);
    while (!words.empty()) {
      const std::size_t space = words.find(' ');
      if (const auto process = to_number(words.substr(0, space))) {
        children.push_back(static_cast<int>(*process));
      }
      words = space == std::string_view::npos ? std::string_view() : trimmed(words.substr(space));
    }
  }
  std::sort(children.begin(), children.end());
  return children;
}

}  // namespace tune::machine
