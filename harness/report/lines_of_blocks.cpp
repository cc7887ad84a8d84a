// Blocks as the lines of a terminal.

#include "report/markup.h"
#include "report/number_text.h"
#include "report/render_blocks.h"

#include <algorithm>

namespace tune::report {

namespace {

// UTF-8 characters: bytes that do not continue one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (const Table::Column& column : table.columns) {
    widths.push_back(width_of(column.name));
  }
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  return widths;
}

Table in_one_line(const Table& content) {
  Table table{.columns = content.columns, .rows = content.rows};
  for (Table::Column& column : table.columns) {
    column.name = one_line(column.name);
  }
  for (auto& row : table.rows) {
    std::transform(row.begin(), row.end(), row.begin(), one_line);
  }
  return table;
}

std::string lines_of(const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts) {
    lines += one_line(text) + "\n";
  }
  return lines;
}

class Lines {
 public:
  Lines(Renderings rendering, const Painter& painter) : rendering_(rendering), painter_(painter) {}

  std::string operator()(const Sentence& sentence) const {
    return one_line(sentence.text + sentence.code + sentence.rest) + "\n";
  }

  std::string operator()(const Headline& headline) const {
    return painted(headline.mood == Mood::good ? Paint::good : Paint::strong, headline.text);
  }

  std::string operator()(const Heading& heading) const { return one_line(heading.text) + "\n"; }
  std::string operator()(const List& list) const { return lines_of(list.items); }

  std::string operator()(const Doubts& doubts) const {
    std::string lines;
    for (const std::string& doubt : doubts.items) {
      lines += painted(Paint::warning, "warning: " + doubt);
    }
    return lines;
  }

  std::string operator()(const Cards& cards) const {
    std::string lines;
    for (const Card& card : cards.cards) {
      lines += one_line(card_line(card)) + "\n";
    }
    return lines;
  }

  std::string operator()(const Glossary& glossary) const {
    std::string lines;
    for (const Glossary::Word& word : glossary.words) {
      lines += one_line(word.name + ": " + word.meaning) + "\n";
    }
    return lines;
  }

  std::string operator()(const Table& table) const {
    const std::string rest = rest_sentence(table.left_out, table.row_word);
    return to_lines(table) + (rest.empty() ? "" : rest + "\n");
  }

  std::string operator()(const Figure& figure) const {
    return figure.numbers.rows.empty() ? "" : (*this)(figure.numbers);
  }

  std::string operator()(const Code& code) const { return "    " + one_line(code.text) + "\n"; }

  std::string operator()(const Ways& ways) const {
    std::string text;
    for (const Ways::Way& way : ways.ways) {
      text += way.name + ":\n" + way.code + "\n";
    }
    return text;
  }

  std::string operator()(const Folded& folded) const {
    return one_line(folded.summary) + "\n" + to_lines(folded.blocks, rendering_, painter_);
  }

  std::string operator()(const Article& article) const {
    return one_line(article.title + " [" + article.name + "]: " + article.verdict) + "\n" +
           to_lines(article.blocks, rendering_, painter_);
  }

 private:
  std::string painted(Paint paint, const std::string& text) const {
    const std::string line = one_line(text);
    return (painter_ ? painter_(paint, line) : line) + "\n";
  }

  Renderings rendering_;
  const Painter& painter_;
};

}  // namespace

std::string card_line(const Card& card) {
  std::string line = card.name + ":";
  for (const std::string& value : card.values) {
    line.append(&value == &card.values.front() ? " " : ", ").append(value);
  }
  return line + (card.detail.empty() ? "" : " (" + card.detail + ")");
}

std::string to_lines(const Table& content) {
  const Table table = in_one_line(content);
  const auto widths = widths_of(table);
  std::string text;
  const auto add = [&](std::size_t column, const std::string& cell) {
    const std::string space(widths[column] - width_of(cell), ' ');
    text += column > 0 ? "  " : "";
    text += table.columns[column].align == Table::Align::right ? space + cell : cell + space;
  };
  const auto end_line = [&] { text.erase(text.find_last_not_of(' ') + 1).push_back('\n'); };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    add(i, table.columns[i].name);
  }
  end_line();
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      add(i, row[i]);
    }
    end_line();
  }
  return text;
}

std::string to_lines(const Blocks& blocks, Renderings rendering, const Painter& painter) {
  std::string text;
  for (const Block& block : blocks) {
    if (block.is_in(rendering)) {
      text += std::visit(Lines(rendering, painter), block.content);
    }
  }
  return text;
}

std::string rest_sentence(std::size_t left_out, const std::string& singular) {
  return left_out == 0   ? ""
         : left_out == 1 ? "One more " + singular + " is in result.json."
                         : grouped(static_cast<std::int64_t>(left_out)) + " more " + singular +
                               "s are in result.json.";
}

}  // namespace tune::report
