// Memory, disk and time as `dem check` and `dem run` print them, beside those that a run really takes.
#include <sys/resource.h>

#include <regex>

#include "apps/cli_tools.hpp"
#include "program_cases.hpp"

using cli::Folder;
using cli::has;
namespace fs = std::filesystem;

namespace {

std::string spheres(int count, const std::string& stage, const std::string& output) {
  return fmt::format(
      "format = 1\ndimension = 3\n[assembly]\ngenerator = \"random\"\nshape = \"sphere\"\ncount = {}\nradius = "
      "1e-3\nspread = 0.15e-3\nvoid_ratio = 0.9\n"
      "[material]\ndensity = 2650.0\nnormal_stiffness = 2e4\ntangential_stiffness_ratio = 0.8\nfriction = "
      "0.5\nrestitution = 0.8\n"
      "tangential_damping_ratio = 0.1\n[time]\nstep = 1.2e-6\n[[stage]]\nname = \"press\"\n{}\n{}",
      count, stage, output);
}

/// Discs on a lattice.
std::string lattice(const std::string& duration, int columns, int rows, const std::string& spacing) {
  const std::string discs = cli::two_discs("1e-6", duration);
  return discs.substr(0, discs.find("[[body]]")) + discs.substr(discs.find("[[stage]]")) +
         fmt::format(
             "[assembly]\ngenerator = \"lattice\"\nshape = \"disc\"\ncolumns = {}\nrows = {}\nradius = 0.5\nspacing = "
             "{}\n",
             columns, rows, spacing);
}

/// The bytes in "about 3.2 MB" after a word of the program's output.
double bytes_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  BOOST_TEST_REQUIRE(at != std::string::npos, text);
  std::smatch found;
  const std::string rest = text.substr(at);
  BOOST_TEST_REQUIRE(std::regex_search(rest, found, std::regex("about ([0-9.]+) (B|kB|MB|GB)")), rest);
  const std::string unit = found[2];
  return std::stod(found[1]) * (unit == "B" ? 1 : unit == "kB" ? 1e3 : unit == "MB" ? 1e6 : 1e9);
}

double size_of(const fs::path& folder) {
  double bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += double(entry.file_size());
  return bytes;
}

/// Largest resident size of the program (bytes).
double peak_memory(const Folder& folder, const std::vector<std::string>& arguments) {
  const pid_t child = cli::start(folder, arguments);
  int status = 0;
  rusage usage{};
  BOOST_TEST_REQUIRE(wait4(child, &status, 0, &usage) == child);
  BOOST_TEST_REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0), folder.text("stderr.txt"));
  return 1024.0 * double(usage.ru_maxrss);
}

}  // namespace

BOOST_AUTO_TEST_CASE(disk_space_is_estimated_and_what_is_written_is_counted) {
  const Folder folder("plane.toml", cli::polygon_shear(600));
  folder.write("discs.toml", cli::two_discs());
  const std::string stage = "rate_xx = -100.0\nrate_yy = -100.0\nrate_zz = -100.0\nduration = 1.2e-3";
  folder.write("space.toml", spheres(1000, stage, ""));
  folder.write("full.toml", spheres(1000, stage, "[output]\ncontacts = true\nvtk = true\n"));
  for (const std::string name : {"plane", "discs", "space", "full"}) {
    const auto check = folder.dem("check " + name + ".toml"), run = folder.dem("run " + name + ".toml");
    BOOST_TEST_REQUIRE(check.code == 0, check.err);
    const double told = bytes_after(check.out, "  disk "), really = size_of(folder.path() / "results" / name);
    BOOST_TEST(told < 1.5 * really, name << ": " << told << " told, " << really << " written");
    BOOST_TEST(told > really / 1.5, name << ": " << told << " told, " << really << " written");
    // The same words before the run.
    const auto words = [](const std::string& text, const std::string& word) {
      return text.substr(text.find(word) + word.size(), 20);
    };
    BOOST_TEST(words(check.out, "  disk           ") == words(run.out, "Writes "));
  }
  const std::string text = cli::two_discs("1e-6", "1e-3", "[[stage]]\nduration = 2e-3\n");
  for (const auto& [name, output] :
       {std::pair<std::string, std::string>{"few", ""},
        {"given", "[output]\nseries_interval = 7e-5\nsnapshot_interval = 1e-3\nframe_interval = 9e-4\n"}}) {
    folder.write(name + ".toml", text + output);
    const auto run = folder.dem("run " + name + ".toml");
    const fs::path out = folder.path() / "results" / name;
    const auto count = [&](const char* part) {
      return std::distance(fs::directory_iterator(out / part), fs::directory_iterator());
    };
    run.prints({fmt::format(" {} snapshots with contacts (for ParaView as well), {} pictures: about ",
                            count("snapshots"), count("frames"))});
    const auto info = folder.dem("info results/" + name).out;
    const std::string rows = info.substr(info.find("series: ") + 8, info.find(" rows") - info.find("series: ") - 8);
    run.prints({"Writes " + rows + " rows, "});
  }
}

