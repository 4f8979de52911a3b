// A run goes on with the case and the files it was made with, or says what differs and what is gone.
#include <fmt/format.h>

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
void stop_at_2000(const Folder& folder, const std::string& more = rows) {
  folder.write("two.toml", cli::two_discs("1e-6", "3e-3", more));
  const auto stopped = folder.dem("run two.toml -o out --until-step 2000");
  BOOST_TEST_REQUIRE(stopped.code == 0, stopped.err);
}

/// Replaces a line of out/case.toml; returns its number.
int edit(const Folder& folder, const std::string& key, const std::string& value) {
  const std::string text = cli::text_of(folder.path() / "out/case.toml");
  const std::regex line("\n" + key + " = [^\n]*");
  std::smatch found;
  BOOST_TEST_REQUIRE(std::regex_search(text, found, line), key);
  folder.write("out/case.toml", found.prefix().str() + "\n" + key + " = " + value + found.suffix().str());
  const std::string before = found.prefix().str();
  return 2 + int(std::count(before.begin(), before.end(), '\n'));
}

std::string whole_hash(const Folder& folder) {
  const auto whole = folder.dem("run two.toml -o whole --overwrite");
  BOOST_TEST_REQUIRE(whole.code == 0, whole.err);
  return cli::hash_line(whole.out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resume_test)

BOOST_AUTO_TEST_CASE(an_edited_case_is_told_key_by_key_and_refused) {
  const Folder folder;
  stop_at_2000(folder);
  const std::string kept = cli::text_of(folder.path() / "out/case.toml"),
                    checkpoint = cli::text_of(folder.path() / "out/checkpoint.h5");
  const int friction = edit(folder, "friction", "0.3"), duration = edit(folder, "duration", "0.0025"),
            radius = edit(folder, "radius", "0.51");
  const auto refused = folder.dem("resume out");
  BOOST_TEST(refused.code == 2, refused.out);
  for (const auto& line :
       {fmt::format("out/case.toml:{}: material.friction: the run was made with 0.5, found 0.3\n", friction),
        fmt::format("out/case.toml:{}: stage[1].duration: the run was made with 0.003, found 0.0025\n", duration),
        fmt::format("out/case.toml:{}: body[1].radius: the run was made with 0.5, found 0.51\n", radius),
        std::string("out: its checkpoint of step 2000 was made with another case; put the values back, or go on with "
                    "those found: dem resume out --accept-changes\n")})
    BOOST_TEST(has(refused.err, line), refused.err);
  BOOST_TEST(cli::text_of(folder.path() / "out/checkpoint.h5") == checkpoint);
  // Put back, the run goes on with the same bits.
  folder.write("out/case.toml", kept);
  const auto rest = folder.dem("resume out");
  BOOST_TEST(rest.code == 0, rest.err);
  BOOST_TEST(cli::hash_line(rest.out) == whole_hash(folder));
}

BOOST_AUTO_TEST_CASE(changes_that_are_accepted_are_told_to_the_end) {
  const Folder folder;
  stop_at_2000(folder);
  edit(folder, "friction", "0.3");
  const std::string change = "material.friction from 0.5 to 0.3 at step 2000";
  const auto accepted = folder.dem("resume out --accept-changes --until-step 2200");
  BOOST_TEST(accepted.code == 0, accepted.err);
  BOOST_TEST(has(accepted.err, "material.friction: the run was made with 0.5, found 0.3"), accepted.err);
  BOOST_TEST(has(folder.dem("info out").out, "changed on the way: " + change));
  // Later resumes need no flag, know of it, and take note of the next one.
  const auto next = folder.dem("resume out --until-step 2400");
  BOOST_TEST(next.code == 0, next.err);
  BOOST_TEST(next.err.empty(), next.err);
  edit(folder, "restitution", "0.8");
  BOOST_TEST(folder.dem("resume out").code == 2);
  const auto rest = folder.dem("resume out --accept-changes");
  BOOST_TEST(rest.code == 0, rest.err);
  BOOST_TEST(has(rest.out, "attention  The case was changed on the way: " + change +
                               "; material.restitution from 0.9 to 0.8 at step 2400."),
             rest.out);
  BOOST_TEST(has(cli::text_of(folder.path() / "out/verdict.json"),
                 "\"name\": \"changed_on_the_way\", \"value\": 2, \"judgement\": \"attention\""));
  const std::string readme = cli::text_of(folder.path() / "out/README.txt");
  BOOST_TEST(has(readme, change + "\n  material.restitution from 0.9 to 0.8 at step 2400\n"), readme);
  const auto snapshots = dem::ResultsFolder::open(folder.path() / "out").snapshots();
  BOOST_TEST(dem::read_snapshot(snapshots.front()).run.changes.empty());
  BOOST_TEST(dem::read_snapshot(snapshots.back()).run.changes.size() == 2u);
  // A run that is over and is asked again.
  const auto again = folder.dem("resume out");
  BOOST_TEST(again.code == 0, again.err);
  BOOST_TEST(has(again.out, change), again.out);
}

BOOST_AUTO_TEST_CASE(output_title_threads_and_skin_are_free) {
  const Folder folder;
  stop_at_2000(folder);
  const int interval = edit(folder, "series_interval", "2e-6");
  edit(folder, "threads", "2");
  edit(folder, "skin", "0.2");
  edit(folder, "title", "\"three\"");
  const auto result = folder.dem("resume out");
  BOOST_TEST(result.code == 0, result.err);
  BOOST_TEST(has(result.err,
                 fmt::format("out/case.toml:{}: output.series_interval: 1e-06 until step 2000, 2e-06 from then on\n",
                             interval)),
             result.err);
  BOOST_TEST(has(result.out, "Verdict: good"), result.out);
  BOOST_TEST(
      has(cli::text_of(folder.path() / "out/README.txt"), "output.series_interval from 1e-06 to 2e-06 at step 2000"));
  BOOST_TEST(cli::hash_line(result.out) == whole_hash(folder));
  const auto steps = dem::ResultsFolder::open(folder.path() / "out").read_series().column("step");
  BOOST_TEST(steps.size() == 2501u);
  BOOST_TEST(steps[2001] == 2002.0);
}

BOOST_AUTO_TEST_CASE(some_changes_no_state_can_go_on_with) {
  for (const auto& [key, value] : {std::pair{"step", "5e-7"}, {"integrator", "\"velocity-verlet\""}}) {
    const Folder folder;
    stop_at_2000(folder);
    edit(folder, key, value);
    for (const char* flag : {"", " --accept-changes"}) {
      const auto refused = folder.dem(std::string("resume out") + flag);
      BOOST_TEST(refused.code == 2, refused.err);
      BOOST_TEST(
          (std::regex_search(refused.err, std::regex("a run cannot go on with another [a-z]+\\." + std::string(key)))),
          refused.err);
    }
  }
  // A table more or less is one difference.
  const Folder folder;
  stop_at_2000(folder);
  folder.write("out/case.toml", cli::text_of(folder.path() / "out/case.toml") + "\n[[stage]]\nduration = 1e-4\n");
  const auto longer = folder.dem("resume out");
  BOOST_TEST(longer.code == 2);
  BOOST_TEST(has(longer.err, "stage: the run was made with 1 table [[stage]], found 2 tables [[stage]]\n"), longer.err);
  BOOST_TEST(has(folder.dem("resume out --accept-changes").out, "at step 3100"));
}

BOOST_AUTO_TEST_CASE(results_of_a_run_that_is_over_stay_those_of_its_case) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs("1e-6", "1e-4"));
  BOOST_TEST(folder.dem("run two.toml -o out").code == 0);
  edit(folder, "friction", "0.3");
  for (const char* flag : {"", " --accept-changes"}) {
    const auto refused = folder.dem(std::string("resume out") + flag);
    BOOST_TEST(refused.code == 2, refused.out);
    BOOST_TEST(has(refused.err, "material.friction: the run was made with 0.5, found 0.3"), refused.err);
    BOOST_TEST(has(refused.err, "start_from = \"out\""), refused.err);
  }
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_another_run_is_refused) {
  const Folder folder;
  stop_at_2000(folder);
  std::string other = cli::two_discs("1e-6", "3e-3", rows);
  other.replace(other.find("friction = 0.5"), 14, "friction = 0.1");
  folder.write("other.toml", other);
  BOOST_TEST(folder.dem("run other.toml -o other --until-step 2100").code == 0);
  fs::copy_file(folder.path() / "other/checkpoint.h5", folder.path() / "out/checkpoint.h5",
                fs::copy_options::overwrite_existing);
  for (const char* flag : {"", " --accept-changes"}) {
    const auto refused = folder.dem(std::string("resume out") + flag);
    BOOST_TEST(refused.code == 3, refused.out);
    BOOST_TEST(has(refused.err, "out/checkpoint.h5 is of another run: "), refused.err);
    BOOST_TEST(has(refused.err, "put a whole one of this run there, or start again with dem run out/case.toml"),
               refused.err);
  }
}

