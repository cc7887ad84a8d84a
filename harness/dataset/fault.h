#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tune::dataset {

/// What the profile `faults` does to a file. The first eight cannot be decoded to the whole
/// picture (the last of them only by who may not read it), the others can.
enum class Fault {
  none,
  truncated_10,
  truncated_50,
  truncated_99,
  empty,
  random_bytes,
  png,
  huge_header,  ///< says 20,000 x 20,000 pixels over the data of a small picture
  unreadable,   ///< mode 000; root reads it all the same
  cmyk,
  grey,
  progressive,
  exif_rotated  ///< orientation 6; loaders that ignore EXIF, like PyTorch's, see it unrotated
};

/// The word in the manifest: "truncated-10".
std::string_view to_text(Fault fault);
std::optional<Fault> parse_fault(std::string_view text);

/// Which fault sample `index` of the profile `faults` carries: of every 64 samples those at
/// 3, 7, 11 ... 51.
Fault fault_of(std::int64_t index);

/// True where no loader can get the whole picture out of the file.
bool is_broken(Fault fault);

/// The file's bytes after the damage. Faults that are a matter of encoding or of the file's mode
/// leave them as they are.
std::string damage(std::string jpeg, Fault fault, std::uint64_t key);

}  // namespace tune::dataset
