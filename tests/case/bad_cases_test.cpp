// Every file of tests/bad-cases is a bad case that carries its messages in comments: `#! LINE: KEY: found …`. Whoever
// adds a key or a check adds a file there.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <sstream>

#include "libdem/case/case_file.hpp"
#include "libdem/platform/text_file.hpp"

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(bad_cases)

BOOST_AUTO_TEST_CASE(every_bad_case_has_the_messages_that_it_names) {
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LIBDEM_SOURCE_DIR) / "tests/bad-cases")) {
    if (entry.path().extension() != ".toml") continue;
    ++seen;
    const std::string text = dem::read_file(entry.path());
    std::vector<std::string> expected, found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("#! ")) expected.push_back(line.substr(3));
    try {
      dem::parse_case(text, "bad.toml");
    } catch (const dem::CaseErrors& errors) {
      for (const std::string& message : errors.messages)
        found.push_back(message.substr(message.find_first_not_of(": ", std::string("bad.toml").size())));
    }
    BOOST_TEST_CONTEXT(entry.path().string()) { BOOST_TEST(found == expected, boost::test_tools::per_element()); }
  }
  BOOST_TEST(seen >= 330);
}

BOOST_AUTO_TEST_SUITE_END()
