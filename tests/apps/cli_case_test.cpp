// The program on case files: check, help, info, and what it says to bad input.
#include <algorithm>

#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

BOOST_FIXTURE_TEST_CASE(help_lists_codes_and_commands_and_its_examples_work, cli::InFolder) {
  folder.gives(0, "--help",
               {"0  good", "1  the run failed", "2  bad input", "3  file problem", "4  stopped by Ctrl-C",
                "5  the numbers", "run", "resume", "check", "info", "modes", "contact", "overlap", "plot", "help"});
  // In this order: resume goes on with the folder that run wrote.
  const bool can_plot = cli::can_plot();
  for (const std::string command :
       {"run", "resume", "check", "info", "modes", "contact", "overlap", "plot", "help", "completion"}) {
    if (command == "plot" && !can_plot) continue;
    const std::string example = cli::example_of(folder.gives(0, command + " --help").out);
    BOOST_TEST_REQUIRE(!example.empty(), command);
    BOOST_TEST(example.starts_with(command + " "), example);
    const auto result = folder.gives(0, example);
    BOOST_TEST(!result.out.empty(), example);
    BOOST_TEST(result.err.empty(), example << ": " << result.err);
  }
}

BOOST_AUTO_TEST_CASE(modes_of_a_case) {
  const std::string text = R"(format = 1
material = {normal_stiffness = 400.0, tangential_stiffness = 100.0, friction = 0.5, restitution = 0.8}
time.step = 1e-4
assembly = {generator = "lattice", shape = "disc", columns = 4, rows = 4, radius = 0.505}
cell.periodic = ["x", "y"]
stage = [{duration = 1e-3}]
)";
  const Folder folder("case.toml", text);
  folder.gives(0, "modes case.toml --output modes.csv", {"48 coordinates of 16 bodies, 48 contacts", "omega (rad/s)"});
  const std::string table = folder.text("modes.csv");
  BOOST_TEST(table.starts_with("mode,frequency,period,damping_ratio,tangential_share,rotation_share\n1,0,inf,0,0,"));
  BOOST_TEST(std::ranges::count(table, '\n') == 49);
  folder.gives(0, "modes case.toml --json", {"\"damping_ratio\"", "\"shape\"", "\"contacts\""});
  folder.gives(0, "modes case.toml --set assembly.radius=0.4", {"no bodies touch"});
  folder.refuses(2, "modes case.toml --set assembly.columns=40 --set assembly.rows=40",
                 {"found 4800 coordinates that can move, allowed at most 3000"});
}

BOOST_FIXTURE_TEST_CASE(bad_command_lines_misspelt_words_and_missing_files, cli::InFolder) {
  for (const char* arguments :
       {"", "chek", "run", "check --resolvd apps/examples/two-discs.toml", "run --threads 0 x.toml", "help a b"})
    BOOST_TEST(!folder.gives(2, arguments).err.empty(), arguments);
  const auto says = [&](const std::string& arguments, const std::string& text) {
    const auto result = folder.gives(2, arguments);
    BOOST_TEST(result.err.starts_with(text), result.err);
  };
  says("rum apps/examples/two-discs.toml", "dem: unknown command 'rum'; did you mean run?\n");
  says("qwertz", "dem: unknown command 'qwertz'\n");
  says("run apps/examples/two-discs.toml --overwrit",
       "dem: unknown option --overwrit of dem run; did you mean --overwrite?\n");
  says("overlap --fil-holes apps/examples/polygon-pairs.tsv",
       "dem: unknown option --fil-holes of dem overlap; did you mean --fill-holes?\n");
  says("overlap --all-pair=x", "dem: unknown option --all-pair of dem overlap; did you mean --all-pairs?\n");
  says("--verbose run x.toml", "dem: unknown option --verbose of dem\n");
  says("", "dem: found no command, allowed those that dem --help lists, as in dem run CASE\nRun dem --help for");
  says("run", "dem run: found no CASE, expected dem run CASE\nRun dem run --help for");
  says("sweep time-step", "dem sweep time-step: found no CASE, expected dem sweep time-step CASE\n");
  says("overlap", "dem overlap: found none of FILE,--all-pairs, allowed exactly one\n");
  says("overlap x.tsv --all-pairs y.tsv", "dem overlap: found 2 of FILE,--all-pairs, allowed exactly one\n");
  says("run x.toml --threads abc", "dem run: --threads: found abc, allowed a whole number in [1, 1024]\n");
  says("overlap x.tsv --geometry exat", "dem overlap: --geometry: found exat, allowed one of fast,exact\n");
  says("run x.toml --set", "dem run: --set: found nothing after it, expected KEY=VALUE\n");
  says("run x.toml y.toml", "dem run: found y.toml, expected no further argument\n");
  says("check x.toml --steps 5", "dem check: --steps requires --objectivity\n");
  const auto version = folder.gives(0, "--version");
  BOOST_TEST((version.out.starts_with("dem ") && version.out.find('.') != std::string::npos), version.out);
  for (const char* command : {"run no.toml", "check no.toml", "info no.toml", "resume no-folder", "info no-folder"})
    folder.refuses(3, command, {"no"});
}

