#include "report/block.h"

#include "report/render_blocks.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::report {
namespace {

using Align = Table::Align;

std::string html_of(const Blocks& blocks) {
  return to_markup(blocks).finished();
}

Table rates() {
  return {.caption = "Rates",
          .columns = {{"setting"}, {"samples/s", Align::right}, {"remark"}},
          .rows = {{"baseline", "58.3", ""}, {"amp=bf16", "166.6", "it's <fast>"}}};
}

// One of each kind.
Blocks everything(const std::string& text) {
  Markup drawing;
  drawing.open("svg").leaf("title", text).close();
  return {{Sentence{text, text, text}},
          {Headline{text, Mood::bad}},
          {Heading{text}},
          {List{{text, text}}},
          {Doubts{{text, text, text, text, text}}},
          {Cards{{{text, {text, text}, text}}, Cards::Kind::facts}},
          {Cards{{{text, {text}, text}}}},
          {Glossary{{{text, text}}}},
          {Table{.caption = text, .columns = {{text}}, .rows = {{text}}, .left_out = 2}},
          {Figure{{drawing}, text, text, {.caption = text, .columns = {{text}}, .rows = {{text}}}}},
          {Code{text}},
          {Folded{text, {{Sentence{text}}}}},
          {Article{.id = "a1",
                   .title = text,
                   .name = text,
                   .verdict = text,
                   .remark = text,
                   .blocks = {{Sentence{text}}}}}};
}

TEST(Blocks, AppearWhereTheyShallAndElseEverywhere) {
  const Blocks blocks = {{Sentence{"all"}},
                         {Sentence{"lines"}, kAsLines},
                         {Sentence{"answer"}, kInTerminal},
                         {Sentence{"page"}, kInMarkdown | kInHtml}};
  EXPECT_EQ(to_lines(blocks, kInTerminal), "all\nlines\nanswer\n");
  EXPECT_EQ(to_lines(blocks, kInText), "all\nlines\n");
  EXPECT_EQ(to_markdown(blocks), "all\n\npage\n");
  EXPECT_EQ(html_of(blocks), "<p>all</p>\n<p>page</p>\n");
}

TEST(Blocks, OfEachKindAreSaidInEachRendering) {
  const Blocks blocks = everything("word");
  for (const Block& block : blocks) {
    SCOPED_TRACE(block.content.index());
    EXPECT_NE(to_lines({block}, kInText).find("word"), std::string::npos);
    EXPECT_NE(to_markdown({block}).find("word"), std::string::npos);
    EXPECT_NE(html_of({block}).find("word"), std::string::npos);
  }
}

TEST(Blocks, KeepHostileTextAsText) {
  const Blocks blocks = everything("<b>|*_\x1b[31m\n@all & \"q\" \xff");
  EXPECT_NO_THROW(read_xml("<div>" + html_of(blocks) + "</div>"));
  const std::string lines = to_lines(blocks, kInText);
  EXPECT_EQ(lines.find('\x1b'), std::string::npos);
  const std::string markdown = to_markdown(blocks);
  EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
  const std::size_t code = markdown.find("\n    <b>|*_");
  ASSERT_NE(code, std::string::npos) << "as it is, where it is indented: " << markdown;
  EXPECT_EQ(markdown.find("<b>"), markdown.find("<b>", code));
}

TEST(Blocks, OfAnAnswerStandOutInATerminal) {
  const Painter painter = [](Paint paint, const std::string& line) {
    return (paint == Paint::warning ? "W" : paint == Paint::good ? "G" : "S") + line;
  };
  const Blocks blocks = {{Doubts{{"noise"}}},
                         {Headline{"PASS", Mood::good}},
                         {Headline{"REGRESSED", Mood::bad}},
                         {Sentence{"more"}}};
  EXPECT_EQ(to_lines(blocks, kInTerminal, painter), "Wwarning: noise\nGPASS\nSREGRESSED\nmore\n");
}

TEST(Blocks, OfMarkdownHaveAnEmptyLineBetweenThemUnlessBothAreLists) {
  EXPECT_EQ(to_markdown({{Sentence{"a"}},
                         {List{{"b"}}},
                         {List{}},
                         {Doubts{{"c"}}},
                         {Code{"d\ne"}},
                         {Folded{"f", {{Sentence{"g"}}}}}}),
            "a\n\n- b\n- Warning: c\n\n    d\n    e\n\n<details><summary>f</summary>\n\ng\n\n"
            "</details>\n");
}

TEST(Blocks, ShowTheFirstDoubtsAndFoldTheRest) {
  const std::string html = html_of({{Doubts{{"1", "2", "3", "4", "5", "6"}}}});
  EXPECT_NE(html.find("2 more warnings"), std::string::npos) << html;
  EXPECT_EQ(html_of({{Doubts{{"1"}}}}).find("more"), std::string::npos);
  EXPECT_EQ(html_of({{Doubts{}}}), "");
}

TEST(Tables, AreAlignedInLinesAndMarkdown) {
  EXPECT_EQ(to_lines(rates()),
            "setting   samples/s  remark\n"
            "baseline       58.3\n"
            "amp=bf16      166.6  it's <fast>\n");
  EXPECT_EQ(to_markdown(rates()),
            "| setting | samples/s | remark |\n|---|---:|---|\n"
            "| baseline | 58.3 |  |\n| amp=bf16 | 166.6 | it's &lt;fast&gt; |\n");
}

TEST(Tables, HaveCaptionScopesClassesAndWholeTextsInHtml) {
  Table table = rates();
  table.row_classes = {"quiet"};
  table.wholes = {{}, {"amp=bf16 batch_size=256"}};
  const std::string html = to_markup(table).finished();
  for (const char* const part :
       {"<caption>Rates</caption>",
        "<th scope=\"col\" class=\"number\">samples/s</th>",
        "<tr class=\"quiet\"><th scope=\"row\">baseline</th>",
        "<th scope=\"row\" title=\"amp=bf16 batch_size=256\">amp=bf16</th>",
        "<td class=\"number\">166.6</td>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part << " in " << html;
  }
}

TEST(Tables, SayHowManyRowsTheyLeaveOut) {
  Table table = rates();
  table.left_out = 1'200;
  table.row_word = "setting";
  const Blocks blocks = {{table}};
  const std::string rest = "1,200 more settings are in result.json.";
  EXPECT_NE(to_lines(blocks, kInText).find(rest), std::string::npos);
  EXPECT_NE(to_markdown(blocks).find("\n\n" + rest), std::string::npos);
  EXPECT_NE(html_of(blocks).find("<p>" + rest + "</p>"), std::string::npos);
  EXPECT_EQ(rest_sentence(1, "row"), "One more row is in result.json.");
  EXPECT_EQ(rest_sentence(0, "row"), "");
}

TEST(Sections, HaveAHeadingUnlessNothingIsInThem) {
  Section section{.title = "Rates"};
  EXPECT_EQ(to_markup(section).finished(), "");
  section.add(Sentence{"in lines"}, kAsLines);
  EXPECT_EQ(to_markup(section).finished(), "");
  section.add(Sentence{"on the page"});
  EXPECT_EQ(to_markup(section).finished(),
            "<section id=\"rates\"><h2>Rates</h2>\n<p>on the page</p>\n</section>\n");
  section.is_begin = true;
  EXPECT_TRUE(to_markup(section).finished().starts_with("<header>\n<h1>Rates</h1>\n"));
}

}  // namespace
}  // namespace tune::report
