// Every case in tests/bad-cases has exactly the messages that its file names. Whoever adds a key or a check adds a
// case. A file is one bad case with its messages, `#! LINE: KEY: found …`; or a good case, and bad variants of its
// lines:
//   #? TEXT       TEXT stands in place of the line above (several lines: several `#?` in a row; `#?` alone: no line)
//   #?3 TEXT      TEXT stands in place of the three lines above
//   #+ TEXT       TEXT is added below the line above
//   #! KEY: …     a message of the variant, at the first line of TEXT
//   #! +1: KEY: … one line further down; -2: two lines further up; 7: at line 7
// "Line" means a line of the case, that is, one that does not begin with `#?`, `#+` or `#!`.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <regex>
#include <sstream>

#include "libdem/case/case_file.hpp"
#include "libdem/platform/text_file.hpp"

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

struct Variant {
  std::size_t from, to;  // the lines of the good case that TEXT replaces
  Lines text, messages;
};

/// The message with its line in the case; `first`: the first line of TEXT.
std::string placed(const std::string& message, std::size_t first) {
  if (std::isdigit(static_cast<unsigned char>(message[0]))) return message;
  if (message[0] != '+' && message[0] != '-') return fmt::format("{}: {}", first, message);
  return std::to_string(int(first) + std::stoi(message)) + message.substr(message.find(':'));
}

void check(const Lines& lines, const Lines& expected) {
  Lines found;
  try {
    dem::parse_case(fmt::format("{}\n", fmt::join(lines, "\n")), "bad.toml");
  } catch (const dem::CaseErrors& errors) {
    for (const std::string& message : errors.messages)
      found.push_back(message.substr(message.find_first_not_of(": ", std::string("bad.toml").size())));
  }
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

/// Checks the case of a file and its variants; returns the number of bad cases.
std::size_t check_file(const fs::path& file) {
  Lines good, messages;
  std::vector<Variant> variants;
  std::istringstream stream(dem::read_file(file));
  std::smatch part;
  bool open = false;  // the line before belongs to the text of a variant
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("#! ")) {
      (variants.empty() ? messages : variants.back().messages).push_back(line.substr(3));
    } else if (std::regex_match(line, part, std::regex(R"(#(\+|\?(\d*))(?: (.*))?)"))) {
      const std::size_t replaced = part[1] == "+" ? 0 : part[2].length() ? std::stoul(part[2]) : 1;
      if (!open) variants.push_back({good.size() - replaced, good.size(), {}, {}});
      BOOST_TEST_REQUIRE(good.size() - replaced == variants.back().from, file << ": " << line);
      if (part[3].matched) variants.back().text.push_back(part[3]);
      open = true;
      continue;
    } else {
      good.push_back(line);
    }
    open = false;
  }
  BOOST_TEST_CONTEXT(file) { check(good, messages); }
  for (const auto& [from, to, text, named] : variants) {
    Lines bad(good.begin(), good.begin() + std::ptrdiff_t(from)), expected;
    bad.insert(bad.end(), text.begin(), text.end());
    bad.insert(bad.end(), good.begin() + std::ptrdiff_t(to), good.end());
    for (const std::string& message : named) expected.push_back(placed(message, from + 1));
    BOOST_TEST_CONTEXT(file << ", below line " << to << ", with " << fmt::format("{}", fmt::join(text, "\n"))) {
      BOOST_TEST(!expected.empty());
      check(bad, expected);
    }
  }
  BOOST_TEST(messages.empty() == !variants.empty(), file << " has messages, or a good case and variants");
  return variants.size() + !messages.empty();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_cases)

BOOST_AUTO_TEST_CASE(every_bad_case_has_the_messages_that_it_names) {
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LIBDEM_SOURCE_DIR) / "tests/bad-cases"))
    if (entry.path().extension() == ".toml") seen += check_file(entry.path());
  BOOST_TEST(seen >= 320);
}

BOOST_AUTO_TEST_SUITE_END()
