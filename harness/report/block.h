#pragma once

#include "report/markup.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tune::report {

// What sections of reports are made of. A section is a function of a result that says everything
// once; render_blocks.h makes terminal text, Markdown and HTML of it. Texts are as they are known:
// each rendering escapes them itself.

/// A set of renderings: in which of them a block appears.
using Renderings = unsigned;
inline constexpr Renderings kInTerminal = 1;  ///< what a command prints at its end
inline constexpr Renderings kInText = 2;      ///< `tune report --format text` of what is stored
inline constexpr Renderings kInMarkdown = 4;
inline constexpr Renderings kInHtml = 8;
inline constexpr Renderings kAsLines = kInTerminal | kInText;
inline constexpr Renderings kEverywhere = kAsLines | kInMarkdown | kInHtml;

/// A paragraph, in a terminal a line. `code`, where there is some, are words as they are typed;
/// they appear between text and rest.
struct Sentence {
  std::string text, code{}, rest{};
  bool is_quiet = false;  ///< of less weight than its neighbours
};

/// How good news is, for colours and signs; none: the text alone says it.
enum class Mood { none, good, bad, undecided };

/// The answer of a page, in one sentence.
struct Headline {
  std::string text;
  Mood mood = Mood::undecided;
};

struct Heading {
  std::string text;
  bool is_inner = false;  ///< of a part of an article
};

struct List {
  std::vector<std::string> items;
};

/// What makes the numbers worth less, the gravest first.
struct Doubts {
  std::vector<std::string> items;
  bool are_all_shown = false;  ///< also where they are many; else the others open by a click
};

/// A number that a glance needs: what it is, what it says (the values below each other), and what
/// explains it.
struct Card {
  std::string name;
  std::vector<std::string> values;
  std::string detail;
};

/// "step time: 12.1ms (p99: 14.0ms)".
std::string card_line(const Card& card);

struct Cards {
  enum class Kind { facts, tiles };  ///< facts: the few of the first screen
  std::vector<Card> cards;
  Kind kind = Kind::tiles;
};

/// Words and what they mean.
struct Glossary {
  struct Word {
    std::string name, meaning;
    bool is_address = false;  ///< the meaning: addresses, one a line
  };
  std::vector<Word> words;
};

/// Rows that a page lists of what may be many; result.json has all of them.
constexpr std::size_t kMostListed = 500;

/// Texts in rows and columns.
struct Table {
  enum class Align { left, right };
  struct Column {
    std::string name;
    Align align = Align::left;
  };
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows{};
  std::size_t heading = 0;                 ///< the column that names its row
  std::vector<std::string> row_classes{};  ///< for comfort only; may be shorter than rows
  /// By row and column: what a cell that was cut says in full, "" where it was not; may be shorter
  /// than rows.
  std::vector<std::vector<std::string>> wholes{};
  std::size_t left_out = 0;      ///< rows behind the last one, which result.json has
  std::string row_word = "row";  ///< one of those
};

/// Drawings that belong together, and the table of their numbers under its title.
struct Figure {
  std::vector<Markup> drawings;
  std::string caption, numbers_title{};
  Table numbers{};
};

/// A command line, or what a file or a program says.
struct Code {
  std::string text;
};

struct Block;

/// Code for the same change, side by side: a name and a text each.
struct Ways {
  struct Way {
    std::string name, code;
  };
  std::vector<Way> ways;
};

/// Opens by a click where a rendering can do so.
struct Folded {
  std::string summary;
  std::vector<Block> blocks;
};

/// One of several alike, with a heading and a verdict of its own. In Markdown it opens by a click.
struct Article {
  std::string id, title;
  std::string name;  ///< by which commands know it
  std::string verdict;
  Mood mood = Mood::undecided;
  std::string remark;  ///< next to the verdict, with less weight
  std::vector<Block> blocks;
};

struct Block {
  std::variant<Sentence,
               Headline,
               Heading,
               List,
               Doubts,
               Cards,
               Glossary,
               Table,
               Figure,
               Code,
               Ways,
               Folded,
               Article>
      content;
  Renderings where = kEverywhere;

  bool is_in(Renderings rendering) const { return (where & rendering) != 0; }
};

using Blocks = std::vector<Block>;

/// A part of a page under a heading.
struct Section {
  std::string title;
  Blocks blocks{};
  bool is_begin = false;   ///< of the page: its title is that of all
  bool is_folded = false;  ///< in HTML its heading alone is seen until a click

  Section& add(Blocks more) {
    blocks.insert(
        blocks.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return *this;
  }

  /// Adds a block that appears in these renderings.
  template <class Content>
  Section& add(Content content, Renderings where = kEverywhere) {
    blocks.push_back({std::move(content), where});
    return *this;
  }
};

/// "99,500 more settings are in result.json.", or "" where none was left out.
std::string rest_sentence(std::size_t left_out, const std::string& singular);

}  // namespace tune::report
