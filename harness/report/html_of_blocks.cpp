// Blocks as HTML.

#include "base/text.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/render_blocks.h"

#include <algorithm>
#include <cstdint>

namespace tune::report {

namespace {

Attributes with_class(Attributes attributes, const std::string& name) {
  if (!name.empty()) {
    attributes.emplace_back("class", name);
  }
  return attributes;
}

std::string align_class(const Table::Column& column) {
  return column.align == Table::Align::right ? "number" : "";
}

const std::string& whole_of(const Table& table, std::size_t row, std::size_t column) {
  static const std::string kNotCut;
  return row < table.wholes.size() && column < table.wholes[row].size() ? table.wholes[row][column]
                                                                        : kNotCut;
}

void append_row(const Table& table, std::size_t number, Markup& html) {
  const std::vector<std::string>& row = table.rows[number];
  html.open("tr",
            with_class({}, number < table.row_classes.size() ? table.row_classes[number] : ""));
  for (std::size_t column = 0; column < row.size(); ++column) {
    const bool is_heading = column == table.heading;
    Attributes attributes = with_class(is_heading ? Attributes{{"scope", "row"}} : Attributes{},
                                       align_class(table.columns.at(column)));
    if (const std::string& whole = whole_of(table, number, column); !whole.empty()) {
      attributes.emplace_back("title", whole);
    }
    html.leaf(is_heading ? "th" : "td", row[column], attributes);
  }
  html.close().line();
}

void append_fact(const Card& card, Markup& html) {
  html.open("div", {{"class", "fact"}}).leaf("dt", card.name);
  for (const std::string& value : card.values) {
    html.leaf("dd", value, {{"class", "value"}});
  }
  if (!card.detail.empty()) {
    html.leaf("dd", card.detail);
  }
  html.close().line();
}

void append_addresses(const std::string& addresses, Markup& html) {
  bool is_first = true;
  html.open("dd");
  for (const std::string& address : split(addresses, '\n')) {
    html.text(is_first ? "" : " ").append(outside_link(address));
    is_first = false;
  }
  html.close().line();
}

const char* tone_of(Mood mood) {
  return mood == Mood::good ? "chip better" : mood == Mood::bad ? "chip worse" : "chip unsure";
}

Markup with_rest(const Table& table) {
  const std::string rest = rest_sentence(table.left_out, table.row_word);
  Markup html = to_markup(table);
  return rest.empty() ? html : html.append(paragraph(rest));
}

struct Writer {
  Markup operator()(const Sentence& sentence) const {
    return paragraph(sentence.text + sentence.code + sentence.rest,
                     sentence.is_quiet ? "quiet" : "");
  }

  Markup operator()(const Headline& headline) const {
    Markup html;
    return html.leaf("p", headline.text, {{"class", "headline"}, {"id", "headline"}}).line();
  }

  Markup operator()(const Heading& heading) const {
    Markup html;
    return html.leaf(heading.is_inner ? "h5" : "h3", heading.text).line();
  }

  Markup operator()(const List& list) const { return bullets(list.items); }

  Markup operator()(const Doubts& doubts) const {
    const auto begin = doubts.items.begin(), end = doubts.items.end();
    const auto shown =
        doubts.are_all_shown
            ? end
            : begin + static_cast<std::ptrdiff_t>(std::min(doubts.items.size(), kMostDoubtsShown));
    Markup html = trust_banner({begin, shown});
    return shown == end
               ? html
               : html.append(folded(counted(end - shown, "more warning"), bullets({shown, end})));
  }

  Markup operator()(const Cards& cards) const {
    const bool is_fact = cards.kind == Cards::Kind::facts;
    Markup html;
    html.open("dl", {{"class", is_fact ? "facts" : "tiles"}}).line();
    for (const Card& card : cards.cards) {
      if (is_fact) {
        append_fact(card, html);
      } else {
        html.append(tile(card.name, card.values.front(), card.detail));
      }
    }
    return html.close().line();
  }

  Markup operator()(const Glossary& glossary) const {
    Markup html;
    html.open("dl", {{"class", "fields"}}).line();
    for (const Glossary::Word& word : glossary.words) {
      html.leaf("dt", word.name);
      if (word.is_address) {
        append_addresses(word.meaning, html);
      } else {
        html.leaf("dd", word.meaning).line();
      }
    }
    return html.close().line();
  }

  Markup operator()(const Table& table) const { return with_rest(table); }

  Markup operator()(const Figure& drawn) const {
    Markup html = figure(drawn.drawings, drawn.caption);
    return drawn.numbers.rows.empty()
               ? html
               : html.append(folded(drawn.numbers_title, (*this)(drawn.numbers)));
  }

  Markup operator()(const Code& code) const { return preformatted(code.text); }

  Markup operator()(const Ways& ways) const {
    Markup html;
    html.open("div", {{"class", "ways"}}).line();
    for (const Ways::Way& way : ways.ways) {
      html.open("div").leaf("h3", way.name).append(preformatted(way.code)).close().line();
    }
    return html.close().line();
  }

  Markup operator()(const Folded& inside) const {
    return folded(inside.summary, to_markup(inside.blocks));
  }

  Markup operator()(const Article& article) const {
    Markup html;
    html.open("article", {{"class", "card"}, {"id", one_line(article.id)}});
    html.leaf("h4", article.title).line().open("p");
    html.leaf("strong", article.verdict, {{"class", tone_of(article.mood)}}).text(" ");
    html.leaf("span", article.remark, {{"class", "quiet"}}).close().line();
    return html.append(to_markup(article.blocks)).close().line();
  }
};

}  // namespace

Markup to_markup(const Table& table) {
  Markup html;
  html.open(
      "div",
      {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", table.caption}});
  html.open("table").line().leaf("caption", table.caption).line();
  html.open("thead").open("tr");
  for (const Table::Column& column : table.columns) {
    // A column needs a name there: readers say it before each cell.
    html.leaf("th",
              column.name.empty() ? "remark" : column.name,
              with_class({{"scope", "col"}}, align_class(column)));
  }
  html.close().close().line().open("tbody").line();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    append_row(table, i, html);
  }
  return html.close().close().close().line();
}

Markup to_markup(const Blocks& blocks) {
  Markup html;
  for (const Block& block : blocks) {
    if (block.is_in(kInHtml)) {
      html.append(std::visit(Writer{}, block.content));
    }
  }
  return html;
}

Section folded(Section section) {
  section.is_folded = true;
  return section;
}

Markup to_markup(const Section& section) {
  Markup html;
  const auto& blocks = section.blocks;
  if (std::none_of(
          blocks.begin(), blocks.end(), [](const Block& block) { return block.is_in(kInHtml); })) {
    return html;
  }
  if (section.is_begin) {
    html.open("header").line().leaf("h1", section.title).line();
  } else if (section.is_folded) {
    html.folded_section(section.title);
    return html.append(to_markup(section.blocks)).close().close().line();
  } else {
    html.section(section.title);
  }
  return html.append(to_markup(blocks)).close().line();
}

}  // namespace tune::report
