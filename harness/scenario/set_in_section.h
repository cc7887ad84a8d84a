#pragma once

#include "scenario/complaints.h"
#include "trial/knob_catalog.h"

#include <cstddef>
#include <string>

namespace tune::scenario {

/// Where the mark is in the text, in bytes; the text's size where it has no such line.
std::size_t offset_of(const std::string& text, Mark mark);

/// One setting to be written into a YAML text.
struct SectionEntry {
  std::string section, key;
  trial::KnobValue value;
  std::string next_section;  ///< before which a section that is missing is made
};

/// The text with that setting, and every other byte as it was: comments, order, quotes, indentation
/// and line ends stay. A value that is there is replaced in its place, in its quotes; a new key
/// goes behind the last one, on a line of its own where the others have one; a section that is
/// missing or empty becomes `section: {key: value}`.
///
/// `file` is named in complaints. Throws tune::Error for what read_yaml() refuses (anchors,
/// aliases, tags, a key twice), and with the place where something is written in a way that cannot
/// be changed like this: a value over several lines, a list, a map. What comes out has not been
/// read again.
std::string set_in_section(const std::string& text,
                           const std::string& file,
                           const SectionEntry& entry);

}  // namespace tune::scenario
