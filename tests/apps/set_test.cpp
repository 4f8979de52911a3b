// Option --set KEY=VALUE of run and check. The key has that value, in the results too.
// A message about the value names --set.
#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

BOOST_AUTO_TEST_CASE(a_key_is_set_in_check_and_run_and_stands_in_the_results) {
  const Folder folder("case.toml", cli::two_discs());
  folder.gives(0,
               "check --resolved case.toml --set material.friction=0.25 --set 'time.integrator=velocity-verlet' --set "
               "'title=\"set here\"' --set 'gravity=[0, -1.5]' --set body.b.force[0]=-20 --set output.vtk=true --set "
               "stage.duration=2e-5 --set 'contact.law = linear-refined'",
               {"\nfriction = 0.25\n", "\nintegrator = \"velocity-verlet\"\n", "\ntitle = \"set here\"\n",
                "\ngravity = [0.0, -1.5]", "\nforce = [-20.0, 0.0]", "\nvtk = true\n", "\nduration = 2e-05",
                "\nlaw = \"linear-refined\"\n"});
  const auto run = folder.dem("run case.toml -o out --set material.friction=0.25 --set stage[1].duration=2e-5");
  BOOST_TEST(run.code <= 1, run.err);
  const std::string kept = folder.text("out/case.toml");
  BOOST_TEST((has(kept, "\nfriction = 0.25\n") && has(kept, "\nduration = 2e-05")), kept);
  // The same as a file that says so.
  folder.write("other.toml", cli::with(cli::two_discs("1e-6", "2e-5"), "friction = 0.5", "friction = 0.25"));
  const auto hash = [](const cli::Result& ran) { return cli::line_with(ran.out, "State hash ").substr(0, 27); };
  BOOST_TEST(hash(folder.dem("run other.toml -o other")) == hash(run));
}

BOOST_AUTO_TEST_CASE(mistakes_of_set_are_told_with_its_name) {
  const Folder folder("case.toml", cli::two_discs());
  const auto refused = [&](const std::string& options, const std::vector<std::string>& lines) {
    for (const char* command : {"check case.toml ", "run case.toml "}) {
      folder.refuses(2, command + options, lines);
      BOOST_TEST(!folder.holds("results"));
    }
  };
  refused("--set material.fricton=0.3", {"--set: found \"material.fricton\", allowed a key of the case (dem help); "
                                         "nearest known key: material.friction\n"});
  refused("--set material.friction", {"--set: found \"material.friction\", allowed KEY=VALUE"});
  refused("--set =3", {"--set: found \"=3\", allowed KEY=VALUE"});
  refused("--set material.friction=-1", {"--set: material.friction: found -1, allowed a number"});
  refused("--set body.b.force[0]=x", {"--set: found \"x\" for \"body.b.force[0]\", allowed a number"});
  refused("--set stage.none.duration=1", {"--set: found \"stage.none.duration\""});
  refused("--set contact.law=jager", {"--set: contact.law: found "});
  // Above the limit: the value is not in the file.
  refused("--set time.step=1e-3", {"--set: time.step: found 0.001 s, allowed at most "});
  folder.write("case.toml", cli::two_discs("\"auto\"", "0.005", "[[stage]]\nduration = 1e14\n"));
  refused("--set stage[1].duration=2e-5", {"case.toml:25: stage[2].duration: found a time of 1e+14 s"});
  refused("--set stage[2].duration=2e14", {"--set: stage[2].duration: found a time of 2e+14 s"});
  // An error of the file keeps its line.
  folder.write("case.toml", cli::with(cli::two_discs(), "restitution = 0.9", "restitution = 9.0"));
  refused("--set material.friction=0.1", {"case.toml:7: material.restitution: found 9.0"});
  refused("--set material.friction=-1",
          {"case.toml:7: material.restitution: found 9.0", "--set: material.friction: found -1"});
}
