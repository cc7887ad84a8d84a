#include "dataset/set_draft.h"

#include "base/machine_error.h"
#include "base/units.h"
#include "dataset/data_cache.h"

#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace tune::dataset {

namespace fs = std::filesystem;

void make_sets_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error({folder.string(),
                 "cannot be made",
                 error.message(),
                 "Name another cache with TUNE_CACHE_DIR"});
  }
}

void check_space(const std::string& name, std::int64_t needed_bytes, const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(needed_bytes)) {
    throw MachineError({folder.string(),
                        "there is no room for the data set " + name,
                        "it takes about " + format_bytes(needed_bytes) + ", " +
                            format_bytes(static_cast<std::int64_t>(space.available)) + " are free",
                        "Ask for fewer samples, or name another cache with TUNE_CACHE_DIR"});
  }
}

SetDraft::SetDraft(const fs::path& root) : folder_(draft_folder_of(root)) {
  remove();  // of a making that was cut short
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error) {
    throw_failed_call(folder_, "cannot be made", error.value());
  }
}

SetDraft::~SetDraft() {
  remove();
}

void SetDraft::become(const fs::path& root) {
  sync();
  std::error_code error;
  fs::remove_all(root, error);  // a damaged or outdated one
  if (!error) {
    fs::rename(folder_, root, error);
  }
  if (error) {
    throw Error({root.string(), "cannot be replaced", error.message(), ""});
  }
}

void SetDraft::remove() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

// The files must be on disk before the name that says they are complete.
void SetDraft::sync() const {
  const int descriptor = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    syncfs(descriptor);
    close(descriptor);
  }
}

}  // namespace tune::dataset
