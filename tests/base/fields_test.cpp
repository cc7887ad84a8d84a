#include "base/fields.h"

#include "base/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace tune {

struct Wheel {
  std::int64_t spokes = 0;
  std::optional<double> load;
};

struct Bicycle {
  enum class Brake { rim, disc };
  std::string name;
  Brake brake = Brake::rim;
  std::vector<Wheel> wheels;
  std::optional<Wheel> spare, trailer;
  double slope = 0;
};

void fields_of(Fields& fields, Wheel& wheel) {
  fields.whole("spokes", wheel.spokes, {1, 48});
  fields.real_if_said("load", wheel.load, 0, 200);
}

void fields_of(Fields& fields, Bicycle& bicycle) {
  using Brake = Bicycle::Brake;
  fields.text("name", bicycle.name);
  fields.word<Brake>("brake", bicycle.brake, {{"rim", Brake::rim}, {"disc", Brake::disc}});
  fields.list("wheels", bicycle.wheels, 3);
  fields.record("spare", bicycle.spare);
  fields.record_if_any("trailer", bicycle.trailer);
  fields.any_real("slope", bicycle.slope);
  fields.expect(bicycle.wheels.size() != 1, "wheels", "is one");
}

namespace {

Bicycle read(const std::string& text, Fields::Unknown unknown = Fields::Unknown::refused) {
  const nlohmann::json parsed = parse_json(text, "b.json");
  const std::string where = "b.json";
  return read_record<Bicycle>(JsonObject(parsed, where, ""), unknown);
}

std::string complaint_about(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Fields, WriteWhatTheyReadInTheOrderOfTheFields) {
  const std::string text =
      R"({"name":"b","brake":"disc","wheels":[{"spokes":32,"load":1.5},{"spokes":28,"load":null}],)"
      R"("spare":null,"trailer":{"spokes":20,"load":null},"slope":"nan"})";
  EXPECT_EQ(to_value(read(text)).dump(), text);
}

TEST(Fields, NothingIsNullOrLeftOut) {
  const auto value = to_value(Bicycle());
  EXPECT_TRUE(value["spare"].is_null());
  EXPECT_FALSE(value.contains("trailer"));
}

TEST(Fields, WhatAnOlderVersionLacksKeepsItsDefault) {
  const Bicycle bicycle = read(
      R"({"name":"","brake":"rim","wheels":[{"spokes":1},{"spokes":2}],"spare":null,"slope":0})");
  EXPECT_FALSE(bicycle.wheels[1].load || bicycle.trailer);
}

TEST(Fields, ComplainByPlace) {
  const std::string begin = R"({"name":"","brake":"rim","spare":null,"slope":0,"wheels":)";
  EXPECT_EQ(complaint_about(begin + R"([{"spokes":9},{"spokes":0}]})"),
            "b.json: wheels[1].spokes is out of range, 1 to 48");
  EXPECT_EQ(complaint_about(begin + R"([{"spokes":9},{}]})"),
            "b.json: wheels[1].spokes is missing");
  EXPECT_EQ(complaint_about(begin + R"([{"spokes":9}]})"), "b.json: wheels is one");
  EXPECT_EQ(complaint_about(begin + R"([{},{},{},{}]})"), "b.json: wheels has more than 3 entries");
  EXPECT_EQ(complaint_about(R"({"name":"","brake":"foot"})"),
            "b.json: brake is 'foot', which means nothing here");
}

TEST(Fields, UnknownOnesAreRefusedAtAnyDepthOrLeftAlone) {
  const std::string text =
      R"({"name":"","brake":"rim","wheels":[{"spokes":9,"spoke":1},{"spokes":9}],"spare":null,"slope":0})";
  EXPECT_EQ(complaint_about(text),
            "b.json: wheels[0].spoke is not a field of this protocol spokes?");
  EXPECT_EQ(read(text, Fields::Unknown::left_alone).wheels.size(), 2U);
}

TEST(Fields, AListIsWrittenWholeOrItsFirstEntries) {
  std::vector<Wheel> wheels(4);
  EXPECT_EQ(written([&](Fields& fields) { fields.list("w", wheels, 3); })["w"].size(), 4U);
  EXPECT_EQ(written([&](Fields& fields) { fields.first_of_list("w", wheels, 3); })["w"].size(), 3U);
}

struct Tyre {
  std::string note = std::string("so\0ft", 5);
  std::vector<std::string> marks = {"winter"};
  std::vector<double> depths_mm = {7.5, std::numeric_limits<double>::quiet_NaN()};
  std::optional<std::string> maker;
  std::optional<bool> is_tubeless;
  std::vector<Wheel> on;
  std::optional<Wheel> of;
};

void wheel_of(Fields& fields, Wheel& wheel) {
  fields.whole("spokes", wheel.spokes, {0, 48});
}

void fields_of(Fields& fields, Tyre& tyre) {
  fields.schema("tyre/1");
  fields.cut_text("note", tyre.note, 4, 8);
  fields.cut_text_list("marks", tyre.marks, 3, 2);
  fields.real_list("depths", tyre.depths_mm, 3, 0, 20);
  fields.text("maker", tyre.maker);
  fields.flag_if_said("tubeless", tyre.is_tubeless);
  fields.list("on", tyre.on, 2, wheel_of);
  fields.record("of", tyre.of, wheel_of);
}

std::string complaint_about_tyre(const std::string& text) {
  try {
    (void)parse_record<Tyre>(text, "t.json", Fields::Unknown::refused);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Fields, TextsAreCutWhereTheyAreWritten) {
  const auto value = to_value(Tyre());
  EXPECT_EQ(value["note"], "so f");
  EXPECT_EQ(value["marks"][0], "win");
}

TEST(Fields, AListOfNumbersHasGaps) {
  EXPECT_EQ(to_value(Tyre())["depths"].dump(), "[7.5,null]");
  const auto read = parse_record<Tyre>(to_value(Tyre()).dump(), "t.json");
  ASSERT_EQ(read.depths_mm.size(), 2U);
  EXPECT_TRUE(std::isnan(read.depths_mm[1]));
}

TEST(Fields, EveryPartSurvives) {
  Tyre tyre;
  tyre.maker = "m";
  tyre.is_tubeless = true;
  tyre.on.resize(2);
  tyre.of.emplace();
  tyre.note = "hard";
  tyre.marks = {"all"};
  const std::string text = json_text(to_value(tyre));
  EXPECT_EQ(text,
            R"({"schema":"tyre/1","note":"hard","marks":["all"],"depths":[7.5,null],"maker":"m",)"
            R"("tubeless":true,"on":[{"spokes":0},{"spokes":0}],"of":{"spokes":0}})");
  EXPECT_EQ(json_text(to_value(parse_record<Tyre>(text, "t.json"))), text);
}

TEST(Fields, AnotherSchemaIsNamed) {
  EXPECT_EQ(complaint_about_tyre(R"({"schema":"tyre/2"})"),
            "t.json: is of schema 'tyre/2' (this version of tune reads tyre/1)");
  EXPECT_EQ(complaint_about_tyre(R"({})"), "t.json: schema is missing");
}

TEST(Fields, WhatIsTooLongOrOutOfRangeIsRefused) {
  const std::string begin = R"({"schema":"tyre/1","note":)";
  EXPECT_EQ(complaint_about_tyre(begin + R"("123456789"})"),
            "t.json: note is too long or contains a zero byte");
  EXPECT_EQ(complaint_about_tyre(begin + R"("","marks":[],"depths":[21]})"),
            "t.json: depths contains a number that is out of range");
  EXPECT_EQ(complaint_about_tyre(begin + R"("","marks":[],"depths":["a"]})"),
            "t.json: depths contains something that is not a number");
}

TEST(Fields, TextSortsTheFieldsWhereItIsAskedTo) {
  const nlohmann::ordered_json value = {{"b", {{"d", 1}, {"c", "\xff"}}}, {"a", 2}};
  EXPECT_EQ(json_text(value), "{\"b\":{\"d\":1,\"c\":\"\xef\xbf\xbd\"},\"a\":2}");
  EXPECT_EQ(sorted_json_text(value, 1).substr(0, 10), "{\n \"a\": 2,");
}

TEST(Fields, AnyNumberSurvives) {
  for (const double number :
       {1.5, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    Bicycle bicycle;
    bicycle.slope = number;
    EXPECT_EQ(read(to_value(bicycle).dump()).slope, number);
  }
}

}  // namespace
}  // namespace tune
