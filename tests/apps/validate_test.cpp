// dem validate through its command line.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "apps/cli_tools.hpp"

using cli::has;

BOOST_AUTO_TEST_SUITE(validate_program)

BOOST_AUTO_TEST_CASE(command_lines) {
  const cli::Folder folder;
  folder.write("file", "");
  const std::tuple<const char*, const char*, int, std::vector<const char*>> rows[] = {
      {"validate pena2008/figur-3", "", 2, {"unknown study 'pena2008/figur-3'", "pena2008/two-discs"}},
      {"validate --workers 0", "", 2, {}},
      {"validate --quik", "", 2, {}},
      {"validate pena2008/elongation --quick --output file", "", 3, {"file"}},
      {"validate --quick", "LIBDEM_VALIDATION=/nowhere", 3, {"LIBDEM_VALIDATION"}},
      {"validate --list", "", 0, {"pena2008/two-discs", "pena2008/elongation"}}};
  for (const auto& [words, environment, code, parts] : rows) BOOST_TEST_CONTEXT(words) {
      const auto result = folder.dem(words, environment);
      BOOST_TEST(result.code == code);
      for (const char* part : parts) BOOST_TEST(has(code == 0 ? result.out : result.err, part));
    }
  BOOST_TEST(!cli::fs::exists(folder.path() / "validation-results"));
}

BOOST_AUTO_TEST_CASE(one_study_in_a_folder_with_spaces) {
  const cli::Folder folder;
  const auto result = folder.dem("validate pena2008/elongation --quick --output 'my results/a'");
  BOOST_TEST(result.code == 0);
  BOOST_TEST(has(result.out, "1 study, quick set: about"));
  const auto claims = nlohmann::json::parse(cli::text_of(folder.path() / "my results/a/claims.json"));
  BOOST_TEST(claims.size() >= 10u);
  if (has(result.out, "python3-matplotlib")) {
    BOOST_TEST_MESSAGE("the page is not tested: there is no Python with matplotlib");
    return;
  }
  const std::string page = cli::text_of(folder.path() / "my results/a/report.html");
  BOOST_TEST(has(page, "<svg"));
  BOOST_TEST(has(page, "dem validate pena2008/elongation --quick"));
}

BOOST_AUTO_TEST_SUITE_END()