BOOST_AUTO_TEST_CASE(check_inspects) {
  const Folder folder("short.toml", cli::two_discs("1e-6", "5e-8"));
  folder.gives(0, "check short.toml", {"at most 5e-08 s = 1 step\n"});  // a stage makes a step at least
  folder.gives(0, "check apps/examples/slow-shear.toml",
               {"free           256 bodies", "bottom-plate   16 bodies", "top-plate      16 bodies",
                "256: ", "time step      0.005 s", "σ/k_n = 0.001", "γ̇ t_c = ", "nothing was written"});
  folder.dem("check --columns apps/examples/slow-shear.toml")
      .prints(
          {"\nsliding_fraction             1        fraction of contacts at the Coulomb limit\n", "\nshear_ratio "});
}

BOOST_AUTO_TEST_CASE(time_step_above_its_limit_is_refused_with_line_and_key) {
  const Folder folder("fast.toml", cli::two_discs("1e-3"));
  for (const char* command : {"check fast.toml", "run fast.toml"}) {
    const auto result = folder.refuses(
        2, command, {"fast.toml:9: time.step: found 0.001 s, allowed at most ", "time.override_limit = true"});
    BOOST_TEST(!has(result.err, "largest stable time step"), result.err);  // the limit stands there once
    BOOST_TEST(!has(result.err, "restitution"), result.err);               // weakly damped
  }
  // The step it proposes is accepted, and strong damping is named.
  const std::string proposal = "use time.step = ";
  const std::string damped = cli::with(cli::two_discs("1e-3"), "restitution = 0.9", "restitution = 0.1");
  for (const std::string& text : {cli::two_discs("1e-3"), damped}) {
    folder.write("fast.toml", text);
    const std::string err = folder.dem("check fast.toml").err;
    BOOST_TEST(has(err, "a higher restitution (less damping)") == (text == damped), err);
    BOOST_TEST_REQUIRE(has(err, proposal), err);
    const auto at = err.find(proposal) + proposal.size();
    folder.write("mended.toml", cli::with(text, "1e-3", err.substr(at, err.find(',', at) - at)));
    folder.gives(0, "check mended.toml");
  }
  BOOST_TEST(!folder.holds("results"));
}

BOOST_AUTO_TEST_CASE(start_overlaps_are_refused_with_the_bodies_and_all_are_counted) {
  const Folder folder("deep.toml", cli::with(cli::two_discs(), "[0.8, 0.6]", "[0.6, 0.6]"));
  folder.refuses(2, "run deep.toml", {"deep.toml", "'a'", "'b'", "largest_start_overlap"});
  // Discs in a row, 0.9, 0.8, 0.7 and 0.6 diameters apart: four pairs beyond 5 %.
  std::string text = cli::two_discs();
  double x = 0.8;
  for (const double gap : {0.9, 0.8, 0.7, 0.6})
    text.insert(text.find("[[stage]]"),
                "[[body]]\nshape = \"disc\"\nradius = 0.5\nposition = [" + std::to_string(x += gap) + ", 0.6]\n");
  folder.write("deep.toml", text);
  folder.gives(2, "check deep.toml", {},
               {"at the start body 4 (group free) and body 5 (group free) overlap by 0.4 of the smaller diameter; "
                "assembly.largest_start_overlap allows 0.05 and 4 pairs exceed it, next body 3 (group free) and body 4 "
                "(group free) (0.3), body 2 (group free) and body 3 (group free) (0.2): move"});
}

BOOST_FIXTURE_TEST_CASE(help_on_keys, cli::InFolder) {
  const auto key = folder.gives(0, "help material.restitution", {"allowed: a number in (0, 1]"});
  folder.dem("help contact_plane").prints({"    edge-mean            length-weighted mean of the edges' angles"});
  // Every choice with words of its own says what each means; nothing points to a document that users do not have.
  for (const char* choice :
       {"contact_plane", "lever", "geometric_form", "velocity_source", "contact.length", "fixed_mass", "stage.normal",
        "normal_force", "contact.elongation", "geometry", "integrator", "gear_coefficients"}) {
    const std::string out = folder.dem(std::string("help ") + choice).out;
    const std::string allowed = out.substr(out.find("allowed: ")), values = allowed.substr(0, allowed.find('\n'));
    const auto quotes = std::count(values.begin(), values.end(), '"'),
               lines = std::count(allowed.begin(), allowed.end(), '\n');
    BOOST_TEST(quotes >= 4, choice);
    BOOST_TEST(lines == 1 + quotes / 2, out);
  }
  folder.dem("help stage").prints({"stage.shear_rate", "stage.height  (with normal = move-to-height)"});
  const auto reference = folder.dem("help --reference");
  reference.prints({"## [[stage]]"});
  BOOST_TEST(!has(reference.out, "polygon-dem"));
  reference.prints(
      {"- `conjugate`: ",
       "| `normal_stiffness` | number | N/m | required; none with a Hertzian law or characteristic_speed |"});
  const auto part = folder.gives(0, "help frict", {"  material.friction "});
  BOOST_TEST(!has(part.out, "fixed"), part.out);
  folder.dem("help Motion").prints({"  body.fixed ", "  body.velocity "});
  const auto nothing = folder.gives(2, "help qwertz");
  BOOST_TEST(!has(nothing.err, "nearest"), nothing.err);
  folder.refuses(2, "help material.restituton", {"nearest known key: material.restitution"});
}
