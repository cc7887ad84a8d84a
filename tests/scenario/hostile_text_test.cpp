#include "sample_scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

TEST(HostileScenario, ScalarsAreTypedAsYaml12Says) {
  EXPECT_EQ(complaints_with("batch_size: 32", "batch_size: 010"),
            "sample.yaml:5:24: the number '010' begins with 0 (some readers take it for an octal "
            "number) 10?");
  EXPECT_EQ(complaints_with("batch_size: 32", "batch_size: 0x20"), "");
  EXPECT_EQ(complaints_with("batch_size: 32", "batch_size: '32'"),
            "sample.yaml:5:24: 'baseline.batch_size' must be a whole number from 1 to 65536 (is "
            "'32') 32?");
  EXPECT_EQ(complaints_with("batch_size: 32", "batch_size: 99999999999999999999"),
            "sample.yaml:5:24: the number '99999999999999999999' is too large\n"
            "sample.yaml:5:24: 'baseline.batch_size' must be a whole number from 1 to 65536 (is "
            "'99999999999999999999')");
  EXPECT_EQ(complaints_with("{model: resnet18}", "{model: resnet18, weight_decay: 1e999}"),
            "sample.yaml:3:43: the number '1e999' is too large");
  EXPECT_EQ(complaints_with("{model: resnet18}", "{model: resnet18, weight_decay: .inf}"),
            "sample.yaml:3:43: '.inf' is not a finite number");
  EXPECT_EQ(complaints_with("{model: resnet18}", "{model: resnet18, lr: 1e-3}"), "");
}

TEST(HostileScenario, AKeyMustNotBeThereTwice) {
  EXPECT_EQ(complaints_about(sample() + "name: sample\n"),
            "sample.yaml:12:1: the key 'name' is there twice (first in line 2)");
  EXPECT_EQ(complaints_with("{batch_size: 32}", "{batch_size: 32, batch_size: 64}"),
            "sample.yaml:5:28: the key 'batch_size' is there twice (first in line 5)");
}

TEST(HostileScenario, NothingIsSharedOrTagged) {
  EXPECT_EQ(complaints_with("[0, 2]", "&a [0, 2]"),
            "sample.yaml:7:16: anchors are not used in scenarios (write the value out)");
  EXPECT_EQ(complaints_with("32", "!!str 32"),
            "sample.yaml:5:24: tags are not used in scenarios (values have the type that their key "
            "needs)");
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + c + " [" + before + "," + before + "," + before + "]\n";
  }
  EXPECT_EQ(complaints_about(bomb),
            "sample.yaml:1:4: anchors are not used in scenarios (write the value out)");
}

TEST(HostileScenario, OnlyTextIsRead) {
  EXPECT_EQ(complaints_with("sample", std::string("s\0mple", 6)),
            "sample.yaml:2:8: byte 0x00 is not text (a control character)");
  EXPECT_EQ(complaints_with("sample", "s\x04mple"),
            "sample.yaml:2:8: byte 0x04 is not text (a control character)");
  EXPECT_EQ(complaints_about("\xff\xfet\0u\0"),
            "sample.yaml:1:1: byte 0xff is not text (scenarios are UTF-8)");
  EXPECT_EQ(complaints_with("sample", "s\xc3("),
            "sample.yaml:2:8: byte 0xc3 is not text (scenarios are UTF-8)");
  EXPECT_EQ(complaints_about(std::string((1 << 20) + 1, ' ')),
            "sample.yaml:1:1: the file is too large (at most 1 MiB)");
}

TEST(HostileScenario, ItMustBeOneMap) {
  EXPECT_EQ(complaints_about(""),
            "sample.yaml:1:1: the file is empty (no YAML document)\n"
            "sample.yaml:1:1: a scenario is a map of keys and values (see `tune help scenario`)");
  EXPECT_EQ(complaints_about("- 1\n"),
            "sample.yaml:1:1: a scenario is a map of keys and values (see `tune help scenario`)");
  EXPECT_EQ(complaints_about("? [a]\n: b\n"),
            "sample.yaml:1:3: a key must be a word (this one is a list or a map)");
  EXPECT_NE(complaints_about(sample() + "---\ntune: 1\n").find("a second document begins here"),
            std::string::npos);
  EXPECT_EQ(complaints_about("a: [1, 2\nb: 3\n").find("sample.yaml:"), 0U);
  EXPECT_NE(complaints_about("a: [1, 2\nb: 3\n").find("this is not YAML"), std::string::npos);
  EXPECT_EQ(complaints_about("grid:\n  a:\n \tb: 3\n"),
            "sample.yaml:3:2: a tab indents this line (YAML takes spaces only)");
}

TEST(HostileScenario, DepthAndSizeAreBounded) {
  EXPECT_NE(complaints_about("a: " + std::string(40, '[') + std::string(40, ']'))
                .find("nested too deep (at most 16 levels)"),
            std::string::npos);
  EXPECT_NE(complaints_about("a: " + std::string(100'000, '[')), "");
  EXPECT_NE(complaints_about(std::string(3000, '{')), "");
  std::string many = "a: [1";
  for (int i = 0; i < 20'000; ++i) {
    many += ",1";
  }
  EXPECT_NE(complaints_about(many + "]\n").find("too many values (at most 20,000)"),
            std::string::npos);
  EXPECT_NE(complaints_with("sample", std::string(9000, 'x'))
                .find("the text is too long (at most 8 KiB)"),
            std::string::npos);
}

TEST(HostileScenario, ComplaintsStayReadable) {
  std::string many = sample();
  for (int i = 0; i < 60; ++i) {
    many += "key" + std::to_string(i) + ": 1\n";
  }
  const std::string complaints = complaints_about(many);
  EXPECT_EQ(std::count(complaints.begin(), complaints.end(), '\n'), 50);
  EXPECT_NE(complaints.find("sample.yaml: and 10 more complaints"), std::string::npos);
}

}  // namespace
}  // namespace tune::scenario
