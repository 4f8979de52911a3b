// The program on case files: check, help, info, and what it says to bad input.
#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

BOOST_AUTO_TEST_CASE(help_lists_exit_codes_and_subcommands) {
  const Folder folder;
  const auto help = folder.dem("--help");
  BOOST_TEST(help.code == 0);
  for (const char* word : {"0  good", "1  the run failed", "2  bad input", "3  file problem", "4  stopped by Ctrl-C",
                           "5  the numbers", "run", "resume", "check", "info", "overlap", "help"})
    BOOST_TEST(has(help.out, word), word);
}

BOOST_AUTO_TEST_CASE(the_example_in_every_help_works) {
  const Folder folder;
  // In this order: resume goes on with the folder that run wrote.
  for (const std::string command : {"run", "resume", "check", "info", "overlap", "help"}) {
    const auto help = folder.dem(command + " --help");
    BOOST_TEST(help.code == 0, command);
    const std::string example = cli::example_of(help.out);
    BOOST_TEST_REQUIRE(!example.empty(), command);
    BOOST_TEST(example.starts_with(command + " "), example);
    const auto result = folder.dem(example);
    BOOST_TEST(result.code == 0, example << ": " << result.err);
    BOOST_TEST(!result.out.empty(), example);
    BOOST_TEST(result.err.empty(), example << ": " << result.err);
  }
}

BOOST_AUTO_TEST_CASE(bad_command_lines) {
  const Folder folder;
  for (const char* arguments :
       {"", "chek", "run", "check --resolvd apps/examples/two-discs.toml", "run --threads 0 x.toml", "help a b"}) {
    const auto result = folder.dem(arguments);
    BOOST_TEST(result.code == 2, arguments);
    BOOST_TEST(!result.err.empty(), arguments);
  }
}

BOOST_AUTO_TEST_CASE(check_prints_all_errors_and_runs_nothing) {
  const Folder folder;
  folder.write("bad.toml", cli::two_discs("-1.0", "0.005", "strian = 3\n"));
  for (const char* command : {"check bad.toml", "run bad.toml", "check --resolved bad.toml"}) {
    const auto result = folder.dem(command);
    BOOST_TEST(result.code == 2);
    BOOST_TEST(result.out.empty());
    BOOST_TEST(has(result.err, "bad.toml:9: time.step: found -1.0, allowed a number > 0\n"), result.err);
    BOOST_TEST(has(result.err, "bad.toml:24: stage[1].strian: found an unknown key"), result.err);
    BOOST_TEST(has(result.err, "nearest known key: stage.strain\n"), result.err);
  }
  BOOST_TEST(!cli::fs::exists(folder.path() / "results"));
}

BOOST_AUTO_TEST_CASE(check_inspects) {
  const Folder folder;
  const auto result = folder.dem("check apps/examples/slow-shear.toml");
  BOOST_TEST(result.code == 0, result.err);
  for (const char* part : {"free           256 bodies", "bottom-plate   16 bodies", "top-plate      16 bodies",
                           "256: ", "time step      0.005 s", "σ/k_n = 0.001", "γ̇ t_c = ", "nothing was written"})
    BOOST_TEST(has(result.out, part), part);
}

BOOST_AUTO_TEST_CASE(resolved_case_can_be_checked_again) {
  const Folder folder;
  const auto first = folder.dem("check --resolved apps/examples/slow-shear.toml");
  BOOST_TEST(first.code == 0);
  folder.write("again.toml", first.out);
  const auto second = folder.dem("check --resolved again.toml");
  BOOST_TEST(second.code == 0, second.err);
  BOOST_TEST(second.out == first.out);
}

BOOST_AUTO_TEST_CASE(time_step_above_its_limit_is_refused_with_line_and_key) {
  const Folder folder;
  folder.write("fast.toml", cli::two_discs("1e-3"));
  for (const char* command : {"check fast.toml", "run fast.toml"}) {
    const auto result = folder.dem(command);
    BOOST_TEST(result.code == 2);
    BOOST_TEST(has(result.err, "fast.toml:9: time.step: found 0.001 s, allowed at most "), result.err);
    BOOST_TEST(has(result.err, "time.override_limit = true"), result.err);
  }
  BOOST_TEST(!cli::fs::exists(folder.path() / "results"));
}

BOOST_AUTO_TEST_CASE(start_overlap_is_refused_with_the_bodies) {
  const Folder folder;
  std::string text = cli::two_discs();
  text.replace(text.find("[0.8, 0.6]"), 10, "[0.6, 0.6]");
  folder.write("deep.toml", text);
  const auto result = folder.dem("run deep.toml");
  BOOST_TEST(result.code == 2);
  BOOST_TEST(has(result.err, "deep.toml"), result.err);
  BOOST_TEST((has(result.err, "'a'") && has(result.err, "'b'")), result.err);
  BOOST_TEST(has(result.err, "largest_start_overlap"), result.err);
}

BOOST_AUTO_TEST_CASE(missing_files) {
  const Folder folder;
  for (const char* command : {"run no.toml", "check no.toml", "info no.toml", "resume no-folder", "info no-folder"}) {
    const auto result = folder.dem(command);
    BOOST_TEST(result.code == 3, command);
    BOOST_TEST(has(result.err, "no"), result.err);
  }
}

BOOST_AUTO_TEST_CASE(help_on_keys) {
  const Folder folder;
  const auto key = folder.dem("help material.restitution");
  BOOST_TEST(key.code == 0);
  BOOST_TEST(has(key.out, "allowed: a number in (0, 1]"), key.out);
  const auto table = folder.dem("help stage");
  BOOST_TEST(has(table.out, "stage.shear_rate"));
  BOOST_TEST(has(table.out, "stage.height  (with normal = move-to-height)"), table.out);
  const auto all = folder.dem("help");
  BOOST_TEST(has(all.out, "[material]"));
  const auto reference = folder.dem("help --reference");
  BOOST_TEST(has(reference.out, "## [[stage]]"));
  BOOST_TEST(has(reference.out, "| `normal_stiffness` | number | N/m | required |"));
  const auto unknown = folder.dem("help material.restituton");
  BOOST_TEST(unknown.code == 2);
  BOOST_TEST(has(unknown.err, "nearest known key: material.restitution"), unknown.err);
}
