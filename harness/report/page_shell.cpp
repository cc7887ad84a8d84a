#include "report/page_shell.h"

#include "base/assert.h"

namespace tune::report {

std::string fill_shell(std::string_view shell, const std::map<std::string, std::string>& values) {
  std::string page;
  for (;;) {
    const std::size_t start = shell.find("{{");
    page += shell.substr(0, start);
    if (start == std::string_view::npos) {
      return page;
    }
    const std::size_t end = shell.find("}}", start);
    TUNE_ASSERT(end != std::string_view::npos);
    const auto value = values.find(std::string(shell.substr(start + 2, end - start - 2)));
    TUNE_ASSERT(value != values.end());
    page += value->second;
    shell.remove_prefix(end + 2);
  }
}

}  // namespace tune::report
