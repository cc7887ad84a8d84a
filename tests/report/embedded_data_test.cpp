#include "report/embedded_data.h"

#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace tune::report {
namespace {

using nlohmann::json;

// What the element holds.
std::string inside(const std::string& block) {
  const std::size_t begin = block.find('>') + 1;
  return block.substr(begin, block.rfind("</script>") - begin);
}

TEST(DataBlock, IsTheSameValueWithoutSpaces) {
  const json value = {{"a b", {1, 2.5, nullptr}}, {"text", "  two  spaces, \"quotes\" \\ "}};
  const std::string block = data_block(value.dump(2));
  EXPECT_EQ(inside(block), value.dump());
  EXPECT_TRUE(block.starts_with("<script type=\"application/json\" id=\"tune-result\">"));
}

TEST(DataBlock, EndsNothingAndStaysXmlWhateverTheTextsHold) {
  const json value = {{"</script><!--", "<b>&amp;\"'</script>]]>"},
                      {"lines", "\xE2\x80\xA8 \xE2\x80\xA9"},
                      {"none", "\xEF\xBF\xBE\xEF\xBF\xBF\x7F\xC2\x85"},
                      {"others", "\xE4\xB8\xAD \xF0\x9F\x98\x80 \xC3\xA4"},
                      {"escaped", "\\u003c \n\t\x01"}};
  const std::string block = data_block(value.dump());
  for (const char* const part :
       {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBF\xBE", "\x7F"}) {
    EXPECT_EQ(inside(block).find(part), std::string::npos) << part;
  }
  EXPECT_NE(block.find("\\u003c/script\\u003e"), std::string::npos);
  EXPECT_NE(block.find("\\u2028 \\u2029"), std::string::npos);
  EXPECT_EQ(json::parse(inside(block)), value);
  EXPECT_EQ(read_xml(block).problem, "");
}

TEST(DataBlock, IsLeftOutWhereItIsTooLarge) {
  EXPECT_EQ(data_block(""), "");
  EXPECT_EQ(data_block(json(std::string(kMostDataBytes, 'x')).dump()), "");
  EXPECT_NE(data_block(json(std::string(kMostDataBytes - 2, 'x')).dump()), "");
  EXPECT_NE(data_block("[" + std::string(kMostDataBytes, ' ') + "]"), "") << "spaces do not count";
}

}  // namespace
}  // namespace tune::report