BOOST_AUTO_TEST_CASE(memory_is_estimated) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const Folder folder("space.toml", spheres(10000, "duration = 24e-6", ""));
  folder.write("plane.toml", lattice("2e-5", 100, 100, "0.9999"));
  for (const std::string name : {"space", "plane"}) {
    const double really = peak_memory(folder, {"run", name + ".toml"});
    const double told = bytes_after(folder.text("stdout.txt"), "memory ");
    BOOST_TEST(told < 2.2 * really, name << ": " << told << " told, " << really << " held");
    BOOST_TEST(told > really / 2.2, name << ": " << told << " told, " << really << " held");
  }
#endif
}

BOOST_FIXTURE_TEST_CASE(time_is_told_from_a_trial_and_what_will_not_suffice_is_said_before, cli::InFolder) {
  // A row and a snapshot a step, for ever: more than any disk holds.
  folder.write("disk.toml",
               cli::two_discs("1e-6", "1e6", "[output]\nseries_interval = 1e-6\nsnapshot_interval = 1e-6\n"));
  folder.gives(0, "check disk.toml", {"  attention      disk: about ", "output.snapshot_interval"});
  folder.dem("check --json disk.toml").prints({"\"warnings\": [\n    \"disk: about "});
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  folder.write("memory.toml", spheres(20000, "duration = 24e-6", ""));
  folder.dem("check memory.toml", "ulimit -v 110000;").prints({"  attention      memory: about "});
#endif
  folder.write("short.toml", cli::two_discs());
  const auto check = folder.dem("check short.toml");
  check.prints({"  time           about ", " for 5000 steps on 1 thread (from a trial of "});
  BOOST_TEST(check.err.empty(), check.err);
  folder.write("open.toml", spheres(50, "mean_pressure = 1e4\nunbalanced = 0.01", ""));
  folder.dem("check open.toml").prints({"the time of stage 1 'press' is unknown", "at least "});
}

BOOST_AUTO_TEST_CASE(the_making_of_many_bodies_is_announced) {
  const Folder folder("many.toml", lattice("2e-6", 400, 250, "1.1"));
  folder.gives(0, "check many.toml", {}, {"Making 100000 bodies and finding their contacts, about ", "  done in "});
  const auto quiet = folder.dem("run many.toml --quiet --until-step 1");
  BOOST_TEST(quiet.out + quiet.err == "");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto failed = folder.gives(1, "check --json many.toml", {"\"message\": \"out of memory\""},
                                   {"Making 100000 bodies"}, "ulimit -v 120000;");
  BOOST_TEST(!has(failed.err, "done in"), failed.err);
#endif
  // The number of bodies of a file is estimated from its size.
  folder.write("table.txt", std::string(6600000, ' ') + "\n10 10 10\n1 1 1 0.5\n");
  std::string import = spheres(1, "duration = 24e-6", "");
  import.replace(import.find("[assembly]"), import.find("\n[", import.find("[assembly]")) - import.find("[assembly]"),
                 "[assembly]\ngenerator = \"import\"\nfile = \"table.txt\"");
  folder.write("import.toml", import);
  folder.dem("check import.toml").warns({"Making about 110000 bodies and finding their contacts, about "});
}

BOOST_FIXTURE_TEST_CASE(trials_that_fail_are_an_error_and_their_cold_step_does_not_count, cli::InFolder) {
  folder.write("wild.toml", cli::two_discs("2e-4\noverride_limit = true", "1.0"));
  const std::string words = "No errors in the case file; the trial of its first steps failed: step ";
  const auto check = folder.dem("check wild.toml"), json = folder.dem("check --json wild.toml");
  BOOST_TEST(check.code == 5, check.out);
  BOOST_TEST(check.err.starts_with(words), check.err);
  BOOST_TEST(!has(check.out, "No errors"), check.out);
  BOOST_TEST(json.code == 5, json.out);
  json.prints({words});
  folder.write("many.toml", lattice("1.0", 300, 200, "0.9999"));
  const auto many = folder.dem("check many.toml");
  std::smatch found;
  BOOST_TEST_REQUIRE(std::regex_search(many.out, found, std::regex("from a trial of ([0-9]+) step")), many.out);
  BOOST_TEST(std::stoi(found[1]) > 1, many.out);
}
