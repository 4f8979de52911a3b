// The output by default: few snapshots, the ends of stages among them, the same after every interruption.
#include <cmath>

#include "apps/cli_tools.hpp"
#include "libdem/results/folder.hpp"
#include "program_cases.hpp"
#include "results/results_test_tools.hpp"

namespace fs = std::filesystem;

namespace {

using dem::test::files_in;

/// Spheres that are pressed until a void ratio, at a step unknown before, and then sheared.
std::string spheres(const std::string& output) {
  return R"(format = 1
dimension = 3
title = "spheres"
time.step = 1.2e-6
assembly = {generator = "random", shape = "sphere", count = 60, radius = 1e-3, spread = 15e-5, void_ratio = 1, seed = 7}
stage = [{name = "press", rate_xx = -60, rate_yy = -60, rate_zz = -60, void_ratio = 0.8, duration = 6e-3},
         {name = "shear", rate_xy = 20, duration = 1.2e-3}]
[material]
density = 2650
normal_stiffness = 2e4
tangential_stiffness_ratio = 0.8
friction = 0.5
restitution = 0.8
tangential_damping_ratio = 0.1
[output]
)" + output;
}

/// Steps at which the stage of the series' next row is another.
std::uint64_t end_of_first_stage(const fs::path& results) {
  const dem::Series series = dem::read_series(results / "series");
  const auto stage = series.column("stage"), step = series.column("step");
  for (std::size_t k = 0; k < stage.size(); ++k)
    if (stage[k] > 1) return std::uint64_t(step[k]);
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(few_snapshots_with_every_end_of_a_stage_and_the_same_after_interruptions) {
  const cli::Folder folder;
  folder.write("spheres.toml", spheres(""));
  const auto whole = folder.dem("run spheres.toml -o whole");
  BOOST_TEST_REQUIRE(whole.code == 0, whole.out << whole.err);
  const fs::path out = folder.path() / "whole";
  const auto snapshots = files_in(out / "snapshots");
  BOOST_TEST(snapshots.size() <= 8u);
  BOOST_TEST(!fs::exists(out / "frames"));
  BOOST_TEST(!fs::exists(out / "paraview"));
  // The end of the first stage is at a step between two rows (50 apart), and has its snapshot.
  const std::uint64_t after = end_of_first_stage(out);
  BOOST_TEST_REQUIRE(after > 0u);
  std::uint64_t end = 0;
  for (const std::string& name : snapshots)
    if (const std::uint64_t step = std::stoull(name); step <= after && step + 50 > after) end = step;
  BOOST_TEST(end > 0u);
  for (const std::string& name : snapshots) {
    const auto info = folder.dem("info whole/snapshots/" + name);
    BOOST_TEST(info.code == 0, info.err);
    BOOST_TEST(cli::has(info.out, "60 bodies in space, 60 shapes, without contacts (output.contacts = false)"),
               info.out);
  }

  // Stopped before, at and after the end of the stage.
  BOOST_TEST(folder.dem(fmt::format("run spheres.toml -o parts --until-step {}", end / 2)).code == 0);
  for (const std::uint64_t step : {end - 1, end, end + 1})
    BOOST_TEST(folder.dem(fmt::format("resume parts --until-step {}", step)).code == 0);
  const auto rest = folder.dem("resume parts");
  BOOST_TEST_REQUIRE(rest.code == 0, rest.err);
  BOOST_TEST(cli::hash_line(rest.out) == cli::hash_line(whole.out));
  BOOST_TEST((snapshots == files_in(folder.path() / "parts/snapshots")));
  for (const std::string& name : snapshots)
    BOOST_TEST((cli::text_of(out / "snapshots" / name) == cli::text_of(folder.path() / "parts/snapshots" / name)),
               name);
}

BOOST_AUTO_TEST_CASE(contacts_at_the_end_of_a_stage_are_whole_and_asking_for_them_changes_no_motion) {
  const cli::Folder folder;
  folder.write("bare.toml", spheres("ledger = false\n"));
  folder.write("full.toml", spheres("ledger = false\ncontacts = true\nvtk = true\n"));
  folder.write("bodies.toml", spheres("ledger = false\nvtk = true\n"));
  const auto bare = folder.dem("run bare.toml -o bare"), full = folder.dem("run full.toml -o full"),
             bodies = folder.dem("run bodies.toml -o bodies");
  BOOST_TEST_REQUIRE(bare.code == 0, bare.err);
  BOOST_TEST_REQUIRE(full.code == 0, full.err);
  BOOST_TEST(cli::hash_line(bare.out) == cli::hash_line(full.out));
  BOOST_TEST(cli::has(bare.out, "snapshots without contacts"), bare.out);
  BOOST_TEST(cli::has(full.out, "snapshots with contacts (for ParaView as well)"), full.out);
  std::size_t contacts = 0;
  for (const std::string& name : files_in(folder.path() / "full/snapshots")) {
    const dem::Snapshot s = dem::read_snapshot(folder.path() / "full/snapshots" / name);
    BOOST_TEST(s.has_contacts);
    contacts += s.contacts;
    const dem::hdf5::SealedFile file = dem::hdf5::read_sealed(folder.path() / "full/snapshots" / name, "snapshot");
    for (const char* column : {"normal_force", "stored_tangential"})
      BOOST_TEST(std::ranges::all_of(file.file.root().open("contacts").read<double>(column),
                                     [](double x) { return std::isfinite(x); }),
                 name);
  }
  BOOST_TEST(contacts > 100u);
  BOOST_TEST(fs::exists(folder.path() / "full/paraview/contacts.pvd"));
  BOOST_TEST(fs::exists(folder.path() / "bodies/paraview/particles.pvd"));
  BOOST_TEST(!fs::exists(folder.path() / "bodies/paraview/contacts.pvd"));
}
