// Blocks as Markdown.

#include "report/markdown.h"
#include "report/markup.h"
#include "report/render_blocks.h"

#include <variant>

namespace tune::report {

namespace {

constexpr std::size_t kMostDoubts = 12, kLongestDoubt = 400;

const char* sign_of(Mood mood) {
  switch (mood) {
    case Mood::none:
      return "";
    case Mood::good:
      break;
    case Mood::bad:
      return "\xF0\x9F\x94\xB4 ";  // red circle
    case Mood::undecided:
      return "\xE2\x9A\xAA ";  // white circle
  }
  return "\xF0\x9F\x9F\xA2 ";  // green circle
}

std::string item(const std::string& text) {
  return "- " + escape_markdown(text) + "\n";
}

std::string items(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) {
    list += item(text);
  }
  return list;
}

// Indented, it is text whatever it holds.
std::string indented(const std::string& text) {
  std::string lines = "    ";
  for (const char c : printable(text)) {
    lines += c;
    lines += c == '\n' ? "    " : "";
  }
  return lines + "\n";
}

struct Writer {
  std::string operator()(const Sentence& sentence) const {
    const std::string code =
        sentence.code.empty() ? "" : "`" + escape_markdown(sentence.code) + "`";
    return escape_markdown(sentence.text) + code + escape_markdown(sentence.rest) + "\n";
  }

  std::string operator()(const Headline& headline) const {
    return std::string(sign_of(headline.mood)) + "**" + escape_markdown(headline.text) + "**\n";
  }

  std::string operator()(const Heading& heading) const {
    return "### " + escape_markdown(heading.text) + "\n";
  }

  std::string operator()(const List& list) const { return items(list.items); }

  std::string operator()(const Doubts& doubts) const {
    std::string list;
    for (std::size_t i = 0; i < doubts.items.size() && i < kMostDoubts; ++i) {
      list += item("Warning: " + shortened(doubts.items[i], kLongestDoubt));
    }
    return list;
  }

  std::string operator()(const Cards& cards) const {
    std::string list;
    for (const Card& card : cards.cards) {
      list += item(card_line(card));
    }
    return list;
  }

  std::string operator()(const Glossary& glossary) const {
    std::string list;
    for (const Glossary::Word& word : glossary.words) {
      list += item(word.name + ": " + word.meaning);
    }
    return list;
  }

  std::string operator()(const Table& table) const {
    const std::string rest = rest_sentence(table.left_out, table.row_word);
    return to_markdown(table) + (rest.empty() ? "" : "\n" + rest + "\n");
  }

  std::string operator()(const Figure& figure) const {
    return figure.numbers.rows.empty()
               ? ""
               : (*this)(Folded{figure.numbers_title, {{.content = figure.numbers}}});
  }

  std::string operator()(const Code& code) const { return indented(code.text); }

  std::string operator()(const Ways& ways) const {
    std::string text;
    for (const Ways::Way& way : ways.ways) {
      text += (text.empty() ? "" : "\n") + escape_markdown(way.name) + ":\n\n" +
              (*this)(Code{way.code});
    }
    return text;
  }

  std::string operator()(const Folded& folded) const {
    return "<details><summary>" + escape_summary(folded.summary) + "</summary>\n\n" +
           to_markdown(folded.blocks) + "\n</details>\n";
  }

  std::string operator()(const Article& article) const {
    return "<details>\n<summary>" + escape_summary(article.title + " (" + article.name + ")") +
           "</summary>\n\n" + to_markdown(article.blocks) + "\n</details>\n";
  }
};

bool is_list(const Block& block) {
  return std::holds_alternative<List>(block.content) ||
         std::holds_alternative<Doubts>(block.content);
}

}  // namespace

std::string to_markdown(const Table& table) {
  std::string text = "|";
  std::string rule = "|";
  for (const Table::Column& column : table.columns) {
    text += " " + escape_markdown(column.name) + " |";
    rule += column.align == Table::Align::right ? "---:|" : "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) {
      text += " " + escape_markdown(cell) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string to_markdown(const Blocks& blocks) {
  std::string text;
  bool was_list = false, was_article = false;
  for (const Block& block : blocks) {
    const std::string part = block.is_in(kInMarkdown) ? std::visit(Writer{}, block.content) : "";
    if (part.empty()) {
      continue;
    }
    const bool is_article = std::holds_alternative<Article>(block.content);
    text += text.empty() || (was_list && is_list(block)) ? "" : "\n";
    text += was_article && !is_article && !is_list(block) ? "\n" : "";  // what is not of them
    text += part;
    was_list = is_list(block);
    was_article = is_article;
  }
  return text;
}

}  // namespace tune::report