BOOST_AUTO_TEST_CASE(a_folder_that_moved_goes_on_and_files_count_by_their_content) {
  const Folder folder;
  folder.write("grains.wkt",
               "1\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\n2\tPOLYGON((2 0, 3 0, 3 1, 2 1, 2 0))\n3\tPOLYGON((4 0, 5 0, 5 "
               "1, 4 1, 4 0))\n");
  folder.write("case.toml",
               "format = 1\n[material]\nnormal_stiffness = 4e4\ntangential_stiffness_ratio = 0.3\nfriction = "
               "0.5\nrestitution = 0.9\n[time]\nstep = 1e-4\n"
               "[assembly]\ngenerator = \"grains\"\nfile = \"grains.wkt\"\n[[stage]]\nduration = 0.1\n");
  const auto run = folder.dem("run case.toml -o out --until-step 500");
  BOOST_TEST_REQUIRE(run.code == 0, run.err);
  fs::create_directories(folder.path() / "elsewhere");
  fs::rename(folder.path() / "out", folder.path() / "elsewhere/moved");
  const auto moved = folder.dem("resume elsewhere/moved --until-step 600");
  BOOST_TEST(moved.code == 0, moved.err);
  BOOST_TEST(moved.err.empty(), moved.err);
  // The file of the grains moves as well, and the case says so.
  fs::rename(folder.path() / "elsewhere/moved", folder.path() / "out");
  fs::rename(folder.path() / "grains.wkt", folder.path() / "elsewhere/stones.wkt");
  edit(folder, "file", "\"../elsewhere/stones.wkt\"");
  const auto followed = folder.dem("resume out --until-step 700");
  BOOST_TEST(followed.code == 0, followed.err);
  BOOST_TEST(followed.err.empty(), followed.err);
  // Other grains under the same name.
  folder.write("elsewhere/stones.wkt",
               "1\tPOLYGON((0 0, 1 0, 1 1.1, 0 1, 0 0))\n2\tPOLYGON((2 0, 3 0, 3 1, 2 1, 2 0))\n3\tPOLYGON((4 0, 5 0, "
               "5 1, 4 1, 4 0))\n");
  const auto refused = folder.dem("resume out");
  BOOST_TEST(refused.code == 2, refused.out);
  BOOST_TEST((std::regex_search(refused.err, std::regex("out/case.toml:[0-9]+: assembly.file: the run was made with "
                                                        "another content of the file, found .*stones.wkt"))),
             refused.err);
}

