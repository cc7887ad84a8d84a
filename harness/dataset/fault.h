#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tune::dataset {

/// What the profile `faults` does to a file. The first eight faults prevent decoding the whole
/// picture (the last of them only for users who may not read the file), the others do not.
enum class Fault {
  none,
  truncated_10,
  truncated_50,
  truncated_99,
  empty,
  random_bytes,
  png,
  huge_header,  ///< says 20,000 x 20,000 pixels over the data of a small picture
  unreadable,   ///< mode 000; root can read it anyway
  cmyk,
  grey,
  progressive,
  exif_rotated  ///< orientation 6; loaders that ignore EXIF, like PyTorch's, see it unrotated
};

/// The word in the manifest: "truncated-10".
std::string_view to_text(Fault fault);
std::optional<Fault> parse_fault(std::string_view text);

/// The fault of sample `index` in the profile `faults`: in every 64 samples those at 3, 7, 11 ...
/// 51 have one.
Fault fault_of(std::int64_t index);

/// True when no loader can get the whole picture out of the file.
bool is_broken(Fault fault);

/// The file's bytes after the damage. Faults of the encoding or of the file's mode leave them
/// unchanged.
std::string damage(std::string jpeg, Fault fault, std::uint64_t key);

}  // namespace tune::dataset
