// A run goes on with the case and the files it was made with, or says what differs and what is gone.
#include <regex>

#include "apps/cli_tools.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/folder.hpp"
#include "program_cases.hpp"

using cli::Folder;
using cli::has;
namespace fs = std::filesystem;

namespace {

/// Two discs of 3000 steps with a row each, so that the series has three segments; stopped at step 2000 in `out`.
const std::string rows = "[output]\nseries_interval = 1e-6\nsnapshot_interval = 5e-4\nframe_interval = 1e-3\n";
struct Stopped : Folder {
  explicit Stopped(const std::string& more = rows) : Folder("two.toml", cli::two_discs("1e-6", "3e-3", more)) {
    const auto stopped = dem("run two.toml -o out --until-step 2000");
    BOOST_TEST_REQUIRE(stopped.code == 0, stopped.err);
  }
};

struct InStopped {
  const Stopped folder;
};

/// Replaces a line of out/case.toml; returns its number.
int edit(const Folder& folder, const std::string& key, const std::string& value) {
  const std::string text = folder.text("out/case.toml");
  const std::regex line("\n" + key + " = [^\n]*");
  std::smatch found;
  BOOST_TEST_REQUIRE(std::regex_search(text, found, line), key);
  folder.write("out/case.toml", found.prefix().str() + "\n" + key + " = " + value + found.suffix().str());
  const std::string before = found.prefix().str();
  return 2 + int(std::count(before.begin(), before.end(), '\n'));
}

std::string whole_hash(const Folder& folder) {
  return cli::hash_line(folder.gives(0, "run two.toml -o whole --overwrite").out);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_edited_case_is_told_key_by_key_and_refused, InStopped) {
  const std::string kept = folder.text("out/case.toml"), checkpoint = folder.text("out/checkpoint.h5");
  const int friction = edit(folder, "friction", "0.3"), duration = edit(folder, "duration", "0.0025"),
            radius = edit(folder, "radius", "0.51");
  folder.refuses(
      2, "resume out",
      {fmt::format("out/case.toml:{}: material.friction: the run was made with 0.5, found 0.3\n", friction),
       fmt::format("out/case.toml:{}: stage[1].duration: the run was made with 0.003, found 0.0025\n", duration),
       fmt::format("out/case.toml:{}: body[1].radius: the run was made with 0.5, found 0.51\n", radius),
       std::string("out: its checkpoint of step 2000 was made with another case; put the values back, or go on with "
                   "those found: dem resume out --accept-changes\n")});
  BOOST_TEST(folder.text("out/checkpoint.h5") == checkpoint);
  // Put back, the run goes on with the same bits.
  folder.write("out/case.toml", kept);
  BOOST_TEST(cli::hash_line(folder.gives(0, "resume out").out) == whole_hash(folder));
}

BOOST_FIXTURE_TEST_CASE(changes_that_are_accepted_are_told_to_the_end, InStopped) {
  edit(folder, "friction", "0.3");
  const std::string change = "material.friction from 0.5 to 0.3 at step 2000";
  folder.gives(0, "resume out --accept-changes --until-step 2200", {},
               {"material.friction: the run was made with 0.5, found 0.3"});
  folder.dem("info out").prints({"changed on the way: " + change});
  // Later resumes need no flag, know of it, and take note of the next one.
  const auto next = folder.gives(0, "resume out --until-step 2400");
  BOOST_TEST(next.err.empty(), next.err);
  edit(folder, "restitution", "0.8");
  BOOST_TEST(folder.dem("resume out").code == 2);
  folder.gives(0, "resume out --accept-changes",
               {"attention  The case was changed on the way: " + change +
                "; material.restitution from 0.9 to 0.8 at step 2400."});
  folder.shows("out/verdict.json", {"\"name\": \"changed_on_the_way\", \"value\": 2, \"judgement\": \"attention\""});
  const std::string readme = folder.text("out/README.txt");
  BOOST_TEST(has(readme, change + "\n  material.restitution from 0.9 to 0.8 at step 2400\n"), readme);
  const auto snapshots = dem::ResultsFolder::open(folder.path() / "out").snapshots();
  BOOST_TEST(dem::read_snapshot(snapshots.front()).run.changes.empty());
  BOOST_TEST(dem::read_snapshot(snapshots.back()).run.changes.size() == 2u);
  // A run that is over and is asked again.
  folder.gives(0, "resume out", {change});
}

BOOST_FIXTURE_TEST_CASE(output_title_threads_and_skin_are_free, InStopped) {
  const int interval = edit(folder, "series_interval", "2e-6");
  edit(folder, "threads", "2");
  edit(folder, "skin", "0.2");
  edit(folder, "title", "\"three\"");
  const auto result = folder.gives(
      0, "resume out", {"Verdict: good"},
      {fmt::format("out/case.toml:{}: output.series_interval: 1e-06 until step 2000, 2e-06 from then on\n", interval)});
  BOOST_TEST(has(folder.text("out/README.txt"), "output.series_interval from 1e-06 to 2e-06 at step 2000"));
  BOOST_TEST(cli::hash_line(result.out) == whole_hash(folder));
  const auto steps = dem::ResultsFolder::open(folder.path() / "out").read_series().column("step");
  BOOST_TEST(steps.size() == 2501u);
  BOOST_TEST(steps[2001] == 2002.0);
}

BOOST_AUTO_TEST_CASE(some_changes_no_state_can_go_on_with) {
  for (const auto& [key, value] :
       {std::pair{"step", "5e-7"}, {"integrator", "\"velocity-verlet\""}, {"gravity", "[0.0, -9.81]"}}) {
    const Stopped folder;
    edit(folder, key, value);
    for (const char* flag : {"", " --accept-changes"}) {
      const auto refused = folder.gives(2, std::string("resume out") + flag);
      BOOST_TEST((std::regex_search(refused.err,
                                    std::regex("a run cannot go on with another ([a-z]+\\.)?" + std::string(key)))),
                 refused.err);
    }
  }
  // A table more or less is one difference.
  const Stopped folder;
  folder.write("out/case.toml", folder.text("out/case.toml") + "\n[[stage]]\nduration = 1e-4\n");
  folder.refuses(2, "resume out", {"stage: the run was made with 1 table [[stage]], found 2 tables [[stage]]\n"});
  folder.dem("resume out --accept-changes").prints({"at step 3100"});
}

BOOST_AUTO_TEST_CASE(results_of_a_run_that_is_over_stay_those_of_its_case) {
  const Folder folder("two.toml", cli::two_discs("1e-6", "1e-4"));
  BOOST_TEST(folder.dem("run two.toml -o out").code == 0);
  edit(folder, "friction", "0.3");
  for (const char* flag : {"", " --accept-changes"})
    folder.refuses(2, std::string("resume out") + flag,
                   {"material.friction: the run was made with 0.5, found 0.3", "start_from = \"out\""});
}

BOOST_FIXTURE_TEST_CASE(a_checkpoint_of_another_run_is_refused, InStopped) {
  folder.write("other.toml", cli::with(cli::two_discs("1e-6", "3e-3", rows), "friction = 0.5", "friction = 0.1"));
  BOOST_TEST(folder.dem("run other.toml -o other --until-step 2100").code == 0);
  fs::copy_file(folder.path() / "other/checkpoint.h5", folder.path() / "out/checkpoint.h5",
                fs::copy_options::overwrite_existing);
  for (const char* flag : {"", " --accept-changes"})
    folder.refuses(3, std::string("resume out") + flag,
                   {"out/checkpoint.h5 is of another run: ",
                    "put a whole one of this run there, or start again with dem run out/case.toml"});
}

BOOST_AUTO_TEST_CASE(a_folder_that_moved_goes_on_and_files_count_by_their_content) {
  const Folder folder("grains.wkt",
                      "1\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\n2\tPOLYGON((2 0, 3 0, 3 1, 2 1, 2 0))\n3\tPOLYGON((4 0, "
                      "5 0, 5 1, 4 1, 4 0))\n");
  folder.write("case.toml",
               "format = 1\n[material]\nnormal_stiffness = 4e4\ntangential_stiffness_ratio = 0.3\nfriction = "
               "0.5\nrestitution = 0.9\n[time]\nstep = 1e-4\n"
               "[assembly]\ngenerator = \"grains\"\nfile = \"grains.wkt\"\n[[stage]]\nduration = 0.1\n");
  folder.gives(0, "run case.toml -o out --until-step 500");
  fs::create_directories(folder.path() / "elsewhere");
  fs::rename(folder.path() / "out", folder.path() / "elsewhere/moved");
  const auto moved = folder.gives(0, "resume elsewhere/moved --until-step 600");
  BOOST_TEST(moved.err.empty(), moved.err);
  // The file of the grains moves as well, and the case says so.
  fs::rename(folder.path() / "elsewhere/moved", folder.path() / "out");
  fs::rename(folder.path() / "grains.wkt", folder.path() / "elsewhere/stones.wkt");
  edit(folder, "file", "\"../elsewhere/stones.wkt\"");
  const auto followed = folder.gives(0, "resume out --until-step 700");
  BOOST_TEST(followed.err.empty(), followed.err);
  // Other grains under the same name.
  folder.write("elsewhere/stones.wkt",
               "1\tPOLYGON((0 0, 1 0, 1 1.1, 0 1, 0 0))\n2\tPOLYGON((2 0, 3 0, 3 1, 2 1, 2 0))\n3\tPOLYGON((4 0, 5 0, "
               "5 1, 4 1, 4 0))\n");
  const auto refused = folder.gives(2, "resume out");
  BOOST_TEST((std::regex_search(refused.err, std::regex("out/case.toml:[0-9]+: assembly.file: the run was made with "
                                                        "another content of the file, found .*stones.wkt"))),
             refused.err);
}

BOOST_FIXTURE_TEST_CASE(rows_that_are_gone_are_noticed, InStopped) {
  fs::copy(folder.path() / "out", folder.path() / "kept", fs::copy_options::recursive);
  fs::remove(folder.path() / "out/series/000001.h5");
  const std::string lost = "series/000001.h5 is missing: 1024 rows, steps 0 to 1023";
  folder.dem("info out").prints({"problem: out/series/000001.h5 is missing"});
  folder.refuses(3, "resume out",
                 {"out/" + lost +
                  "\nout: rows are lost that were there at the checkpoint of step 2000; put the files back, or go on "
                  "without these rows: dem resume out --accept-changes\n"});
  // Put back: as if nothing had been.
  fs::copy_file(folder.path() / "kept/series/000001.h5", folder.path() / "out/series/000001.h5");
  BOOST_TEST(folder.dem("resume out --until-step 2100").code == 0);
  // Cut, and the newest one of all: what is left is used where that is accepted.
  fs::resize_file(folder.path() / "out/series/000001.h5", 1000);
  fs::remove(folder.path() / "out/series/000003.h5");
  folder.refuses(3, "resume out",
                 {"out/series/000001.h5 is truncated", "out/series/000003.h5 is missing: 53 rows, steps 2048 to 2100"});
  folder.gives(0, "resume out --accept-changes --until-step 2200");
  const auto rest = folder.gives(0, "resume out",
                                 {"attention  Rows of the results were lost on the way: ",
                                  "series/000003.h5 is missing: 53 rows, steps 2048 to 2100, noticed at step 2100."});
  folder.shows("out/README.txt", {"Rows were lost on the way:\n  series/000001.h5 is truncated"});
  const auto steps = dem::ResultsFolder::open(folder.path() / "out").read_series().column("step");
  BOOST_TEST(steps.size() == 1024u + 900u);  // 1024 to 2047 and 2101 to 3000
  BOOST_TEST(cli::hash_line(rest.out) == whole_hash(folder));
}

BOOST_FIXTURE_TEST_CASE(rows_of_a_finished_run_that_are_gone_are_told, InStopped) {
  BOOST_TEST_REQUIRE(folder.dem("resume out").code == 0);
  fs::remove(folder.path() / "out/series/000003.h5");
  const std::string lost = "out/series/000003.h5 is missing: 953 rows, steps 2048 to 3000\n";
  folder.dem("info out").prints({"  problem: " + lost});
  for (const char* flag : {"", " --accept-changes"})
    folder.refuses(3, std::string("resume out") + flag,
                   {lost + "out: rows are lost that were there at the checkpoint of step 3000; put the files back, or "
                           "run it again: dem run out/case.toml"});
}

BOOST_FIXTURE_TEST_CASE(names_with_blanks_are_quoted_in_commands, cli::WithTwoDiscs) {
  folder.dem("run two.toml -o 'my \"out' --until-step 20").prints({"To go on: dem resume 'my \"out'\n"});
  folder.write("my \"out/checkpoint.h5", "no");
  folder.dem("resume 'my \"out'", "rm -f 'my \"out/checkpoint.previous.h5';")
      .warns({"start again with dem run 'my \"out/case.toml' --output 'my \"out' --overwrite\n"});
}

BOOST_AUTO_TEST_CASE(profiles_are_watched_as_the_series_is) {
  const Folder folder("shear.toml",
                      cli::with(cli::polygon_shear(600), "snapshot_interval = 1e4", "snapshot_interval = 0.15"));
  BOOST_TEST_REQUIRE(folder.dem("run shear.toml -o out --until-step 500").code == 0);
  fs::remove(folder.path() / "out/profiles/000001.h5");
  const auto refused = folder.gives(3, "resume out");
  BOOST_TEST((std::regex_search(refused.err,
                                std::regex("out/profiles/000001.h5 is missing: [0-9]+ rows, steps 0 to [0-9]+\n"))),
             refused.err);
  BOOST_TEST(folder.dem("resume out --accept-changes").code <= 1);
}

BOOST_FIXTURE_TEST_CASE(rows_of_another_run_are_not_taken_for_this_one, InStopped) {
  const fs::path series = folder.path() / "out/series";
  fs::copy_file(series / "000001.h5", series / "000009.h5");
  folder.refuses(3, "resume out --accept-changes",
                 {"out/series/000009.h5 holds rows up to step 2000, and this run had not written it then\n",
                  "move these files away"});
  BOOST_TEST(fs::exists(series / "000009.h5"));
  fs::rename(series / "000009.h5", series / "000002.h5");
  folder.refuses(
      3, "resume out",
      {"out/series/000002.h5 holds 1024 rows, steps 0 to 1023, where this run wrote 977 rows, steps 1024 to 2000\n"});
}

BOOST_FIXTURE_TEST_CASE(other_files_in_the_folder_are_left_alone, InStopped) {
  const std::string hash = whole_hash(folder);
  const fs::path out = folder.path() / "out";
  const cli::Parts strangers = {"series/backup.h5",
                                "series/000001 (copy).h5",
                                "series/notes.part",
                                "snapshots/000000000500 (copy).h5",
                                "snapshots/mine-000000002500.h5",
                                "frames/000000002500b.svg",
                                "paraview/mine-000000002500.vtp",
                                "thesis.part"};
  for (const std::string& name : strangers) {
    const fs::path like = name.starts_with("series") ? out / "series/000001.h5" : out / "snapshots/000000000500.h5";
    fs::copy_file(like, out / name);
  }
  BOOST_TEST(!has(folder.dem("info out").out, "problem"));
  const auto rest = folder.gives(0, "resume out");
  BOOST_TEST(rest.err.empty(), rest.err);
  BOOST_TEST(cli::hash_line(rest.out) == hash);
  const auto results = dem::ResultsFolder::open(out);
  BOOST_TEST(results.read_series().rows() == 3001u);
  BOOST_TEST(results.snapshots().size() == dem::ResultsFolder::open(folder.path() / "whole").snapshots().size());
  for (const std::string& name : strangers) BOOST_TEST(fs::exists(out / name), name);
  // Nor does a new run in the folder take them away.
  BOOST_TEST(folder.dem("run two.toml -o out --overwrite").code == 0);
  for (const std::string& name : strangers) BOOST_TEST(fs::exists(out / name), name);
  BOOST_TEST(results.read_series().rows() == 3001u);
}

BOOST_AUTO_TEST_CASE(collections_are_made_anew_and_missing_snapshots_told) {
  const Stopped folder(rows + "vtk = true\n");
  const fs::path paraview = folder.path() / "out/paraview";
  const std::string whole = cli::text_of(paraview / "particles.pvd");
  fs::resize_file(paraview / "particles.pvd", whole.size() - 50);
  fs::remove(folder.path() / "out/snapshots/000000000500.h5");
  fs::remove(folder.path() / "out/snapshots/000000001500.h5");
  folder.gives(0, "resume out --until-step 2100", {},
               {"out/snapshots/000000000500.h5 is missing, and 1 more of its kind until step 1500\n"});
  BOOST_TEST(cli::text_of(paraview / "particles.pvd") == whole);
  fs::remove(paraview / "particles-000000001000.vtp");
  const auto rest = folder.gives(0, "resume out", {}, {"out/paraview/particles-000000001000.vtp is missing\n"});
  BOOST_TEST(!has(rest.err, "snapshots"), rest.err);
  const std::string after = cli::text_of(paraview / "particles.pvd");
  BOOST_TEST(!has(after, "particles-000000001000.vtp"));
  BOOST_TEST(has(after, "particles-000000003000.vtp"));
}

BOOST_AUTO_TEST_CASE(the_series_as_csv) {
  const Stopped folder(rows + "csv = true\n");
  const fs::path table = folder.path() / "out/series.csv";
  BOOST_TEST(cli::text_of(table) == folder.dem("info --csv out").out);  // of a run that has stopped
  BOOST_TEST(folder.dem("resume out").code == 0);
  const std::string text = folder.dem("info --csv out").out;
  BOOST_TEST(cli::text_of(table) == text);
  const std::string names = cli::line_with(text, "step,");
  BOOST_TEST(names.starts_with("step,time,stage,contacts,"), names);
  BOOST_TEST(std::ranges::count(text, '\n') == 1 + 3001);
  BOOST_TEST(folder.dem("info --csv out/series/000003.h5").out.starts_with(names + "\n2048,"));
  BOOST_TEST(folder.dem("info --csv out/series").out == folder.dem("info --csv out").out);
  BOOST_TEST(folder.dem("info out/series").out.starts_with("series: "));
  BOOST_TEST(folder.dem("info --json out/series").out.find("\"kind\": \"series\"") != std::string::npos);
  BOOST_TEST(folder.dem("info --csv two.toml").code == 3);
}

BOOST_AUTO_TEST_CASE(before_the_first_step_a_changed_case_is_simply_the_case) {
  const Folder folder("two.toml", cli::two_discs("1e-6", "3e-4"));
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 0").code == 0);
  edit(folder, "restitution", "0.8");
  edit(folder, "friction", "0.3");
  BOOST_TEST(folder.dem("resume out").code == 2);
  const auto changed = folder.dem("resume out --accept-changes");
  BOOST_TEST(changed.code <= 1, changed.err);
  BOOST_TEST(!has(changed.out, "changed on the way"), changed.out);
  BOOST_TEST(cli::hash_line(changed.out) ==
             cli::hash_line(
                 folder.dem("run two.toml -o plain --set material.restitution=0.8 --set material.friction=0.3").out));
  for (const char* part : {"case.toml", "series/000001.h5", "README.txt"})
    BOOST_TEST((cli::text_of(folder.path() / "out" / part) == cli::text_of(folder.path() / "plain" / part)), part);
}
