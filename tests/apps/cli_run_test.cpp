// The program runs: results, verdict, exit codes, stopping and going on.
#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "apps/cli_tools.hpp"
#include "libdem/results/folder.hpp"

using cli::Folder;
using cli::has;
namespace fs = std::filesystem;

namespace {

/// The sixteen digits after "State hash ", at the last place.
std::string hash_in(const std::string& out) {
  const auto at = out.rfind("State hash ");
  BOOST_TEST_REQUIRE(at != std::string::npos, out);
  return out.substr(at + 11, 16);
}

void check_same_series(const fs::path& a, const fs::path& b) {
  const dem::Series x = dem::read_series(a / "series"), y = dem::read_series(b / "series");
  BOOST_TEST(x.rows() == y.rows());
  BOOST_TEST(x.rows() > 10);
  BOOST_TEST((x.column("step") == y.column("step")));
  BOOST_TEST((x.column("b_x") == y.column("b_x")));
  BOOST_TEST((x.column("energy_residual") == y.column("energy_residual")));
}

/// Starts the program without a shell between, so that signals reach it.
pid_t start(const Folder& folder, const std::vector<std::string>& arguments) {
  std::fflush(nullptr);
  std::cout.flush();
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> words{const_cast<char*>(LIBDEM_PROGRAM)};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  if (chdir(folder.path().c_str()) != 0 || !freopen("stdout.txt", "w", stdout) || !freopen("stderr.txt", "w", stderr))
    _exit(99);
  execv(LIBDEM_PROGRAM, words.data());
  _exit(98);
}

bool wait_for(const fs::path& file) {
  for (int k = 0; k < 3000 && !fs::exists(file); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return fs::exists(file);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_leaves_a_whole_results_folder) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  const auto result = folder.dem("run two.toml");
  BOOST_TEST(result.code == 0, result.err);
  BOOST_TEST(has(result.out, "Verdict: "), result.out);
  BOOST_TEST(has(result.out, "State hash "));
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

BOOST_AUTO_TEST_CASE(existing_results_need_overwrite) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs("1e-6", "1e-4"));
  BOOST_TEST(folder.dem("run two.toml -o out").code == 0);
  const auto refused = folder.dem("run two.toml -o out");
  BOOST_TEST(refused.code == 3);
  BOOST_TEST(has(refused.err, "--overwrite"), refused.err);
  BOOST_TEST(folder.dem("run two.toml -o out --overwrite").code == 0);
  fs::create_directories(folder.path() / "mine");
  folder.write("mine/thesis.tex", "years of work");
  const auto foreign = folder.dem("run two.toml -o mine --overwrite");
  BOOST_TEST(foreign.code == 3);
  BOOST_TEST(fs::exists(folder.path() / "mine/thesis.tex"));
}

BOOST_AUTO_TEST_CASE(stop_at_a_step_and_go_on_gives_the_same_bits) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  const auto whole = folder.dem("run two.toml -o whole");
  BOOST_TEST(whole.code == 0, whole.err);
  const auto part = folder.dem("run two.toml -o parts --until-step 1234");
  BOOST_TEST(part.code == 0, part.err);
  BOOST_TEST(has(part.out, "Stopped at step 1234"), part.out);
  BOOST_TEST(has(part.out, "dem resume parts"), part.out);
  BOOST_TEST(!fs::exists(folder.path() / "parts/verdict.txt"));
  const auto next = folder.dem("resume parts --until-step 1300");
  BOOST_TEST(has(next.out, "Going on from step 1234"), next.out);
  const auto past = folder.dem("resume parts --until-step 7");
  BOOST_TEST(past.code == 2);
  BOOST_TEST(has(past.err, "--until-step 7 is in the past: the last checkpoint is of step 1300; nothing was done"),
             past.err);
  const auto rest = folder.dem("resume parts --threads 2");
  BOOST_TEST(rest.code == 0, rest.err);
  BOOST_TEST(hash_in(rest.out) == hash_in(whole.out));
  check_same_series(folder.path() / "whole", folder.path() / "parts");
  BOOST_TEST(cli::text_of(folder.path() / "whole/verdict.txt") == cli::text_of(folder.path() / "parts/verdict.txt"));
  // A run that is done can be asked again: nothing happens but the verdict.
  const auto again = folder.dem("resume parts");
  BOOST_TEST(again.code == 0, again.err);
  BOOST_TEST(hash_in(again.out) == hash_in(whole.out));
  BOOST_TEST(has(again.out, "parts is already finished, at step 5000; nothing to do\n"), again.out);
  BOOST_TEST(has(again.out, "Verdict: good"), again.out);
  BOOST_TEST(cli::text_of(folder.path() / "whole/verdict.txt") == cli::text_of(folder.path() / "parts/verdict.txt"));
  check_same_series(folder.path() / "whole", folder.path() / "parts");
}

