// dem import as a program: report, case file, refusals.
#include <boost/test/unit_test.hpp>

#include "apps/cli_tools.hpp"

namespace {

using cli::has;

/// A simple cubic lattice of 4³ spheres of radius 0.5, overlapping by 0.01: e = 0.99³ · 6/π − 1, p/k_n = 3 · 0.01 ·
/// 0.99/(3 · 0.99³).
const char* const lattice = R"(3.96 3.96 3.96
)";
std::string cubic() {
  std::string text = lattice;
  for (int k = 0; k < 64; ++k)
    text += std::to_string(0.99 * (k % 4)) + " " + std::to_string(0.99 * (k / 4 % 4)) + " " +
            std::to_string(0.99 * (k / 16)) + " 0.5\n";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_command)

BOOST_AUTO_TEST_CASE(a_table_becomes_a_case_that_checks_and_runs) {
  const cli::Folder folder;
  folder.write("lattice.txt", cubic());
  const auto made = folder.dem("import lattice.txt --to case.toml --pressure 1000");
  BOOST_TEST_REQUIRE(made.code == 0, made.err);
  for (const char* part : {"64 spheres", "void ratio          0.853135", "192 between 192 touching pairs",
                           "coordination        6.000", "without contact     0", "mean 0.01, median 0.01, largest 0.01",
                           "mean stress / k_n   0.010203", "k_n = 98010 N/m"})
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
  // Numbers beyond what a case may have are told of the option.
  for (const auto& [option, message] :
       {std::pair<std::string, std::string>{"--scale 1e200",
                                            "--scale: found 1e200, allowed a number > 0, from 1e-12 to 1e+09"},
        {"--scale 1e-12",
         "--scale: found 1e-12, which makes a radius of 5e-13 m; expected a length > 0, from 1e-12 to 1e+09 m"},
        {"--scale 5e8", "--scale: found 5e+08, which makes an edge of the cell of 1.98e+09 m; expected a length"},
        {"--friction 1e9", "--friction: found 1e9, allowed a number >= 0, at most 1e+06"},
        {"--stiffness-ratio 1e9", "--stiffness-ratio: found 1e9, allowed"},
        {"--density 1e30", "--density: found 1e30, allowed"},
        {"--pressure 1e18",
         "--pressure: found 1e+18, which needs k_n = 9.801e+19 N/m; expected a k_n > 0, from 1e-12 to 1e+18 N/m"}}) {
    const auto result = folder.dem("import lattice.txt --to new.toml " +
                                   (has(option, "pressure") ? option : option + " --pressure 1000"));
    BOOST_TEST(result.code == 2);
    BOOST_TEST(has(result.err, message), result.err);
  }
  BOOST_TEST(!cli::fs::exists(folder.path() / "new.toml"));
  const auto kept = folder.dem("import lattice.txt --to case.toml --pressure 1000");
  BOOST_TEST(kept.code == 3);
  BOOST_TEST(has(kept.err, "case.toml exists"), kept.err);
  BOOST_TEST(cli::text_of(folder.path() / "case.toml") == "mine");
}

BOOST_AUTO_TEST_CASE(the_assembly_itself_is_never_overwritten) {
  const cli::Folder folder;
  folder.write("lattice.txt", cubic());
  cli::fs::create_symlink("lattice.txt", folder.path() / "link.toml");
  for (const std::string to : {"lattice.txt", "./lattice.txt", "link.toml"}) {
    const auto same = folder.dem("import lattice.txt --pressure 1000 --overwrite --to " + to);
    BOOST_TEST(same.code == 2);
    BOOST_TEST(same.err == "--to: found " + to + ", which is the file of the assembly itself; expected another name\n");
    BOOST_TEST(cli::text_of(folder.path() / "lattice.txt") == cubic());
  }
  const auto nowhere = folder.dem("import lattice.txt --pressure 1000 --to nowhere/case.toml");
  BOOST_TEST(nowhere.code == 3);
  BOOST_TEST(nowhere.err == "--to nowhere/case.toml: there is no folder nowhere; make it, or choose another one\n");
}

BOOST_AUTO_TEST_CASE(deep_overlaps_are_allowed_by_the_case) {
  const cli::Folder folder;
  folder.write("deep.txt", "10 10 10\n0 0 0 1\n1.9 0 0 1\n5 5 5 1\n");  // 0.05, and a last bit
  const auto made = folder.dem("import deep.txt --to case.toml --pressure 1e5");
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(has(cli::text_of(folder.path() / "case.toml"), "largest_start_overlap = 0.051 "));
  BOOST_TEST(folder.dem("check case.toml").code == 0);
  const auto told = folder.dem("check case.toml --set assembly.largest_start_overlap=0.05");
  BOOST_TEST(has(told.err,
                 "overlap by 0.05000000000000004 of the smaller diameter; assembly.largest_start_overlap allows 0.05:"),
             told.err);
}

BOOST_AUTO_TEST_CASE(spheres_of_one_centre_are_named) {
  const cli::Folder folder;
  folder.write("same.txt", "# x y z r\n10 10 10\n5 5 5 1\n1 1 1 1\n5 5 5 1\n");
  const auto refused = folder.dem("import same.txt --to case.toml --pressure 1e5");
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.err ==
             "same.txt: particles 1 and 3 (lines 3 and 5) have one centre: no force can part them; one of each pair "
             "must go\n");
  BOOST_TEST(!has(refused.out, "nan"), refused.out);
  BOOST_TEST(has(refused.out, "mean stress / k_n   0 1/m"), refused.out);
}

BOOST_AUTO_TEST_SUITE_END()
