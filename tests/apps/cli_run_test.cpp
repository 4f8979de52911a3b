// The program runs: results, verdict, exit codes, stopping and going on.
#include <fmt/format.h>

#include "apps/cli_tools.hpp"
#include "libdem/results/folder.hpp"

using cli::Folder;
using cli::has;
namespace fs = std::filesystem;

namespace {

const std::string endless =
    cli::two_discs("1e-6", "1000.0", "[output]\nseries_interval = 1.0\nsnapshot_interval = 500.0\n");

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_run_leaves_a_whole_results_folder, cli::WithTwoDiscs) {
  folder.gives(0, "run two.toml", {"Verdict: ", "State hash "});
  const fs::path out = folder.path() / "results/two";
  for (const char* part :
       {"README.txt", "case.toml", "checkpoint.h5", "verdict.txt", "verdict.json", "paraview/particles.pvd"})
    BOOST_TEST(fs::exists(out / part), part);
  const auto results = dem::ResultsFolder::open(out);
  BOOST_TEST(results.frames().size() == 6);
  BOOST_TEST(results.snapshots().size() == 6);
  const dem::Series series = results.read_series();
  const auto steps = series.column("step");
  BOOST_TEST(steps.front() == 0);
  BOOST_TEST(steps.back() == 5000);
  BOOST_TEST(series.column("time").back() == 0.005, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(folder.dem("info results/two").code == 0);
  const std::string verdict = cli::text_of(out / "verdict.txt");
  BOOST_TEST(!has(verdict, "contact plane"), verdict);  // discs have none to choose
  for (const char* name : {"verdict.json", "verdict.txt"})
    BOOST_TEST(folder.dem(std::string("info results/two/") + name).out == "verdict:\n" + verdict);
  BOOST_TEST(!has(cli::text_of(out / "README.txt"), "profiles/"));
  BOOST_TEST(!has(cli::text_of(out / "frames/000000005000.svg"), "strain"));
  BOOST_TEST(folder.dem("check results/two/case.toml").code == 0);
}

BOOST_FIXTURE_TEST_CASE(stop_at_a_step_and_go_on_gives_the_same_bits, cli::WithTwoDiscs) {
  const auto whole = folder.gives(0, "run two.toml -o whole");
  folder.gives(0, "run two.toml -o parts --until-step 1234", {"Stopped at step 1234", "dem resume parts"});
  BOOST_TEST(!folder.holds("parts/verdict.txt"));
  folder.dem("resume parts --until-step 1300").prints({"Going on from step 1234"});
  folder.refuses(2, "resume parts --until-step 7",
                 {"--until-step 7 is in the past: the last checkpoint is of step 1300; nothing was done"});
  BOOST_TEST(cli::line_with(folder.gives(0, "resume parts --threads 2").out, "State hash ") ==
             cli::line_with(whole.out, "State hash "));
  BOOST_TEST(folder.text("whole/verdict.txt") == folder.text("parts/verdict.txt"));
  // A run that is done can be asked again: nothing happens but the verdict.
  const auto again =
      folder.gives(0, "resume parts", {"parts is already finished, at step 5000; nothing to do\n", "Verdict: good"});
  BOOST_TEST(cli::line_with(again.out, "State hash ") == cli::line_with(whole.out, "State hash "));
  BOOST_TEST(folder.text("whole/verdict.txt") == folder.text("parts/verdict.txt"));
}

BOOST_AUTO_TEST_CASE(ctrl_c_writes_a_checkpoint_and_says_how_to_go_on) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder("long.toml", endless);
    const pid_t child = cli::start(folder, {"run", "long.toml", "--output", "out"});
    BOOST_TEST_REQUIRE(cli::comes({folder.path() / "out/checkpoint.h5"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const int status = cli::end_of(child, signal);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 4);
    const std::string out = folder.text("stdout.txt");
    BOOST_TEST(has(out, "with a checkpoint. To go on: dem resume out"), out);
    const std::string step = out.substr(out.find("Stopped at step ") + 16,
                                        out.find(", t = ", out.find("Stopped")) - out.find("Stopped at step ") - 16);
    BOOST_TEST(std::stoull(step) > 0);
    folder.gives(0, fmt::format("resume out --until-step {}", std::stoull(step) + 10), {"Going on from step " + step});
  }
}

BOOST_AUTO_TEST_CASE(one_process_writes_into_a_folder) {
  const Folder folder("long.toml", endless);
  folder.write("two.toml", cli::two_discs("1e-6", "1e-4"));
  for (const char* command : {"run", "resume"}) {
    const bool first = std::string(command) == "run";
    const pid_t child =
        first ? cli::start(folder, {"run", "long.toml", "--output", "out"}) : cli::start(folder, {"resume", "out"});
    BOOST_TEST_REQUIRE(cli::comes({folder.path() / "out/.lock"}));
    BOOST_TEST_REQUIRE(cli::comes({folder.path() / "out/checkpoint.h5"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const Folder outside;  // the first one's output goes into files of its own
    const std::string there = fmt::format("'{}'", (folder.path() / "out").string());
    const std::string holder = fmt::format("out is in use by process {} (dem {}, since ", child, command);
    outside.write("two.toml", cli::two_discs("1e-6", "1e-4"));
    for (const std::string& other : {"run two.toml --overwrite -o " + there, "resume " + there})
      outside.refuses(3, other, {holder, "wait for it or stop it"});
    BOOST_TEST(outside.dem("info " + there).code == 0);  // reading stays possible
    // Killed: nothing is left that would have to be cleaned up.
    const int status = cli::end_of(child, first ? SIGKILL : SIGTERM);
    BOOST_TEST((first ? WIFSIGNALED(status) : WEXITSTATUS(status) == 4));
    BOOST_TEST(folder.holds("out/.lock") == first);
  }
  BOOST_TEST(folder.dem("run two.toml -o out --overwrite").code == 0);
  BOOST_TEST(!folder.holds("out/.lock"));
}

BOOST_FIXTURE_TEST_CASE(damaged_checkpoints_are_refused, cli::WithTwoDiscs) {
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 100").code == 0);
  // The newest is damaged: the one before is used, and said so.
  fs::resize_file(folder.path() / "out/checkpoint.h5", fs::file_size(folder.path() / "out/checkpoint.h5") / 2);
  folder.gives(0, "resume out --until-step 50", {"Going on from step 0"}, {"checkpoint"});
  for (const char* name : {"out/checkpoint.h5", "out/checkpoint.previous.h5"})
    if (fs::exists(folder.path() / name)) fs::resize_file(folder.path() / name, 100);
  const std::string again = "start again with dem run out/case.toml --output out --overwrite";
  folder.refuses(3, "resume out", {"checkpoint.h5", again});
  for (const char* name : {"out/checkpoint.h5", "out/checkpoint.previous.h5"}) fs::remove(folder.path() / name);
  folder.refuses(3, "resume out", {again});
  BOOST_TEST(folder.dem(again.substr(again.find("run "))).code == 0);  // as it says
}

BOOST_FIXTURE_TEST_CASE(full_disk_is_a_file_problem, cli::WithTwoDiscs) {
  // A limit on the size of files stands for the full disk: writing fails in the same place.
  folder.gives(3, "run two.toml -o out", {}, {}, "trap '' XFSZ; ulimit -f 8;")
      .warns({"there is no checkpoint yet; lift the limit of the file size (ulimit -f), then: dem run out/case.toml "
              "--output out --overwrite"});
  // Later in a run, the last checkpoint is named, and it is one to go on from.
  BOOST_TEST(folder.dem("run two.toml -o out --overwrite --until-step 77").code == 0);
  folder.gives(3, "resume out", {}, {}, "trap '' XFSZ; ulimit -f 8;")
      .warns({"last checkpoint: step 77 in out; lift the limit of the file size (ulimit -f), then: dem resume out"});
  folder.dem("resume out").prints({"Going on from step 77"});
  folder.gives(3, "run two.toml -o two.toml/out");
}

/// Every stage line has a percentage, and the time to go is that of the whole run.
BOOST_AUTO_TEST_CASE(every_stage_tells_its_share_and_the_time_to_go) {
  const Folder folder("shear.toml",
                      "format = 1\n[assembly]\ngenerator = \"voronoi\"\ncolumns = 6\nrows = 7\nsolid_fraction = "
                      "0.97\nseed = 3\n[plates]\nfrom_rows = true\n"
                      "[material]\nnormal_stiffness = 400.0\ntangential_stiffness_ratio = 0.3333333333333333\nfriction "
                      "= 0.5\nrestitution = 0.9\n[time]\nstep = 0.003\n"
                      "[[stage]]\nname = \"first\"\nduration = 0.2\n"
                      "[[stage]]\nname = \"press\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = "
                      "0.2\nuntil_target = true\nstress_tolerance = 0.05\nstress_hold_time = 0.3\n"
                      "[[stage]]\nname = \"shear\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = "
                      "1.0\nshear_rate = 0.05\nduration = 0.5\n"
                      "[[stage]]\nname = \"rest\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = "
                      "1.0\nquiet = 1e-9\nduration = 0.5\n"
                      "[output]\nsnapshot_interval = 100.0\nframe_interval = 100.0\n");
  const auto result = folder.dem("run shear.toml -o out");
  BOOST_TEST(result.code <= 1, result.err);
  for (const char* name : {"stage press 2/4", "stage shear 3/4", "stage rest 4/4"}) {
    const std::string line = cli::line_with(result.out, name);
    BOOST_TEST(has(line, " %, step "), result.out);
    BOOST_TEST((has(line, " to go") || has(line, "is not in sight yet")), line);
  }
  const std::string line = cli::line_with(result.out, "stage press");
  BOOST_TEST((has(line, "at least ") == has(line, "the end of stage 2 'press' is not in sight yet")), line);
}

/// The advice fits what the system refused.
BOOST_FIXTURE_TEST_CASE(a_folder_that_may_not_be_written, cli::WithTwoDiscs) {
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 77").code == 0);
  // The superuser may write anywhere. Then another user resumes.
  const bool super = geteuid() == 0;
  if (super && std::system("command -v setpriv >/dev/null") != 0) {
    BOOST_TEST_MESSAGE("skipped: needs setpriv");
    return;
  }
  const std::string as_another =
      super ? "chmod 755 . && chmod -R a+rwX out && chmod 555 out/series && setpriv --reuid=65534 --clear-groups"
            : "chmod 555 out/series &&";
  const auto refused = folder.dem("resume out", as_another);
  std::error_code ignored;
  fs::permissions(folder.path() / "out/series", fs::perms::owner_all, ignored);
  BOOST_TEST(refused.code == 3, refused.out << refused.err);
  refused.warns(
      {"ermission denied; last checkpoint: step 77 in out; allow writing into the folder, then: dem resume out"});
}

/// Where a step moves a body by less than a last bit of its position, the work on that movement is booked as none.
BOOST_FIXTURE_TEST_CASE(movements_below_the_last_bit_are_no_blow_up, cli::InFolder) {
  const std::string help = folder.dem("help").out;
  std::string text = help.substr(help.find("  format = 1"));
  folder.write("fall.toml", text.substr(0, text.find("\n\n")));
  for (const char* settings : {"--set time.step=1e-9 --set 'stage[1].duration=2e-7'",
                               "--set time.step=1e-7 --set 'body[1].position=[0,1000]' --set 'stage[1].duration=2e-5'"})
    folder.gives(0, std::string("run fall.toml -o out --overwrite ") + settings, {"Verdict: good"});
}

BOOST_FIXTURE_TEST_CASE(numbers_of_steps_and_rows_are_whole_and_results_go_into_a_folder, cli::WithTwoDiscs) {
  for (const char* option :
       {"run two.toml --until-step ", "resume out --until-step ", "check two.toml --objectivity --steps ",
        "contact apps/examples/contact-jaeger.toml --tractions "})
    for (const char* number : {"-1", "-3", "99999999999999999999999", "1.5", "x"})
      folder.refuses(2, std::string(option) + number,
                     {std::string(": found ") + number + ", allowed a whole number >= 0"});
  // A link to nothing is no folder.
  fs::create_symlink("nowhere", folder.path() / "link");
  BOOST_TEST(folder.gives(3, "run two.toml -o link").err ==
             "link is a link to nowhere, and there is no such folder; make it, or choose another one\n");
}

BOOST_FIXTURE_TEST_CASE(info_tells_what_is_damaged_and_how_far_a_run_is, cli::WithTwoDiscs) {
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 77").code == 0);
  folder.gives(0, "info out", {"\nnot finished: step 77 of stage 1, one of 1\n"});
  BOOST_TEST(folder.dem("resume out").code == 0);
  const auto over = folder.gives(0, "info out");
  BOOST_TEST(!has(over.out, "not finished"), over.out);
  for (const char* part : {"series/000001.h5", "snapshots/000000000000.h5", "case.toml"}) {
    fs::remove_all(folder.path() / "bad");
    fs::copy(folder.path() / "out", folder.path() / "bad", fs::copy_options::recursive);
    fs::remove(folder.path() / "bad" / part);
    for (const char* how : {"info bad", "info --json bad"})
      folder.gives(3, how, {std::string("bad/") + part + " is missing"});
  }
  BOOST_TEST(
      folder.gives(3, "info --csv two.toml").err ==
      "--csv: found two.toml, a case file, which has no series; expected a results folder, a folder of segments or one "
      "segment\n");
  fs::create_directory(folder.path() / "sweep");
  folder.write("sweep/journal", "");
  BOOST_TEST(folder.dem("info sweep").err ==
             "folder sweep is that of a sweep, not of a run: its results are in the table sweep/table.csv\n");
}

BOOST_FIXTURE_TEST_CASE(the_phases_of_the_steps_are_told_when_asked_for, cli::WithTwoDiscs) {
  const auto plain = folder.dem("run two.toml -o plain");
  BOOST_TEST(!has(plain.out, " steps took "), plain.out);
  folder.gives(0, "run two.toml -o out --profile --until-step 77", {"77 steps took "});
  const auto resumed = folder.gives(0, "resume out --profile");
  BOOST_TEST(cli::line_with(resumed.out, "State hash ") == cli::line_with(plain.out, "State hash "));
  // Of a resumed run, the steps since it went on.
  BOOST_TEST(has(folder.text("out/verdict.txt"), "4923 steps took "), folder.text("out/verdict.txt"));
  resumed.prints({": search "});
}