BOOST_AUTO_TEST_CASE(rows_that_are_gone_are_noticed) {
  const Folder folder;
  stop_at_2000(folder);
  fs::copy(folder.path() / "out", folder.path() / "kept", fs::copy_options::recursive);
  fs::remove(folder.path() / "out/series/000001.h5");
  const std::string lost = "series/000001.h5 is missing: 1024 rows, steps 0 to 1023";
  BOOST_TEST(has(folder.dem("info out").out, "problem: out/series/000001.h5 is missing"));
  const auto refused = folder.dem("resume out");
  BOOST_TEST(refused.code == 3, refused.out);
  BOOST_TEST(has(refused.err, "out/" + lost +
                                  "\nout: rows are lost that were there at the checkpoint of step 2000; put the files "
                                  "back, or go on without these rows: dem resume out --accept-changes\n"),
             refused.err);
  // Put back: as if nothing had been.
  fs::copy_file(folder.path() / "kept/series/000001.h5", folder.path() / "out/series/000001.h5");
  BOOST_TEST(folder.dem("resume out --until-step 2100").code == 0);
  // Cut, and the newest one of all: what is left is used where that is accepted.
  fs::resize_file(folder.path() / "out/series/000001.h5", 1000);
  fs::remove(folder.path() / "out/series/000003.h5");
  const auto cut = folder.dem("resume out");
  BOOST_TEST(cut.code == 3, cut.out);
  BOOST_TEST(has(cut.err, "out/series/000001.h5 is truncated"), cut.err);
  BOOST_TEST(has(cut.err, "out/series/000003.h5 is missing: 53 rows, steps 2048 to 2100"), cut.err);
  const auto accepted = folder.dem("resume out --accept-changes --until-step 2200");
  BOOST_TEST(accepted.code == 0, accepted.err);
  const auto rest = folder.dem("resume out");
  BOOST_TEST(rest.code == 0, rest.err);
  BOOST_TEST(has(rest.out, "attention  Rows of the results were lost on the way: "), rest.out);
  BOOST_TEST(has(rest.out, "series/000003.h5 is missing: 53 rows, steps 2048 to 2100, noticed at step 2100."),
             rest.out);
  BOOST_TEST(has(cli::text_of(folder.path() / "out/README.txt"),
                 "Rows were lost on the way:\n  series/000001.h5 is truncated"));
  const auto steps = dem::ResultsFolder::open(folder.path() / "out").read_series().column("step");
  BOOST_TEST(steps.size() == 1024u + 900u);  // 1024 to 2047 and 2101 to 3000
  BOOST_TEST(cli::hash_line(rest.out) == whole_hash(folder));
}

