// --json of check, info and run: one object on standard output and nothing else. --quiet: nothing there.
#include <nlohmann/json.hpp>

#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;
using Json = nlohmann::json;

namespace {

Json object_of(const cli::Result& result) {
  const Json object = Json::parse(result.out, nullptr, false);
  BOOST_TEST_REQUIRE(object.is_object(), result.out << result.err);
  return object;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(check_as_json, cli::InFolder) {
  const auto result = folder.gives(0, "check --json apps/examples/slow-shear.toml");
  BOOST_TEST(result.err.empty(), result.err);
  const Json object = object_of(result);
  BOOST_TEST(object["bodies"] == 288);
  BOOST_TEST(object["moving_bodies"] == 256);
  BOOST_TEST(object["groups"]["top-plate"] == 16);
  BOOST_TEST(object["contacts"].is_number_unsigned());
  BOOST_TEST(object["step"] == 0.005);
  BOOST_TEST(object["limit"].get<double>() > 0.005);
  BOOST_TEST(object["stages"].size() == 2u);
  BOOST_TEST(object["stages"][1]["name"] == "shear");
  BOOST_TEST(object["stages"][0]["planned_time"].is_null());
  BOOST_TEST(object["stages"][1]["planned_steps"].get<double>() > 90000);
  for (const char* cost : {"memory", "disk", "rows", "snapshots", "frames"})
    BOOST_TEST(object[cost].get<double>() > 0, cost);
  BOOST_TEST(object["errors"].empty());
  BOOST_TEST(object["warnings"].empty());
  const Json short_run = object_of(folder.dem("check --json apps/examples/two-discs.toml"));
  BOOST_TEST(short_run["seconds"].get<double>() > 0);
}

BOOST_AUTO_TEST_CASE(errors_as_json) {
  const Folder folder("bad.toml", cli::two_discs("-1.0", "0.005", "strian = 3\n"));
  for (const char* command : {"check --json bad.toml", "run --json bad.toml", "info --json bad.toml"}) {
    const auto result = folder.gives(2, command);
    const Json errors = object_of(result)["errors"];
    BOOST_TEST_REQUIRE(errors.size() == 2u);
    BOOST_TEST(errors[0]["file"].get<std::string>().ends_with("bad.toml"));
    BOOST_TEST(errors[0]["key"] == "stage[1].strian");  // what is spelt wrongly comes first
    BOOST_TEST(errors[1]["line"] == 9);
    BOOST_TEST(errors[1]["key"] == "time.step");
    BOOST_TEST(errors[1]["found"] == "-1.0");
    BOOST_TEST(errors[1]["allowed"].get<std::string>().starts_with("a number"));
    for (const Json& error : errors) result.warns({error["message"].get<std::string>() + "\n"});
  }
  // Later errors, of the assembly and the step, and errors of files.
  const Json late = object_of(folder.dem(
      "check --json apps/examples/two-discs.toml --set time.step=2e-5 --set output.series_interval=0"))["errors"];
  BOOST_TEST(
      (late.size() == 1u && late[0]["key"] == "time.step" && late[0]["file"] == "--set" && !late[0].contains("line")),
      late.dump());
  BOOST_TEST(
      has(object_of(folder.gives(3, "check --json no.toml"))["errors"][0]["message"].get<std::string>(), "no.toml"));
  folder.write("syntax.toml", "format = 1\nx = = 3\n");
  const Json syntax = object_of(folder.dem("check --json syntax.toml"))["errors"];
  BOOST_TEST((syntax[0]["line"] == 2 && !syntax[0].contains("key")), syntax.dump());
}

BOOST_FIXTURE_TEST_CASE(run_as_json_and_info_of_its_results, cli::InFolder) {
  const auto plain = folder.dem("run apps/examples/two-discs.toml -o plain");
  const auto run = folder.dem("run --json apps/examples/two-discs.toml -o out");
  BOOST_TEST(run.code == plain.code);
  const Json object = object_of(run);
  BOOST_TEST(object["results"] == "out");
  BOOST_TEST(object["finished"] == true);
  BOOST_TEST(object["time"].get<double>() == 0.05, boost::test_tools::tolerance(1e-4));
  plain.prints({"State hash " + object["hash"].get<std::string>() + " at step " +
                std::to_string(object["step"].get<std::uint64_t>())});
  BOOST_TEST(object["verdict"] == Json::parse(folder.text("out/verdict.json")));

  const Json info = object_of(folder.dem("info --json out"));
  BOOST_TEST(info["kind"] == "results");
  BOOST_TEST(info["series"]["rows"].get<int>() > 1000);
  BOOST_TEST(info["series"]["last_step"] == object["step"]);
  BOOST_TEST(info["series"]["columns"][1]["name"] == "time");
  BOOST_TEST(info["series"]["columns"][1]["unit"] == "s");
  BOOST_TEST(info["checkpoint"]["step"] == object["step"]);
  BOOST_TEST(info["verdict"] == object["verdict"]);
  BOOST_TEST((info["problems"].empty() && info["profiles"].is_null()));
  BOOST_TEST(object_of(folder.dem("info --json out/checkpoint.h5"))["kind"] == "checkpoint");
  BOOST_TEST(object_of(folder.dem("info --json out/series/000001.h5"))["kind"] == "series");
  BOOST_TEST(object_of(folder.dem("info --json out/verdict.json"))["kind"] == "verdict");
  const Json of_case = object_of(folder.dem("info --json apps/examples/shear-box.toml"));
  BOOST_TEST((of_case["kind"] == "case" && of_case["generator"] == "rain" && of_case["shear_box"] == true &&
              of_case["stages"].size() == 4u),
             of_case.dump());

  const Json stopped = object_of(folder.dem("run --json apps/examples/two-discs.toml -o stopped --until-step 50"));
  BOOST_TEST((stopped["finished"] == false && stopped["step"] == 50 && stopped["verdict"].is_null()), stopped.dump());
  for (int again = 0; again < 2; ++again) {
    Json resumed = object_of(folder.dem("resume --json stopped"));
    resumed["results"] = "out";
    BOOST_TEST(resumed == object);
  }
  BOOST_TEST(object_of(folder.dem("resume --json nothing"))["errors"].size() == 1u);
}

BOOST_AUTO_TEST_CASE(problems_of_results_as_json) {
  const Folder folder("two.toml", cli::two_discs("1e-6", "3e-3", "[output]\nseries_interval = 1e-6\n"));
  BOOST_TEST_REQUIRE(folder.dem("run two.toml -o out --until-step 2000").code == 0);
  cli::fs::remove(folder.path() / "out/series/000001.h5");
  Json info = object_of(folder.dem("info --json out"));
  BOOST_TEST(info["problems"] == Json({"out/series/000001.h5 is missing"}));
  BOOST_TEST((info["checkpoint"]["changes"].empty() && info["checkpoint"]["losses"].empty()), info.dump());
  BOOST_TEST(folder.dem("resume out --accept-changes").code == 0);
  cli::fs::remove(folder.path() / "out/series/000003.h5");
  info = object_of(folder.dem("info --json out"));
  BOOST_TEST(info["problems"] == Json({"out/series/000001.h5 is missing",
                                       "out/series/000003.h5 is missing: 953 rows, steps 2048 to 3000"}));
  BOOST_TEST(info["checkpoint"]["losses"] ==
             Json({"series/000001.h5 is missing: 1024 rows, steps 0 to 1023, noticed at step 2000"}));
  // Names that cannot be.
  for (const char* option : {"", "--json ", "--csv "})
    BOOST_TEST(folder.dem("info " + (option + std::string(300, 'x'))).code == 3, option);
  BOOST_TEST(folder.dem("run two.toml -o " + std::string(300, 'x')).code == 3);
}

BOOST_FIXTURE_TEST_CASE(quiet_runs_print_nothing, cli::InFolder) {
  const auto run = folder.gives(0, "run --quiet apps/examples/two-discs.toml -o out --until-step 100");
  BOOST_TEST((run.out.empty() && run.err.empty()), run.out << run.err);
  const auto resumed = folder.gives(0, "resume -q out");
  BOOST_TEST((resumed.out.empty() && resumed.err.empty()), resumed.out << resumed.err);
  BOOST_TEST(folder.holds("out/verdict.txt"));
  const auto bad = folder.refuses(3, "run --quiet no.toml", {"no.toml"});
  BOOST_TEST(bad.out.empty(), bad.err + bad.out);
}

BOOST_FIXTURE_TEST_CASE(the_start_as_a_picture, cli::InFolder) {
  for (const char* name : {"slow-shear", "spheres-triaxial"}) {
    const std::string file = std::string(name) + ".svg";
    for (int again = 0; again < 2; ++again) {
      const auto result =
          folder.gives(0, "check apps/examples/" + std::string(name) + ".toml --picture " + file, {"\nStages\n"});
      BOOST_TEST(result.out.ends_with("\nNo errors; the picture of the start is in " + file + ".\n"), result.out);
    }
    const std::string svg = folder.text(file);
    BOOST_TEST((svg.starts_with("<?xml") && svg.ends_with("</svg>\n")));
    BOOST_TEST(has(svg, std::string(name) == "slow-shear" ? "<polygon" : "<circle"));
  }
  // As the first frame of a run.
  BOOST_TEST(folder.dem("run apps/examples/slow-shear.toml -o out --until-step 0").code == 0);
  BOOST_TEST(folder.text("slow-shear.svg") ==
             cli::text_of(cli::fs::directory_iterator(folder.path() / "out/frames")->path()));
  folder.write("keep.png", "mine");
  folder.refuses(2, "check apps/examples/two-discs.toml --picture keep.png",
                 {"--picture: found \"keep.png\", allowed a file name that ends in .svg"});
  BOOST_TEST(folder.text("keep.png") == "mine");
  BOOST_TEST(folder.dem("check apps/examples/two-discs.toml --picture none/x.svg").code == 3);
}
