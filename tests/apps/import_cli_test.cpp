// dem import as a program: report, case file, refusals.
#include "apps/cli_tools.hpp"

namespace {

using cli::has;

/// A simple cubic lattice of 4³ spheres of radius 0.5 that overlap by 0.01.
/// So e = 0.99³ · 6/π − 1 and p/k_n = 3 · 0.01 · 0.99/(3 · 0.99³).
std::string cubic() {
  std::string text = "3.96 3.96 3.96\n";
  for (int k = 0; k < 64; ++k)
    text += std::to_string(0.99 * (k % 4)) + " " + std::to_string(0.99 * (k / 4 % 4)) + " " +
            std::to_string(0.99 * (k / 16)) + " 0.5\n";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_table_becomes_a_case_that_checks_and_runs) {
  const cli::Folder folder("lattice.txt", cubic());
  folder.gives(0, "import lattice.txt --to case.toml --pressure 1000",
               {"64 spheres", "void ratio          0.853135", "192 between 192 touching pairs",
                "coordination        6.000", "without contact     0", "mean 0.01, median 0.01, largest 0.01",
                "mean stress / k_n   0.010203", "k_n = 98010 N/m"});
  folder.gives(0, "check case.toml", {"64 bodies of 64 spheres", "mean pressure 1000 Pa by xx, yy, zz"});
  folder.gives(0, "run case.toml -o out --until-step 20");
  BOOST_TEST(!folder.holds("out/frames/000000000000.svg"));  // in space on request
  folder.dem("info case.toml").prints({"import of "});
}

BOOST_AUTO_TEST_CASE(refusals_write_nothing) {
  const cli::Folder folder("short.txt", "4\n3 10 10 10\n0 0 0\n.5 1 1 1\n.5 2 2\n");
  BOOST_TEST(folder.gives(2, "import short.txt --to case.toml --pressure 1000").err ==
             "short.txt:6: found the end of the file, wanted x3 of particle 2 of 3\n");
  BOOST_TEST(!folder.holds("case.toml"));
  folder.write("loose.txt", "10 10 10\n1 1 1 0.5\n5 5 5 0.5\n");
  folder.refuses(2, "import loose.txt --to case.toml --pressure 1000", {"no particles touch"});
  folder.write("open.txt", "1 1 1 0.5\n1.9 1 1 0.5\n");
  folder.refuses(2, "import open.txt --to case.toml --pressure 1000", {"--cell"});
  BOOST_TEST(folder.dem("import open.txt --cell 5 5 5").code == 0);
  BOOST_TEST(folder.dem("import open.txt --cell 5,5,5").code == 0);
  for (const char* edges : {"5", "5 5 5 5"})
    BOOST_TEST(folder.dem(std::string("import open.txt --cell ") + edges).code == 2);
  folder.refuses(2, "import open.txt --cell 5 5 0", {"--cell: found 0, allowed a number > 0"});
  folder.write("discs.txt", "1 1 0.5\n1.9 1 0.5\n");
  folder.gives(0, "import --cell 5 5 discs.txt", {"contacts            1 between 1"});
  folder.refuses(2, "import discs.txt --cell 5 5 5", {"--cell: found 3 edges, allowed 2 for discs"});
  folder.dem("import --help").prints({"--cell X Y [Z]", "two for discs, three for spheres"});
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
         "--pressure: found 1e+18, which needs k_n = 9.801e+19 N/m; expected a k_n > 0, from 1e-12 to 1e+18 N/m"}})
    folder.refuses(
        2, "import lattice.txt --to new.toml " + (has(option, "pressure") ? option : option + " --pressure 1000"),
        {message});
  BOOST_TEST(!folder.holds("new.toml"));
  folder.refuses(3, "import lattice.txt --to case.toml --pressure 1000", {"case.toml exists"});
  BOOST_TEST(folder.text("case.toml") == "mine");
}

BOOST_AUTO_TEST_CASE(the_assembly_itself_is_never_overwritten) {
  const cli::Folder folder("lattice.txt", cubic());
  cli::fs::create_symlink("lattice.txt", folder.path() / "link.toml");
  for (const std::string to : {"lattice.txt", "./lattice.txt", "link.toml"}) {
    BOOST_TEST(folder.gives(2, "import lattice.txt --pressure 1000 --overwrite --to " + to).err ==
               "--to: found " + to + ", which is the file of the assembly itself; expected another name\n");
    BOOST_TEST(folder.text("lattice.txt") == cubic());
  }
  BOOST_TEST(folder.gives(3, "import lattice.txt --pressure 1000 --to nowhere/case.toml").err ==
             "--to nowhere/case.toml: there is no folder nowhere; make it, or choose another one\n");
}

BOOST_AUTO_TEST_CASE(deep_overlaps_are_allowed_by_the_case) {
  const cli::Folder folder("deep.txt", "10 10 10\n0 0 0 1\n1.9 0 0 1\n5 5 5 1\n");  // 0.05, and a last bit
  folder.gives(0, "import deep.txt --to case.toml --pressure 1e5");
  folder.shows("case.toml", {"largest_start_overlap = 0.051 "});
  BOOST_TEST(folder.dem("check case.toml").code == 0);
  folder.dem("check case.toml --set assembly.largest_start_overlap=0.05")
      .warns({"overlap by 0.05000000000000004 of the smaller diameter; assembly.largest_start_overlap allows 0.05:"});
}