BOOST_AUTO_TEST_CASE(ctrl_c_writes_a_checkpoint_and_says_how_to_go_on) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    folder.write("long.toml",
                 cli::two_discs("1e-6", "1000.0", "[output]\nseries_interval = 1.0\nsnapshot_interval = 500.0\n"));
    const pid_t child = start(folder, {"run", "long.toml", "--output", "out"});
    BOOST_TEST_REQUIRE(wait_for(folder.path() / "out/checkpoint.h5"));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 4);
    const std::string out = cli::text_of(folder.path() / "stdout.txt");
    BOOST_TEST(has(out, "with a checkpoint. To go on: dem resume out"), out);
    const std::string step = out.substr(out.find("Stopped at step ") + 16,
                                        out.find(", t = ", out.find("Stopped")) - out.find("Stopped at step ") - 16);
    BOOST_TEST(std::stoull(step) > 0);
    const auto resumed = folder.dem(fmt::format("resume out --until-step {}", std::stoull(step) + 10));
    BOOST_TEST(resumed.code == 0, resumed.err);
    BOOST_TEST(has(resumed.out, "Going on from step " + step), resumed.out);
  }
}

BOOST_AUTO_TEST_CASE(one_process_writes_into_a_folder) {
  const Folder folder;
  folder.write("long.toml",
               cli::two_discs("1e-6", "1000.0", "[output]\nseries_interval = 1.0\nsnapshot_interval = 500.0\n"));
  folder.write("two.toml", cli::two_discs("1e-6", "1e-4"));
  for (const char* command : {"run", "resume"}) {
    const bool first = std::string(command) == "run";
    const pid_t child =
        first ? start(folder, {"run", "long.toml", "--output", "out"}) : start(folder, {"resume", "out"});
    BOOST_TEST_REQUIRE(wait_for(folder.path() / "out/.lock"));
    BOOST_TEST_REQUIRE(wait_for(folder.path() / "out/checkpoint.h5"));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const Folder outside;  // the first one's output goes into files of its own
    const std::string there = fmt::format("'{}'", (folder.path() / "out").string());
    const std::string holder = fmt::format("out is in use by process {} (dem {}, since ", child, command);
    outside.write("two.toml", cli::two_discs("1e-6", "1e-4"));
    for (const std::string& other : {"run two.toml --overwrite -o " + there, "resume " + there}) {
      const auto refused = outside.dem(other);
      BOOST_TEST(refused.code == 3, other);
      BOOST_TEST(has(refused.err, holder), refused.err);
      BOOST_TEST(has(refused.err, "wait for it or stop it"), refused.err);
    }
    BOOST_TEST(outside.dem("info " + there).code == 0);  // reading stays possible
    // Killed: nothing is left that would have to be cleaned up.
    kill(child, first ? SIGKILL : SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST((first ? WIFSIGNALED(status) : WEXITSTATUS(status) == 4));
    BOOST_TEST(fs::exists(folder.path() / "out/.lock") == first);
  }
  BOOST_TEST(folder.dem("run two.toml -o out --overwrite").code == 0);
  BOOST_TEST(!fs::exists(folder.path() / "out/.lock"));
}

BOOST_AUTO_TEST_CASE(blow_up_stops_and_names_step_and_cause) {
  const Folder folder;
  folder.write("wild.toml", cli::two_discs("2e-4\noverride_limit = true", "1.0"));
  const auto result = folder.dem("run wild.toml -o out");
  BOOST_TEST(result.code == 5, result.out);
  BOOST_TEST(has(result.err, "step "), result.err);
  BOOST_TEST(has(result.err, "'b'"), result.err);
  BOOST_TEST(has(cli::text_of(folder.path() / "out/verdict.txt"), "The run blew up at step "), result.out);
  BOOST_TEST(has(result.out, "Verdict: bad"), result.out);
}

BOOST_AUTO_TEST_CASE(damaged_checkpoints_are_refused) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 100").code == 0);
  // The newest is damaged: the one before is used, and said so.
  fs::resize_file(folder.path() / "out/checkpoint.h5", fs::file_size(folder.path() / "out/checkpoint.h5") / 2);
  const auto earlier = folder.dem("resume out --until-step 50");
  BOOST_TEST(earlier.code == 0, earlier.err);
  BOOST_TEST(has(earlier.out, "Going on from step 0"), earlier.out);
  BOOST_TEST(has(earlier.err, "checkpoint"), earlier.err);
  for (const char* name : {"out/checkpoint.h5", "out/checkpoint.previous.h5"})
    if (fs::exists(folder.path() / name)) fs::resize_file(folder.path() / name, 100);
  const auto refused = folder.dem("resume out");
  BOOST_TEST(refused.code == 3);
  BOOST_TEST(has(refused.err, "checkpoint.h5"), refused.err);
  const std::string again = "start again with dem run out/case.toml --output out --overwrite";
  BOOST_TEST(has(refused.err, again), refused.err);
  for (const char* name : {"out/checkpoint.h5", "out/checkpoint.previous.h5"}) fs::remove(folder.path() / name);
  const auto none = folder.dem("resume out");
  BOOST_TEST(none.code == 3);
  BOOST_TEST(has(none.err, again), none.err);
  BOOST_TEST(folder.dem(again.substr(again.find("run "))).code == 0);  // as it says
}

