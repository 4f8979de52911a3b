// dem import as a program: report, case file, refusals.
#include <boost/test/unit_test.hpp>

#include "apps/cli_tools.hpp"

namespace {

using cli::has;

/// A simple cubic lattice of 4³ spheres of radius 0.5, overlapping by 0.01: e = 0.99³ · 6/π − 1, p/k_n = 3 · 0.01 · 0.99/(3 · 0.99³).
const char* const lattice = R"(3.96 3.96 3.96
)";
std::string cubic() {
  std::string text = lattice;
  for (int k = 0; k < 64; ++k)
    text += std::to_string(0.99 * (k % 4)) + " " + std::to_string(0.99 * (k / 4 % 4)) + " " + std::to_string(0.99 * (k / 16)) + " 0.5\n";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_command)

BOOST_AUTO_TEST_CASE(a_table_becomes_a_case_that_checks_and_runs) {
  const cli::Folder folder;
  folder.write("lattice.txt", cubic());
  const auto made = folder.dem("import lattice.txt --to case.toml --pressure 1000");
  BOOST_TEST_REQUIRE(made.code == 0, made.err);
  for (const char* part : {"64 spheres", "void ratio          0.853135", "192 between 192 touching pairs", "coordination        6.000", "without contact     0",
                           "mean 0.01, median 0.01, largest 0.01", "mean stress / k_n   0.010203", "k_n = 98010 N/m"})
    BOOST_TEST(has(made.out, part), part << " in\n" << made.out);
  const auto checked = folder.dem("check case.toml");
  BOOST_TEST(checked.code == 0, checked.err);
  BOOST_TEST(has(checked.out, "64 bodies of 64 spheres"), checked.out);
  BOOST_TEST(has(checked.out, "mean pressure 1000 Pa by xx, yy, zz"), checked.out);
  const auto ran = folder.dem("run case.toml -o out --until-step 20");
  BOOST_TEST(ran.code == 0, ran.err);
  BOOST_TEST(cli::fs::exists(folder.path() / "out/frames/000000000000.svg"));
  const auto info = folder.dem("info case.toml");
  BOOST_TEST(has(info.out, "import of "), info.out);
}

BOOST_AUTO_TEST_CASE(refusals_write_nothing) {
  const cli::Folder folder;
  folder.write("short.txt", "4\n3 10 10 10\n0 0 0\n.5 1 1 1\n.5 2 2\n");
  const auto truncated = folder.dem("import short.txt --to case.toml --pressure 1000");
  BOOST_TEST(truncated.code == 2);
  BOOST_TEST(truncated.err == "short.txt:6: found the end of the file, wanted x3 of particle 2 of 3\n");
  BOOST_TEST(!cli::fs::exists(folder.path() / "case.toml"));
  folder.write("loose.txt", "10 10 10\n1 1 1 0.5\n5 5 5 0.5\n");
  const auto loose = folder.dem("import loose.txt --to case.toml --pressure 1000");
  BOOST_TEST(loose.code == 2);
  BOOST_TEST(has(loose.err, "no particles touch"), loose.err);
  folder.write("open.txt", "1 1 1 0.5\n1.9 1 1 0.5\n");
  const auto open = folder.dem("import open.txt --to case.toml --pressure 1000");
  BOOST_TEST(open.code == 2);
  BOOST_TEST(has(open.err, "--cell"), open.err);
  BOOST_TEST(folder.dem("import open.txt --cell 5 5 5").code == 0);
  BOOST_TEST(folder.dem("import open.txt --cell 5,5,5").code == 0);
  const auto negative = folder.dem("import open.txt --cell 5 5 0");
  BOOST_TEST(negative.code == 2);
  BOOST_TEST(has(negative.err, "--cell: found 0, allowed a number > 0"), negative.err);
  BOOST_TEST(folder.dem("import open.txt --to case.toml").code == 2);
  folder.write("case.toml", "mine");
  folder.write("lattice.txt", cubic());
  const auto kept = folder.dem("import lattice.txt --to case.toml --pressure 1000");
  BOOST_TEST(kept.code == 3);
  BOOST_TEST(has(kept.err, "case.toml exists"), kept.err);
  BOOST_TEST(cli::text_of(folder.path() / "case.toml") == "mine");
}

BOOST_AUTO_TEST_SUITE_END()
