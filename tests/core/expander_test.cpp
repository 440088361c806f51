#include "core/text/expander.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

#include "core/text/sources.hpp"

namespace wgemm::text {
namespace {

using ::testing::HasSubstr;

std::map<std::string, std::string, std::less<>>& texts() {
  static std::map<std::string, std::string, std::less<>> all;
  return all;
}

std::string_view find_text(std::string_view name) {
  const auto found = texts().find(name);
  return found == texts().end() ? std::string_view{} : std::string_view(found->second);
}

class Expander : public ::testing::Test {
 protected:
  Expander() {
    texts().clear();
    names.set("N", 3);
    names.set("type", std::string("f32"));
  }

  Result<std::string> run(std::string text) {
    texts()["main"] = std::move(text);
    return expand("main", find_text, names);
  }

  std::string result(std::string text) {
    const auto expanded = run(std::move(text));
    EXPECT_TRUE(expanded) << expanded.error().message;
    return expanded.value_or("");
  }

  std::string error(std::string text) {
    const auto expanded = run(std::move(text));
    EXPECT_FALSE(expanded) << *expanded;
    return expanded ? "" : expanded.error().message;
  }

  Environment names;
};

TEST_F(Expander, KeepsPlainLines) {
  EXPECT_EQ(result("a\n  b // c\n\nd\n"), "a\n  b // c\n\nd\n");
  EXPECT_EQ(result("no newline at the end"), "no newline at the end\n");
}

TEST_F(Expander, SubstitutesNamesAndExpressions) {
  EXPECT_EQ(result("var x: $type = $N;"), "var x: f32 = 3;\n");
  EXPECT_EQ(result("a[$(N * (N + 1))]$(N)_$(N - 1)"), "a[12]3_2\n");
  EXPECT_EQ(result("vec4<$type>"), "vec4<f32>\n");
}

TEST_F(Expander, TakesOneBranchOfAnIf) {
  const std::string text =
      "#if N == 1\none\n#elif N == 2\ntwo\n#elif N == 3\nthree\n#else\nmany\n#end\nafter\n";
  EXPECT_EQ(result(text), "three\nafter\n");
  names.set("N", 1);
  EXPECT_EQ(result(text), "one\nafter\n");
  names.set("N", 9);
  EXPECT_EQ(result(text), "many\nafter\n");
  EXPECT_EQ(result("#if N == 1\none\n#end\n"), "");
}

TEST_F(Expander, TakesTheFirstBranchThatHolds) {
  EXPECT_EQ(result("#if 1\nfirst\n#elif 1\nsecond\n#else\nthird\n#end\n"), "first\n");
}

TEST_F(Expander, RepeatsLoops) {
  EXPECT_EQ(result("#for i in 0..N\nsum$(i)\n#end\n"), "sum0\nsum1\nsum2\n");
  EXPECT_EQ(result("#for i in N..N + 2\n$i\n#end\n"), "3\n4\n");
  EXPECT_EQ(result("#for i in 2..2\n$i\n#end\n#for i in 3..1\n$i\n#end\n"), "");
}

TEST_F(Expander, NestsBlocks) {
  EXPECT_EQ(result("#for i in 0..2\n"
                   "#for j in 0..2\n"
                   "#if i == j\n"
                   "$(i)$(j) same\n"
                   "#else\n"
                   "#if i > j\n"
                   "$(i)$(j) more\n"
                   "#end\n"
                   "#end\n"
                   "#end\n"
                   "#end\n"),
            "00 same\n10 more\n11 same\n");
}

TEST_F(Expander, LetsNamesForTheRestOfTheText) {
  EXPECT_EQ(result("#let M = N * 2\n$M\n#let M = M + 1\n$M\n"), "6\n7\n");
}

TEST_F(Expander, ALetInsideALoopEndsWithIt) {
  EXPECT_THAT(error("#for i in 0..1\n#let M = i\n#end\n$M\n"), HasSubstr("main:4: unknown name '$M'"));
}

TEST_F(Expander, IncludesTextsWithArguments) {
  texts()["part"] = "$X$(COUNT)\n";
  EXPECT_EQ(result("#include part X=\"a\" COUNT=N+1\n#include part X=\"b\" COUNT=1\n"), "a4\nb1\n");
}

TEST_F(Expander, WhatAnIncludedTextDefinesStaysInIt) {
  texts()["part"] = "#let M = 1\n$M\n";
  EXPECT_THAT(error("#include part\n$M\n"), HasSubstr("main:2: unknown name '$M'"));
}

TEST_F(Expander, IndentedDirectivesCount) { EXPECT_EQ(result("  #if N\n  x\n  #end\n"), "  x\n"); }

TEST_F(Expander, ReadsLinesThatEndInCarriageReturns) {
  EXPECT_EQ(result("#if N == 3\r\nx\n#end\r\n"), "x\n");
}

struct Mistake {
  const char* text;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& each) { return out << each.text; }

class ExpanderError : public Expander, public ::testing::WithParamInterface<Mistake> {};

TEST_P(ExpanderError, NamesTextAndLine) {
  texts()["part"] = "fine\n$missing\n";
  texts()["loop"] = "#include loop\n";
  EXPECT_THAT(error(GetParam().text), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ExpanderError,
    ::testing::Values(Mistake{"a\n$missing\n", "main:2: unknown name '$missing'"},
                      Mistake{"a\n$(missing)\n", "main:2: expression 'missing': unknown name"},
                      Mistake{"$(type)\n", "main:1: expression 'type': 'type' is a word"},
                      Mistake{"a $(N\n", "main:1: '$(' without ')'"},
                      Mistake{"cost: 5$\n", "main:1: unknown name '$'"},
                      Mistake{"#repeat\n", "main:1: unexpected '#repeat'"},
                      Mistake{"a\n#end\n", "main:2: unexpected '#end'"},
                      Mistake{"#else\n", "main:1: unexpected '#else'"},
                      Mistake{"#elif N\n", "main:1: unexpected '#elif'"},
                      Mistake{"a\n#if N\nb\n", "main:2: #if without #end"},
                      Mistake{"#if N\n#for i in 0..1\n#end\n", "main:1: #if without #end"},
                      Mistake{"#if missing\n#end\n", "main:1: expression 'missing'"},
                      Mistake{"#if 0\n#elif missing\n#end\n", "main:2: expression 'missing'"},
                      Mistake{"#for i in 0..N\n", "main:1: #for without #end"},
                      Mistake{"#for i = 0..N\n#end\n", "main:1: #for is NAME in FIRST..END"},
                      Mistake{"#for i in N\n#end\n", "main:1: #for is NAME in FIRST..END"},
                      Mistake{"#for i in missing..N\n#end\n", "main:1: expression 'missing'"},
                      Mistake{"#for i in 0..missing\n#end\n", "main:1: expression 'missing'"},
                      Mistake{"#let M 1\n", "main:1: #let is NAME = EXPRESSION"},
                      Mistake{"#let M = missing\n", "main:1: expression 'missing'"},
                      Mistake{"#include nowhere\n", "no kernel text 'nowhere'"},
                      Mistake{"#include part X\n", "main:1: #include arguments are KEY=VALUE"},
                      Mistake{"#include part X=missing\n", "main:1: expression 'missing'"},
                      Mistake{"#include part\n", "part:2: unknown name '$missing'"},
                      Mistake{"#include loop\n", "kernel text 'loop' includes itself"}));

TEST(Sources, HoldEveryKernelText) {
  EXPECT_FALSE(find_source("tiled").empty());
  EXPECT_FALSE(find_source("operands/operands").empty());
  EXPECT_TRUE(find_source("tiled.wgsl").empty());
  EXPECT_TRUE(find_source("").empty());
}

TEST(Sources, AnotherTextIsAnotherFingerprint) {
  const Source texts[] = {{"one", "let a = 1;"}, {"two", "let b = 2;"}};
  const Source changed[] = {{"one", "let a = 1;"}, {"two", "let b = 3;"}};
  const Source renamed[] = {{"one", "let a = 1;"}, {"tow", "let b = 2;"}};
  const Source moved[] = {{"one", "let a = 1;t"}, {"wo", "let b = 2;"}};
  for (const auto& other : {std::span(changed), std::span(renamed), std::span(moved)}) {
    EXPECT_NE(fingerprint(texts), fingerprint(other)) << other[1].first;
  }
  EXPECT_EQ(fingerprint(), fingerprint(all_sources()));
  ASSERT_GT(all_sources().size(), 10U);
  EXPECT_NE(fingerprint(), fingerprint(all_sources().subspan(1)));
  for (const auto& [name, text] : all_sources()) EXPECT_EQ(find_source(name), text);
}

}  // namespace
}  // namespace wgemm::text