BOOST_AUTO_TEST_CASE(full_disk_is_a_file_problem) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  // A limit on the size of files stands for the full disk: writing fails in the same place.
  const auto result = folder.dem("run two.toml -o out", "trap '' XFSZ; ulimit -f 8;");
  BOOST_TEST(result.code == 3, result.err);
  BOOST_TEST(has(result.err,
                 "there is no checkpoint yet; lift the limit of the file size (ulimit -f), then: dem run out/case.toml "
                 "--output out --overwrite"),
             result.err);
  // Later in a run, the last checkpoint is named, and it is one to go on from.
  BOOST_TEST(folder.dem("run two.toml -o out --overwrite --until-step 77").code == 0);
  const auto later = folder.dem("resume out", "trap '' XFSZ; ulimit -f 8;");
  BOOST_TEST(later.code == 3, later.err);
  BOOST_TEST(has(later.err,
                 "last checkpoint: step 77 in out; lift the limit of the file size (ulimit -f), then: dem resume out"),
             later.err);
  BOOST_TEST(has(folder.dem("resume out").out, "Going on from step 77"));
  const auto nowhere = folder.dem("run two.toml -o two.toml/out");
  BOOST_TEST(nowhere.code == 3, nowhere.err);
}

/// Every stage line has a percentage, and the time to go is that of the whole run.
BOOST_AUTO_TEST_CASE(every_stage_tells_its_share_and_the_time_to_go) {
  const Folder folder;
  folder.write("shear.toml",
               "format = 1\n[assembly]\ngenerator = \"voronoi\"\ncolumns = 6\nrows = 7\nsolid_fraction = 0.97\nseed = "
               "3\n[plates]\nfrom_rows = true\n"
               "[material]\nnormal_stiffness = 400.0\ntangential_stiffness_ratio = 0.3333333333333333\nfriction = "
               "0.5\nrestitution = 0.9\n[time]\nstep = 0.003\n"
               "[[stage]]\nname = \"first\"\nduration = 0.2\n"
               "[[stage]]\nname = \"press\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = "
               "0.2\nuntil_target = true\nstress_tolerance = 0.05\nstress_hold_time = 0.3\n"
               "[[stage]]\nname = \"shear\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = "
               "1.0\nshear_rate = 0.05\nduration = 0.5\n"
               "[[stage]]\nname = \"rest\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = 1.0\nquiet = "
               "1e-9\nduration = 0.5\n"
               "[output]\nsnapshot_interval = 100.0\nframe_interval = 100.0\n");
  const auto result = folder.dem("run shear.toml -o out");
  BOOST_TEST(result.code <= 1, result.err);
  for (const char* name : {"stage press 2/4", "stage shear 3/4", "stage rest 4/4"}) {
    const auto at = result.out.find(name);
    BOOST_TEST_REQUIRE(at != std::string::npos, result.out);
    const std::string line = result.out.substr(at, result.out.find('\n', at) - at);
    BOOST_TEST(has(line, " %, step "), line);
    BOOST_TEST((has(line, " to go") || has(line, "is not in sight yet")), line);
  }
  const auto press = result.out.find("stage press");
  const std::string line = result.out.substr(press, result.out.find('\n', press) - press);
  BOOST_TEST((has(line, "at least ") == has(line, "the end of stage 2 'press' is not in sight yet")), line);
}

/// What is advised fits what the system refused.
BOOST_AUTO_TEST_CASE(a_folder_that_may_not_be_written) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 77").code == 0);
  // The superuser may write anywhere: then somebody else resumes.
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
  BOOST_TEST(
      has(refused.err,
          "ermission denied; last checkpoint: step 77 in out; allow writing into the folder, then: dem resume out"),
      refused.err);
}

