// dem validate through its command line.
#include <nlohmann/json.hpp>

#include "apps/cli_tools.hpp"

using cli::has;

BOOST_AUTO_TEST_CASE(command_lines) {
  const cli::Folder folder("file", "");
  const std::tuple<const char*, const char*, int, cli::Parts> rows[] = {
      {"validate pena2008/figur-3", "", 2, {"unknown study 'pena2008/figur-3'", "pena2008/two-discs"}},
      {"validate --workers 0", "", 2, {}},
      {"validate --quik", "", 2, {}},
      {"validate pena2008/elongation --quick --output file", "", 3, {"file"}},
      {"validate --quick", "LIBDEM_VALIDATION=/nowhere", 3, {"LIBDEM_VALIDATION"}}};
  for (const auto& [words, environment, code, parts] : rows) folder.refuses(code, words, parts, environment);
  folder.gives(0, "validate --list", {"pena2008/two-discs", "pena2008/elongation"});
  BOOST_TEST(!cli::fs::exists(folder.path() / "validation-results"));
}

BOOST_FIXTURE_TEST_CASE(one_study_in_a_folder_with_spaces, cli::InFolder) {
  const auto result =
      folder.gives(0, "validate pena2008/elongation --quick --output 'my results/a'", {"1 study, quick set: about"});
  const auto claims = nlohmann::json::parse(folder.text("my results/a/claims.json"));
  BOOST_TEST(claims.size() >= 2u);
  if (has(result.out, "python3-matplotlib")) {
    BOOST_TEST_MESSAGE("the page is not tested: there is no Python with matplotlib");
    return;
  }
  folder.shows("my results/a/report.html", {"<svg", "dem validate pena2008/elongation --quick"});
}