BOOST_AUTO_TEST_CASE(rows_of_a_finished_run_that_are_gone_are_told) {
  const Folder folder;
  stop_at_2000(folder);
  BOOST_TEST_REQUIRE(folder.dem("resume out").code == 0);
  fs::remove(folder.path() / "out/series/000003.h5");
  const std::string lost = "out/series/000003.h5 is missing: 953 rows, steps 2048 to 3000\n";
  BOOST_TEST(has(folder.dem("info out").out, "  problem: " + lost));
  for (const char* flag : {"", " --accept-changes"}) {
    const auto again = folder.dem(std::string("resume out") + flag);
    BOOST_TEST(again.code == 3, again.out);
    BOOST_TEST(has(again.err, lost + "out: rows are lost that were there at the checkpoint of step 3000; put the files "
                                     "back, or run it again: dem run out/case.toml"),
               again.err);
  }
}

BOOST_AUTO_TEST_CASE(names_with_blanks_are_quoted_in_commands) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  const auto stopped = folder.dem("run two.toml -o 'my \"out' --until-step 20");
  BOOST_TEST(has(stopped.out, "To go on: dem resume 'my \"out'\n"), stopped.out);
  folder.write("my \"out/checkpoint.h5", "no");
  const auto again = folder.dem("resume 'my \"out'", "rm -f 'my \"out/checkpoint.previous.h5';");
  BOOST_TEST(has(again.err, "start again with dem run 'my \"out/case.toml' --output 'my \"out' --overwrite\n"),
             again.err);
}

BOOST_AUTO_TEST_CASE(profiles_are_watched_as_the_series_is) {
  const Folder folder;
  std::string shear = cli::polygon_shear(600);
  shear.replace(shear.find("snapshot_interval = 1e4"), 23, "snapshot_interval = 0.15");
  folder.write("shear.toml", shear);
  BOOST_TEST_REQUIRE(folder.dem("run shear.toml -o out --until-step 500").code == 0);
  fs::remove(folder.path() / "out/profiles/000001.h5");
  const auto refused = folder.dem("resume out");
  BOOST_TEST(refused.code == 3, refused.out);
  BOOST_TEST((std::regex_search(refused.err,
                                std::regex("out/profiles/000001.h5 is missing: [0-9]+ rows, steps 0 to [0-9]+\n"))),
             refused.err);
  BOOST_TEST(folder.dem("resume out --accept-changes").code <= 1);
}

BOOST_AUTO_TEST_CASE(rows_of_another_run_are_not_taken_for_this_one) {
  const Folder folder;
  stop_at_2000(folder);
  const fs::path series = folder.path() / "out/series";
  fs::copy_file(series / "000001.h5", series / "000009.h5");
  auto refused = folder.dem("resume out --accept-changes");
  BOOST_TEST(refused.code == 3, refused.out);
  BOOST_TEST(
      has(refused.err, "out/series/000009.h5 holds rows up to step 2000, and this run had not written it then\n"),
      refused.err);
  BOOST_TEST(has(refused.err, "move these files away"), refused.err);
  BOOST_TEST(fs::exists(series / "000009.h5"));
  fs::rename(series / "000009.h5", series / "000002.h5");
  refused = folder.dem("resume out");
  BOOST_TEST(refused.code == 3, refused.out);
  BOOST_TEST(
      has(refused.err,
          "out/series/000002.h5 holds 1024 rows, steps 0 to 1023, where this run wrote 977 rows, steps 1024 to 2000\n"),
      refused.err);
}

