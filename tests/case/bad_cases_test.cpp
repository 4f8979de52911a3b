// Every case in tests/bad-cases has exactly the messages that its file names.
// Whoever adds a key or a check adds a case there.
// A file is one bad case with its messages, `#! LINE: KEY: found …`.
// Or a file is a good case, and below its lines stand variants with their messages:
//
//   `#? TEXT`        TEXT replaces the line above. Several such lines are one text; `#?` alone removes the line.
//   `#?3 TEXT`       TEXT replaces the three lines above.
//   `#+ TEXT`        TEXT is added below the line above.
//   `#! KEY: …`      The variant has this message, at the first line of TEXT.
//   `#! +1: KEY: …`  The message is one line further down. -2 is two lines up, 7 is line 7.
//   `#! good`        The variant has no message.
// `<laws>` in a message are the names of all laws.
//
// A line means a line of the case, which begins with none of these marks.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <regex>
#include <sstream>

#include "libdem/case/case_file.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/platform/text_file.hpp"

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

struct Variant {
  std::size_t from, to;  // the lines of the good case that TEXT replaces
  Lines text, messages;
};

/// The message with its line in the case. TEXT begins at line `first`.
std::string placed(const std::string& message, std::size_t first) {
  if (std::isdigit(static_cast<unsigned char>(message[0]))) return message;
  if (message[0] != '+' && message[0] != '-') return fmt::format("{}: {}", first, message);
  return std::to_string(int(first) + std::stoi(message)) + message.substr(message.find(':'));
}

std::string names_of_laws() {
  Lines names;
  for (const dem::laws::LawEntry& law : dem::laws::catalogue()) names.push_back(fmt::format("\"{}\"", law.name));
  return fmt::format("{}", fmt::join(names, ", "));
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

/// Checks the case of a file and its variants, and adds their messages to `all`.
void check_file(const fs::path& file, Lines& all) {
  Lines good, messages;
  std::vector<Variant> variants;
  std::istringstream stream(dem::read_file(file));
  std::smatch part;
  bool open = false;  // the line before belongs to the text of a variant
  for (std::string line; std::getline(stream, line);) {
    const bool mark = std::regex_match(line, part, std::regex(R"(#(\+|\?(\d*))(?: (.*))?)"));
    if (mark) {
      const std::size_t replaced = part[1] == "+" ? 0 : part[2].length() ? std::stoul(part[2]) : 1;
      if (!open) variants.push_back({good.size() - replaced, good.size(), {}, {}});
      BOOST_TEST_REQUIRE(good.size() - replaced == variants.back().from, file << ": " << line);
      if (part[3].matched) variants.back().text.push_back(part[3]);
    } else if (line.starts_with("#! ")) {
      (variants.empty() ? messages : variants.back().messages)
          .push_back(std::regex_replace(line.substr(3), std::regex("<laws>"), names_of_laws()));
    } else {
      good.push_back(line);
    }
    open = mark;
  }
  BOOST_TEST(messages.empty() == !variants.empty(), file << " has messages, or a good case and variants");
  BOOST_TEST_CONTEXT(file) { check(good, messages); }
  for (const auto& [from, to, text, named] : variants) {
    Lines lines(good.begin(), good.begin() + std::ptrdiff_t(from)), expected;
    lines.insert(lines.end(), text.begin(), text.end());
    lines.insert(lines.end(), good.begin() + std::ptrdiff_t(to), good.end());
    if (named != Lines{"good"})
      for (const std::string& message : named) expected.push_back(placed(message, from + 1));
    BOOST_TEST_CONTEXT(file << ", below line " << to << ", with " << fmt::format("{}", fmt::join(text, "\n"))) {
      BOOST_TEST(!named.empty());
      check(lines, expected);
    }
    messages.insert(messages.end(), expected.begin(), expected.end());
  }
  all.insert(all.end(), messages.begin(), messages.end());
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_case_has_the_messages_that_it_names) {
  Lines all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LIBDEM_SOURCE_DIR) / "tests/bad-cases"))
    if (entry.path().extension() == ".toml") check_file(entry.path(), all);
  BOOST_TEST(all.size() >= 340);
  // Among them is each vector of a case in space, with two numbers.
  for (std::string& message : all) message = std::regex_replace(message, std::regex(R"(\[\d\]\.)"), ".");
  for (const dem::CaseKey& key : dem::case_keys())
    if (key.type.find("[x, y, z]") != std::string::npos || key.type == "[xy, xz, yz]")
      BOOST_TEST(std::ranges::any_of(all,
                                     [&](const std::string& message) {
                                       return message.find(": " + key.path + ": ") != std::string::npos &&
                                              message.find("three numbers") != std::string::npos;
                                     }),
                 key.path);
}