/// Where a step moves a body by less than a last bit of its position, the work on that movement is booked as none.
BOOST_AUTO_TEST_CASE(movements_below_the_last_bit_are_no_blow_up) {
  const Folder folder;
  const std::string help = folder.dem("help").out;
  std::string text = help.substr(help.find("  format = 1"));
  folder.write("fall.toml", text.substr(0, text.find("\n\n")));
  for (const char* settings :
       {"--set time.step=1e-9 --set 'stage[1].duration=2e-7'",
        "--set time.step=1e-7 --set 'body[1].position=[0,1000]' --set 'stage[1].duration=2e-5'"}) {
    const auto result = folder.dem(std::string("run fall.toml -o out --overwrite ") + settings);
    BOOST_TEST(result.code == 0, result.err);
    BOOST_TEST(has(result.out, "Verdict: good"), result.out);
  }
}

BOOST_AUTO_TEST_CASE(numbers_of_steps_and_rows_are_whole_and_not_negative) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  for (const char* option :
       {"run two.toml --until-step ", "resume out --until-step ", "check two.toml --objectivity --steps ",
        "contact apps/examples/contact-jaeger.toml --tractions "})
    for (const char* number : {"-1", "-3", "99999999999999999999999", "1.5", "x"}) {
      const auto result = folder.dem(std::string(option) + number);
      BOOST_TEST(result.code == 2, option << number);
      BOOST_TEST(has(result.err, std::string(": found ") + number + ", allowed a whole number >= 0"), result.err);
    }
}

BOOST_AUTO_TEST_CASE(a_link_to_nothing_is_no_folder) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  fs::create_symlink("nowhere", folder.path() / "link");
  const auto result = folder.dem("run two.toml -o link");
  BOOST_TEST(result.code == 3);
  BOOST_TEST(result.err == "link is a link to nowhere, and there is no such folder; make it, or choose another one\n");
}

BOOST_AUTO_TEST_CASE(info_tells_what_is_damaged_and_how_far_a_run_is) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  BOOST_TEST(folder.dem("run two.toml -o out --until-step 77").code == 0);
  const auto stopped = folder.dem("info out");
  BOOST_TEST(stopped.code == 0, stopped.err);
  BOOST_TEST(has(stopped.out, "\nnot finished: step 77 of stage 1, one of 1\n"), stopped.out);
  BOOST_TEST(folder.dem("resume out").code == 0);
  const auto over = folder.dem("info out");
  BOOST_TEST(over.code == 0, over.err);
  BOOST_TEST(!has(over.out, "not finished"), over.out);
  for (const char* part : {"series/000001.h5", "snapshots/000000000000.h5", "case.toml"}) {
    fs::remove_all(folder.path() / "bad");
    fs::copy(folder.path() / "out", folder.path() / "bad", fs::copy_options::recursive);
    fs::remove(folder.path() / "bad" / part);
    for (const char* how : {"info bad", "info --json bad"}) {
      const auto damaged = folder.dem(how);
      BOOST_TEST(damaged.code == 3, how << part);
      BOOST_TEST(has(damaged.out, std::string("bad/") + part + " is missing"), damaged.out);
    }
  }
  const auto csv = folder.dem("info --csv two.toml");
  BOOST_TEST(csv.code == 3);
  BOOST_TEST(
      csv.err ==
      "--csv: found two.toml, a case file, which has no series; expected a results folder, or a segment of one\n");
  fs::create_directory(folder.path() / "sweep");
  folder.write("sweep/journal", "");
  BOOST_TEST(folder.dem("info sweep").err ==
             "folder sweep is that of a sweep, not of a run: its results are in the table sweep/table.csv\n");
}

BOOST_AUTO_TEST_CASE(the_phases_of_the_steps_are_told_when_asked_for) {
  const Folder folder;
  folder.write("two.toml", cli::two_discs());
  const auto plain = folder.dem("run two.toml -o plain");
  BOOST_TEST(!has(plain.out, " steps took "), plain.out);
  const auto stopped = folder.dem("run two.toml -o out --profile --until-step 77");
  BOOST_TEST(stopped.code == 0, stopped.err);
  BOOST_TEST(has(stopped.out, "77 steps took "), stopped.out);
  const auto resumed = folder.dem("resume out --profile");
  BOOST_TEST(resumed.code == 0, resumed.err);
  BOOST_TEST(hash_in(resumed.out) == hash_in(plain.out));
  // Of a resumed run, the steps since it went on.
  BOOST_TEST(has(cli::text_of(folder.path() / "out/verdict.txt"), "4923 steps took "),
             cli::text_of(folder.path() / "out/verdict.txt"));
  BOOST_TEST(has(resumed.out, ": search "), resumed.out);
}
