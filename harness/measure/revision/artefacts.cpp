#include "measure/revision/artefacts.h"

#include "base/sha256.h"

#include <map>
#include <system_error>

namespace tune::revision {

namespace {

namespace fs = std::filesystem;

class Collection {
 public:
  explicit Collection(const fs::path& tree) : tree_(tree) {}

  void add(const fs::path& path) {
    std::error_code failed;
    if (fs::is_regular_file(path, failed)) {
      add_file(path);
    } else if (is_inside(path) && fs::is_directory(path, failed)) {
      for (auto entry = fs::recursive_directory_iterator(path, failed);
           !failed && entry != fs::recursive_directory_iterator();
           entry.increment(failed)) {
        if (std::error_code ignored; entry->is_regular_file(ignored)) {
          add_file(entry->path());
        }
      }
    }
  }

  void add_libraries() {
    std::error_code failed;
    for (auto entry = fs::recursive_directory_iterator(tree_, failed);
         !failed && entry != fs::recursive_directory_iterator();
         entry.increment(failed)) {
      const std::string name = entry->path().filename().string();
      const bool is_library = name.ends_with(".so") || name.find(".so.") != std::string::npos;
      if (std::error_code ignored; is_library && entry->is_regular_file(ignored)) {
        add_file(entry->path());
      }
    }
  }

  Artefacts list() const { return {found_.begin(), found_.end()}; }

 private:
  // A text such as "/" must not have the whole disk read.
  bool is_inside(const fs::path& path) const {
    const fs::path relative = path.lexically_normal().lexically_relative(tree_);
    return !relative.empty() && *relative.begin() != "..";
  }

  void add_file(const fs::path& path) {
    const fs::path whole = path.lexically_normal();
    const std::string name = is_inside(whole) ? whole.lexically_relative(tree_).generic_string()
                                              : whole.generic_string();
    if (!found_.contains(name)) {
      found_[name] = sha256_file_hex(whole);
    }
  }

  fs::path tree_;
  std::map<std::string, std::string> found_;
};

}  // namespace

Artefacts find_artefacts(const fs::path& tree,
                         const fs::path& folder,
                         const std::vector<std::string>& paths,
                         bool is_built) {
  Collection collection(tree);
  for (const std::string& path : paths) {
    if (!path.empty()) {
      collection.add(folder / path);
    }
  }
  if (is_built) {
    collection.add_libraries();
  }
  return collection.list();
}

}  // namespace tune::revision
