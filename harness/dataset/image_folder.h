#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tune::dataset {

/// One JPEG of a folder of classes.
struct ImageFile {
  std::string path;        ///< relative to the root, with '/'; any bytes but NUL
  std::int64_t bytes = 0;  ///< 0 also for a link that leads nowhere: the loader reports it
  std::int64_t label = 0;  ///< index into classes
  bool operator==(const ImageFile&) const = default;
};

/// A tree of images as torchvision's ImageFolder sees it: every sub-folder of the root is a class.
struct ImageFolder {
  std::filesystem::path root;
  std::vector<std::string> classes;             ///< sorted by bytes; a class may have no files
  std::vector<ImageFile> files;                 ///< by class, then folder, then name
  std::map<std::string, std::int64_t> skipped;  ///< extension in lower case -> files that are not
                                                ///< JPEGs by name; "(none)" without an extension
};

/// Lists the tree without opening images. Follows links and ignores files next to the class
/// folders, both as torchvision does. Throws tune::Error naming the folder when it is missing, has
/// no class or no JPEG, and naming every folder in it that cannot be read or that a link leads back
/// to.
ImageFolder read_image_folder(const std::filesystem::path& root);

/// "12 .txt", "3 .png": the contents of `skipped`, for people.
std::vector<std::string> describe_skipped(const ImageFolder& folder);

/// "images of other kinds are not read: 3 .png, 1 .webp (only .jpg and .jpeg files are)", made from
/// the words of describe_skipped(); "" when there are none.
std::string unread_images_text(const std::vector<std::string>& skipped);

}  // namespace tune::dataset
