#include "dataset/image_folder.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <tuple>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepest = 32;                   // folders below the root
constexpr std::size_t kMostFiles = 50'000'000;         // about 5 GB of index
constexpr std::size_t kMostClassFolders = 10'000'000;  // ImageNet-21k has 21,841
constexpr std::size_t kMostProblems = 50;              // a screenful

[[noreturn]] void complain(const fs::path& where,
                           const std::string& problem,
                           const std::string& why,
                           const std::string& suggestion = "") {
  throw Error({where.string(), problem, why, suggestion});
}

std::string lower_extension(const std::string& name) {
  std::string extension = fs::path(name).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

bool is_jpeg_name(const std::string& extension) {
  return extension == ".jpg" || extension == ".jpeg";
}

// The formats that torchvision reads, and others that cameras and the web produce.
bool is_image_name(const std::string& extension) {
  constexpr std::string_view kImages =
      ".jpg .jpeg .png .ppm .bmp .pgm .tif .tiff .webp .gif .jpe .jfif .avif .heic .jxl .jp2 ";
  return extension.starts_with('.') && kImages.find(extension + " ") != std::string_view::npos;
}

/// Everything that is wrong in a tree, so that the user can fix it in one go.
class Problems {
 public:
  void add(const fs::path& where, const std::string& problem, const std::string& why) {
    all_.push_back({where.string(), problem, why, ""});
    if (all_.size() == kMostProblems) {
      throw_if_any();
    }
  }
  void throw_if_any() const {
    if (!all_.empty()) {
      throw Error(all_);
    }
  }

 private:
  std::vector<Error::Parts> all_;
};

/// The folder's entries; none, and a complaint that names it, when it cannot be read.
std::vector<fs::directory_entry> entries_of(const fs::path& folder, Problems& problems) {
  std::error_code error;
  fs::directory_iterator iterator(folder, error);
  std::vector<fs::directory_entry> entries;
  for (const fs::directory_iterator end; !error && iterator != end; iterator.increment(error)) {
    entries.push_back(*iterator);
  }
  if (error) {
    problems.add(folder, "cannot be read", error.message());
  }
  return entries;
}

bool is_folder(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_directory(error);
}

/// Collects the files below one class folder.
class ClassScan {
 public:
  ClassScan(ImageFolder& found, std::int64_t label, Problems& problems)
      : found_(found), label_(label), problems_(problems) {}

  void scan(const fs::path& folder, const std::string& relative) {
    if (!enter(folder)) {
      return;
    }
    for (const fs::directory_entry& entry : entries_of(folder, problems_)) {
      const std::string name = entry.path().filename().string();
      if (is_folder(entry)) {
        std::string below = relative;
        scan(entry.path(), below.append("/").append(name));
      } else {
        take(entry.path(), relative, name);
      }
    }
    ancestors_.pop_back();
  }

  /// torchvision's order: folders by their whole path, then files by name.
  void finish() {
    std::sort(files_.begin(), files_.end(), [](const Found& a, const Found& b) {
      return std::tie(a.folder, a.name) < std::tie(b.folder, b.name);
    });
    for (const Found& file : files_) {
      found_.files.push_back({file.folder + "/" + file.name, file.bytes, label_});
    }
  }

 private:
  struct Found {
    std::string folder, name;
    std::int64_t bytes;
  };

  bool enter(const fs::path& folder) {
    struct stat facts {};
    if (stat(folder.c_str(), &facts) != 0) {
      problems_.add(folder, "cannot be read", std::strerror(errno));
      return false;
    }
    const std::pair self(facts.st_dev, facts.st_ino);
    if (std::find(ancestors_.begin(), ancestors_.end(), self) != ancestors_.end()) {
      problems_.add(folder, "leads back to a folder above it", "a link closes a loop");
      return false;
    }
    if (ancestors_.size() == kDeepest) {
      problems_.add(
          folder, "is too deep", "at most " + std::to_string(kDeepest) + " levels are read");
      return false;
    }
    ancestors_.push_back(self);
    return true;
  }

  void take(const fs::path& path, const std::string& folder, const std::string& name) {
    const std::string extension = lower_extension(name);
    if (!is_jpeg_name(extension)) {
      ++found_.skipped[extension.empty() ? "(none)" : extension];
      return;
    }
    struct stat facts {};
    const bool known = stat(path.c_str(), &facts) == 0;
    if (known && !S_ISREG(facts.st_mode)) {  // opening a pipe would block forever
      ++found_.skipped[extension + " (not a file)"];
      return;
    }
    if (found_.files.size() + files_.size() == kMostFiles) {
      complain(found_.root,
               "has too many images",
               "at most " + std::to_string(kMostFiles) + " are read");
    }
    files_.push_back({folder, name, known ? static_cast<std::int64_t>(facts.st_size) : 0});
  }

  ImageFolder& found_;
  std::int64_t label_;
  Problems& problems_;
  std::vector<Found> files_;
  std::vector<std::pair<dev_t, ino_t>> ancestors_;
};

void check_root(const fs::path& root) {
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (status.type() == fs::file_type::not_found) {
    complain(root, "there is no such folder", "it should contain one sub-folder per class");
  }
  if (!fs::exists(status)) {
    complain(root, "cannot be read", error.message());
  }
  if (!fs::is_directory(status)) {
    complain(root, "is not a folder", "it should contain one sub-folder per class");
  }
}

}  // namespace

