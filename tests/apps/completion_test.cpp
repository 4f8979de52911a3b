// Completion of shells and the manual page: made of the same options and keys that the program takes.
#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

namespace {

/// The words that bash offers at the end of the line. The last word of the line is begun, or empty.
std::string offered(const Folder& folder, const std::vector<std::string>& words) {
  std::string list;
  for (const auto& word : words) list.append("'").append(word).append("' ");
  folder.write(
      "ask.bash",
      "source dem.bash\nCOMP_WORDS=(" + list +
          ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\ncompopt() { :; }\n_dem\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  return std::string("\n").append(folder.dem("--version >version.txt; bash ask.bash").out);
}

bool installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(bash_completes_commands_options_keys_and_words, cli::InFolder) {
  folder.write("dem.bash", folder.gives(0, "completion bash").out);
  const std::string commands = offered(folder, {"dem", ""});
  for (const char* command :
       {"run", "resume", "check", "info", "contact", "import", "overlap", "sweep", "help", "completion"})
    BOOST_TEST(has(commands, std::string("\n").append(command).append("\n")), commands);
  BOOST_TEST(offered(folder, {"dem", "ru"}) == "\nrun\n");
  const std::string options = offered(folder, {"dem", "run", "case.toml", "--"});
  for (const char* option : {"--output", "--overwrite", "--threads", "--set", "--quiet", "--json"})
    BOOST_TEST(has(options, std::string("\n").append(option).append("\n")), options);
  BOOST_TEST(!has(options, "--resolved"));
  BOOST_TEST(offered(folder, {"dem", "check", "--resol"}) == "\n--resolved\n");
  BOOST_TEST(offered(folder, {"dem", "help", "velocity-v"}) == "\nvelocity-verlet\n");
  BOOST_TEST(has(offered(folder, {"dem", "help", "material.rest"}), "\nmaterial.restitution\n"));
  BOOST_TEST(offered(folder, {"dem", "run", "case.toml", "--set", "material.rest"}) == "\nmaterial.restitution=\n");
  BOOST_TEST(has(offered(folder, {"dem", "overlap", "--geometry", ""}), "\nexact\n"));
  BOOST_TEST(has(offered(folder, {"dem", "sweep", "time-step", "--"}), "\n--halvings\n"));
  BOOST_TEST(has(offered(folder, {"dem", "sweep", ""}), "\ntime-step\n"));
  BOOST_TEST(has(offered(folder, {"dem", "completion", ""}), "\nzsh\n"));
  // A file name follows: bash's own completion.
  BOOST_TEST(offered(folder, {"dem", "run", ""}) == "\n\n");
  BOOST_TEST(offered(folder, {"dem", "run", "case.toml", "--output", ""}) == "\n\n");
}

BOOST_FIXTURE_TEST_CASE(scripts_of_other_shells_and_the_manual_page, cli::InFolder) {
  folder.dem("completion fish").prints({"complete -c dem -n __fish_use_subcommand -f -a run -d "});
  BOOST_TEST(folder.dem("completion zsh").out.starts_with("#compdef dem\n"));
  BOOST_TEST(folder.dem("completion csh").code == 2);
  for (const char* shell : {"fish", "zsh"}) {
    if (!installed(shell)) continue;
    folder.gives(0, std::string("completion ") + shell + " >script && " + shell + " -n script");
  }
  const auto page =
      folder.gives(0, "help --man",
                   {".TH DEM 1 ", ".SS dem run\n", ".SS dem sweep time\\-step\n", "\\fB\\-\\-overwrite\\fR",
                    ".SH EXIT STATUS\n", ".SS [material]\n", "\\fBrestitution\\fR", "format = 1\n"});
  for (const char c : page.out) BOOST_TEST_REQUIRE(static_cast<unsigned char>(c) < 0x80);
  if (!installed("groff")) return;
  const auto set = folder.gives(0, "help --man >dem.1 && groff -man -Tutf8 -ww dem.1", {"Peña", "γ"});
  BOOST_TEST(set.err.empty(), set.err);
}
