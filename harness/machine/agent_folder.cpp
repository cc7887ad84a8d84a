#include "machine/agent_folder.h"

#include "base/error.h"

namespace tune::machine {

namespace fs = std::filesystem;

fs::path agent_folder() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here / "python", here.parent_path() / "share/tune/python"}) {
    std::error_code failed;
    if (fs::is_regular_file(folder / "sitecustomize.py", failed)) {
      return fs::canonical(folder);
    }
  }
  throw Error(Error::Parts{(here / "python").string(),
                           "tune's Python agent is missing",
                           "it belongs to this program",
                           "Install tune again"});
}

}  // namespace tune::machine