BOOST_AUTO_TEST_CASE(other_files_in_the_folder_are_left_alone) {
  const Folder folder;
  stop_at_2000(folder);
  const std::string hash = whole_hash(folder);
  const fs::path out = folder.path() / "out";
  const std::vector<std::string> strangers{"series/backup.h5",
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
  const auto rest = folder.dem("resume out");
  BOOST_TEST(rest.code == 0, rest.err);
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
  const Folder folder;
  stop_at_2000(folder, rows + "vtk = true\n");
  const fs::path paraview = folder.path() / "out/paraview";
  const std::string whole = cli::text_of(paraview / "particles.pvd");
  fs::resize_file(paraview / "particles.pvd", whole.size() - 50);
  fs::remove(folder.path() / "out/snapshots/000000000500.h5");
  fs::remove(folder.path() / "out/snapshots/000000001500.h5");
  const auto next = folder.dem("resume out --until-step 2100");
  BOOST_TEST(next.code == 0, next.err);
  BOOST_TEST(has(next.err, "out/snapshots/000000000500.h5 is missing, and 1 more of its kind until step 1500\n"),
             next.err);
  BOOST_TEST(cli::text_of(paraview / "particles.pvd") == whole);
  fs::remove(paraview / "particles-000000001000.vtp");
  const auto rest = folder.dem("resume out");
  BOOST_TEST(rest.code == 0, rest.err);
  BOOST_TEST(has(rest.err, "out/paraview/particles-000000001000.vtp is missing\n"), rest.err);
  BOOST_TEST(!has(rest.err, "snapshots"), rest.err);
  const std::string after = cli::text_of(paraview / "particles.pvd");
  BOOST_TEST(!has(after, "particles-000000001000.vtp"));
  BOOST_TEST(has(after, "particles-000000003000.vtp"));
}

BOOST_AUTO_TEST_CASE(the_series_as_csv) {
  const Folder folder;
  stop_at_2000(folder, rows + "csv = true\n");
  const fs::path table = folder.path() / "out/series.csv";
  BOOST_TEST(cli::text_of(table) == folder.dem("info --csv out").out);  // of a run that has stopped
  BOOST_TEST(folder.dem("resume out").code == 0);
  const std::string text = folder.dem("info --csv out").out;
  BOOST_TEST(cli::text_of(table) == text);
  std::istringstream lines(text);
  std::string names, row;
  std::getline(lines, names);
  const dem::Series series = dem::ResultsFolder::open(folder.path() / "out").read_series();
  BOOST_TEST(names.starts_with("step,time,stage,contacts,"), names);
  std::size_t count = 0;
  for (; std::getline(lines, row); ++count) {
    std::istringstream cells(row);
    std::string cell;
    for (std::size_t k = 0; k < series.row_width(); ++k) {
      BOOST_TEST_REQUIRE(bool(std::getline(cells, cell, ',')), row);
      const double value = series.values[count * series.row_width() + k];
      BOOST_TEST_REQUIRE((std::isnan(value) ? cell == "nan" : std::stod(cell) == value), row);
    }
    BOOST_TEST_REQUIRE(!std::getline(cells, cell, ','));
  }
  BOOST_TEST(count == 3001u);
  BOOST_TEST(folder.dem("info --csv out/series/000003.h5").out.starts_with(names + "\n2048,"));
  BOOST_TEST(folder.dem("info --csv two.toml").code == 3);
}

BOOST_AUTO_TEST_CASE(before_the_first_step_a_changed_case_is_simply_the_case) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs("1e-6", "3e-4"));
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 0").code == 0);
  edit(folder, "restitution", "0.8");
  edit(folder, "friction", "0.3");
  BOOST_TEST(folder.dem("resume out").code == 2);
  const auto changed = folder.dem("resume out --accept-changes");
  BOOST_TEST(changed.code <= 1, changed.err);
  BOOST_TEST(!has(changed.out, "changed on the way"), changed.out);
  const auto plain = folder.dem("run two.toml -o plain --set material.restitution=0.8 --set material.friction=0.3");
  BOOST_TEST(cli::hash_line(changed.out) == cli::hash_line(plain.out));
  for (const char* part : {"case.toml", "series/000001.h5", "README.txt"})
    BOOST_TEST((cli::text_of(folder.path() / "out" / part) == cli::text_of(folder.path() / "plain" / part)), part);
}

BOOST_AUTO_TEST_SUITE_END()
