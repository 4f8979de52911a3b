// Errors that are no bad case of tests/bad-cases: files that are missing, long keys and values, and the help.
#include "case/error_checks.hpp"

BOOST_AUTO_TEST_CASE(long_keys_and_values_are_cut_and_missing_files_are_told) {
  const std::string megabyte(1000000, 'k');
  for (const std::string& text :
       {with(good_disc, "friction =", megabyte + " = 1\nfriction ="), "[" + megabyte + "]\n",
        good_disc + "[contact]\nlaw = \"" + megabyte + "\"\n",
        with(good_disc, "step = 0.001", "step = \"" + megabyte + "\""),
        with(good_disc, "step = 0.001", "step = [" + megabyte.substr(0, 10) + "]"), "a = 1\n[a." + megabyte + "]\n",
        good_disc + "[assembly]\ngenerator = \"import\"\nfile = \"" + megabyte + "\"\n"}) {
    const auto errors = errors_of(text);
    BOOST_TEST_REQUIRE(!errors.empty());
    for (const auto& error : errors) BOOST_TEST(error.size() < 600, error.substr(0, 600));
  }
  BOOST_CHECK_THROW(read_case("/no/such/case.toml"), FileError);
  BOOST_CHECK_THROW(read_case("/"), FileError);
}

BOOST_AUTO_TEST_CASE(help_knows_every_key) {
  BOOST_TEST(case_keys().size() > 80);
  for (const auto& key : case_keys()) {
    BOOST_TEST(!key.type.empty(), key.path);
    BOOST_TEST(!key.default_text.empty(), key.path);
    BOOST_TEST(!key.allowed.empty(), key.path);
    BOOST_TEST(key.description.ends_with("."), key.path);
    BOOST_TEST(nearest_case_key(key.path) == key.path);
    const std::string cell = fmt::format("`{}`", std::string_view(key.path).substr(key.path.rfind('.') + 1));
    BOOST_TEST(case_reference().find(cell) != std::string::npos, key.path);
  }
  BOOST_TEST(find_case_keys("material.density").size() == 1);
  BOOST_TEST(find_case_keys("density").size() == 3);
  BOOST_TEST(find_case_keys("material").size() == 18);
  BOOST_TEST(find_case_keys("no_such").empty());
}
