#pragma once

#include "report/block.h"
#include "report/markup.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tune::report {

// Blocks in each rendering. What a rendering cannot show (drawings in a terminal) goes with what it
// can (the table of their numbers).

/// How a terminal shows a line that stands out.
enum class Paint { warning, good, strong, quiet };
using Painter = std::function<std::string(Paint paint, const std::string& line)>;

/// A line a sentence and an item; tables are aligned with spaces. `rendering` is kInTerminal or
/// kInText. No painter: nothing stands out.
std::string to_lines(const Blocks& blocks, Renderings rendering, const Painter& painter = {});
/// Its columns are aligned with spaces, one line a row; no line ends with a space.
std::string to_lines(const Table& table);

/// Blocks with an empty line between them; lists that follow each other are one.
std::string to_markdown(const Blocks& blocks);
std::string to_markdown(const Table& table);

Markup to_markup(const Blocks& blocks);
/// The section, folded.
Section folded(Section section);
/// With its heading; nothing where it has no block in HTML.
Markup to_markup(const Section& section);
/// With caption and scopes; wide ones scroll in a region that the keyboard reaches.
Markup to_markup(const Table& table);

/// Doubts that a page shows; the others open by a click, or are left out of Markdown.
inline constexpr std::size_t kMostDoubtsShown = 4;

}  // namespace tune::report