ImageFolder read_image_folder(const fs::path& root) {
  check_root(root);
  ImageFolder found{.root = root};
  Problems problems;
  std::int64_t loose_images = 0;
  const auto entries = entries_of(root, problems);
  problems.throw_if_any();
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (is_folder(entry)) {
      found.classes.push_back(name);
    } else {
      loose_images += is_jpeg_name(lower_extension(name)) ? 1 : 0;
    }
  }
  if (found.classes.empty()) {
    const std::string count = std::to_string(loose_images);
    complain(root,
             "has no sub-folder",
             loose_images == 0 ? "every sub-folder is a class"
             : loose_images == 1
                 ? "every sub-folder is a class; 1 JPEG file is directly in it"
                 : "every sub-folder is a class; " + count + " JPEG files are directly in it",
             loose_images == 0 ? "" : "Move the images into one folder per class");
  }
  if (found.classes.size() > kMostClassFolders) {
    complain(root,
             "has too many sub-folders",
             "each is a class; at most " + std::to_string(kMostClassFolders) + " are read");
  }
  std::sort(found.classes.begin(), found.classes.end());
  for (std::size_t label = 0; label < found.classes.size(); ++label) {
    ClassScan scan(found, static_cast<std::int64_t>(label), problems);
    scan.scan(root / found.classes[label], found.classes[label]);
    scan.finish();
  }
  problems.throw_if_any();
  if (found.files.empty()) {
    std::string others;
    for (const std::string& skipped : describe_skipped(found)) {
      others += (others.empty() ? "" : ", ") + skipped;
    }
    complain(root,
             "has no .jpg or .jpeg file",
             others.empty() ? "its sub-folders are empty" : "found: " + others);
  }
  return found;
}

std::vector<std::string> describe_skipped(const ImageFolder& folder) {
  std::vector<std::string> lines;
  for (const auto& [extension, count] : folder.skipped) {
    lines.push_back(std::to_string(count) + " " + extension);
  }
  return lines;
}

std::string unread_images_text(const std::vector<std::string>& skipped) {
  std::vector<std::string> unread;
  for (const std::string& words : skipped) {
    std::istringstream text(words);
    std::string count, extension;
    text >> count >> extension;
    if (is_image_name(extension)) {
      unread.push_back(words);
    }
  }
  return unread.empty() ? ""
                        : "images of other kinds are not read: " + joined(unread) +
                              " (only .jpg and .jpeg files are)";
}

}  // namespace tune::dataset
