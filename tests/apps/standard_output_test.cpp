// Standard output that cannot be written: said in one sentence, exit code 3, and no work is lost.
#include <regex>

#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;
using cli::line_with;

const std::string sentence = "dem: standard output cannot be written";

BOOST_AUTO_TEST_CASE(a_full_disk_under_standard_output_is_told) {
  const Folder folder("table.txt", "0 0 0 1\n3 0 0 1\n");
  BOOST_TEST(folder.dem("run apps/examples/two-discs.toml -o done --until-step 20").code == 0);
  for (const char* command :
       {"--help", "--version", "run --help", "help", "help keys", "help --reference", "help --man", "help friction",
        "help rain", "completion bash", "check apps/examples/two-discs.toml",
        "check --json apps/examples/two-discs.toml", "check --resolved apps/examples/slow-shear.toml",
        "info apps/examples/two-discs.toml", "info done", "import table.txt", "overlap apps/examples/polygon-pairs.tsv",
        "contact apps/examples/contact-loop.toml", "resume done --until-step 40"}) {
    const auto result = folder.dem(std::string(command) + " >/dev/full");
    BOOST_TEST_CONTEXT(command << ": " << result.err) {
      BOOST_TEST(result.code == 3);
      result.warns({sentence + ": No space left on device\n"});
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_closed_standard_output_is_told, cli::InFolder) {
  for (const char* command : {"--version", "help", "check apps/examples/two-discs.toml"})
    folder.refuses(3, std::string(command) + " >&-", {sentence + ": Bad file descriptor\n"});
  // A bad case is told as ever, whatever becomes of standard output.
  const auto bad = folder.refuses(3, "check no.toml >&-", {"no.toml"});
  BOOST_TEST((!has(bad.err, sentence)), bad.err + bad.out);
}

BOOST_FIXTURE_TEST_CASE(a_run_goes_on_without_its_standard_output, cli::InFolder) {
  // With a line for each of many stages, so that more is printed than waits in a buffer.
  std::string more;
  for (int k = 0; k < 120; ++k)
    more += "[[stage]]\nname = \"a stage with a long name, number " + std::to_string(k) + "\"\nduration = 5e-5\n";
  folder.write("case.toml", cli::two_discs("1e-6", "0.005", more));
  const auto whole = folder.dem("run case.toml -o whole");
  BOOST_TEST(whole.code <= 1, whole.err);
  BOOST_TEST(whole.out.size() > 8192u);
  const std::string hash = line_with(whole.out, "State hash ");
  for (const char* where : {">/dev/full", ">&-"}) {
    const auto result = folder.dem(std::string("run case.toml -o cut --overwrite ") + where);
    BOOST_TEST(result.code == (whole.code == 0 ? 3 : whole.code), result.err);
    result.warns({sentence});
    folder.dem("resume cut").prints({hash});
    BOOST_TEST(folder.text("cut/verdict.json") == folder.text("whole/verdict.json"));
    BOOST_TEST(folder.text("cut/case.toml") == folder.text("whole/case.toml"));
  }
  // Closed streams: no message lands in a file of the results.
  BOOST_TEST(folder.dem("run case.toml -o closed <&- >&- 2>&-").code == (whole.code == 0 ? 3 : whole.code));
  for (const auto& entry : cli::fs::recursive_directory_iterator(folder.path() / "closed"))
    if (entry.is_regular_file() && entry.path().filename() != "verdict.txt")
      BOOST_TEST(!has(cli::text_of(entry.path()), "State hash"), entry.path());
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_without_its_reader_and_other_programs_end_quietly) {
  const Folder folder("case.toml", cli::two_discs());
  // The reader is gone before the run writes.
  const auto result = folder.gives(0, "run case.toml -o out; echo $? >code; } | true", {}, {}, "{ sleep 0.5;");
  BOOST_TEST(folder.text("code") == "3\n", result.err);
  result.warns({sentence + ": Broken pipe\n"});
  BOOST_TEST(folder.holds("out/verdict.txt"));
  // A reader that has seen enough ends the program quietly.
  for (const char* command : {"help --reference", "help --man", "help keys"}) {
    folder.dem(std::string(command) + "; echo $? >code; } | true", "{ sleep 0.2;");
    BOOST_TEST(folder.text("code") == "141\n", command);  // of SIGPIPE, as with other programs
    BOOST_TEST(folder.text("stderr.txt").empty(), command);
  }
}

BOOST_FIXTURE_TEST_CASE(a_standard_error_that_is_full_changes_no_exit_code, cli::InFolder) {
  BOOST_TEST(folder.dem("check no.toml 2>/dev/full").code == 3);
  BOOST_TEST(folder.dem("chek 2>/dev/full").code == 2);
  BOOST_TEST(folder.dem("help frictoin 2>/dev/full").code == 2);
  folder.write("path.csv", "overlap,shift_1,shift_2\n1e-3,0,0\n");
  folder.write("drive.toml",
               "law = \"linear\"\n[parameters]\nnormal_stiffness = 1e5\ntangential_stiffness = 1e5\nfriction = "
               "0.5\nnormal_damping = 1\n[path]\nfile = \"path.csv\"\nframe = \"contact\"\n");
  folder.dem("contact drive.toml").warns({"The path has no time_step"});
  BOOST_TEST(folder.dem("contact drive.toml 2>/dev/full").code == 0);
  BOOST_TEST(folder.dem("run apps/examples/two-discs.toml -o out --until-step 20").code == 0);
  folder.write("out/case.toml", std::regex_replace(folder.text("out/case.toml"), std::regex("\nseries_interval = .*"),
                                                   "\nseries_interval = 1e-3"));
  BOOST_TEST(folder.dem("resume out --until-step 10 2>/dev/full").code == 2);
  BOOST_TEST(folder.dem("resume out --until-step 40 2>/dev/full").code == 0);
}
