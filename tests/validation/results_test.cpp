// Results of `dem validate`: names of studies, claims.json, merging, studies that fail, the table.
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "libdem/platform/file_error.hpp"
#include "libdem/sweep/tasks.hpp"
#include "validation/validate.hpp"

using namespace dem;
using namespace dem::validation;
namespace fs = std::filesystem;

namespace {

struct Scratch {
  std::string name = (fs::temp_directory_path() / "dem-validate-XXXXXX").string();
  const fs::path path = mkdtemp(name.data());
  Scratch() = default;
  ~Scratch() { fs::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

nlohmann::json json_in(const fs::path& file) { return nlohmann::json::parse(std::ifstream(file)); }

Claim claim(std::string id, ClaimVerdict verdict = ClaimVerdict::agrees) {
  return {std::move(id), "Fig. 1", "1", "1.0 ± 0.1", "0.1", verdict, "because"};
}

void good(StudyRun& run) {
  run.claim(claim("one"));
  run.claim(claim(run.quick() ? "quick-one" : "full-one", ClaimVerdict::not_comparable));
  Figure figure{"made/good/one", "A figure", "caption", {}, "format = 1\n", ""};
  Panel panel{"t", "x (m)", "y (m)", true, true, {}, {}};
  panel.curves.push_back({"c", {1, 10, 100}, {1, std::nan(""), 3}, {}, {}, Curve::Style::points});
  panel.polygons.push_back({{0, 1, 0}, {0, 0, 1}, "triangle", "body-i"});
  figure.panels.push_back(panel);
  run.figure(figure);
}
void broken(StudyRun& run) {
  run.claim(claim("before", ClaimVerdict::differs));
  throw std::runtime_error("the cell fell over");
}
void interrupted(StudyRun&) { throw TasksInterrupted("stop"); }
void counted(StudyRun& run) {
  const auto results = run.tasks(
      "squares", 3, [](std::size_t k, TaskProgress&) { return std::vector<double>{double(k * k)}; }, "squares");
  run.claim({"sum", "s", "5", std::to_string(int(results[1].numbers.at(0) + results[2].numbers.at(0))), "0",
             ClaimVerdict::agrees, ""});
}

const std::vector<Study> made{{"made/good", "A good one", 2, 1, good},
                              {"made/broken", "A broken one", 2, 1, broken},
                              {"made/counted", "Tasks", 2, 1, counted},
                              {"other/stop", "Interrupted", 2, 1, interrupted},
                              {"other/good", "The same name again", 2, 1, good}};

using Names = std::vector<std::string>;
Names names(const Names& chosen) {
  Names out;
  for (const Study* s : find_studies(made, chosen)) out.emplace_back(s->name);
  return out;
}

ValidationEnd run_named(const fs::path& output, const Names& chosen, bool quick = true, bool fresh = false) {
  ValidationChoice choice;
  choice.output = output;
  choice.sources = LIBDEM_SOURCE_DIR "/validation";
  choice.quick = quick;
  choice.fresh = fresh;
  choice.workers = 2;
  return run_studies(find_studies(made, chosen), made, choice);
}

std::string refusal(const Names& chosen) {
  try {
    find_studies(made, chosen);
  } catch (const UnknownStudy& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(validation_results)

BOOST_AUTO_TEST_CASE(names_of_studies) {
  BOOST_TEST(names({}).size() == made.size());
  // In the order of the list, each once.
  const std::pair<Names, Names> rows[] = {
      {{"made"}, {"made/good", "made/broken", "made/counted"}},
      {{"made/"}, {"made/good", "made/broken", "made/counted"}},
      {{"other/stop", "made/good", "other/stop", "made/good"}, {"made/good", "other/stop"}},
      {{"counted"}, {"made/counted"}},
      {{"made/counted", "counted"}, {"made/counted"}}};
  for (const auto& [chosen, expected] : rows) BOOST_TEST(names(chosen) == expected, boost::test_tools::per_element());
  for (const Names& bad :
       {Names{"goods"}, Names{"made/good", "mde/broken"}, Names{"good"}, Names{""}, Names{"/"}, Names{"mad"}}) {
    const std::string message = refusal(bad);
    BOOST_TEST_CONTEXT(bad.back() << ": " << message) {
      BOOST_TEST(has(message, "unknown study '"));
      for (const Study& s : made) BOOST_TEST(has(message, std::string(s.name)));
    }
  }
  BOOST_TEST(has(refusal({"made/brken"}), "did you mean made/broken?"));
}

BOOST_AUTO_TEST_CASE(claims_file_and_a_study_that_throws) {
  const Scratch scratch;
  const auto end = run_named(scratch.path, {"made"});
  BOOST_TEST((end.failed() && !end.interrupted));
  // The study that throws leaves its message, and the others go on.
  BOOST_TEST_REQUIRE(end.results.size() == 3u);
  BOOST_TEST((end.results[1].error == "the cell fell over" && end.results[2].error.empty()));
  BOOST_TEST(has(claims_table(end.results[1], 100), "FAILED: the cell fell over"));
  const auto figures = json_in(scratch.path / "figures.json");
  BOOST_TEST(figures["studies"][1]["error"] == "the cell fell over");
  BOOST_TEST(figures["studies"][0]["figures"][0]["panels"][0]["curves"][0]["y"][1].is_null());
  const auto claims = json_in(scratch.path / "claims.json");
  const char* const rows[][3] = {{"made/good/one", "agrees", "1.0 ± 0.1"},
                                 {"made/good/quick-one", "not comparable", "1.0 ± 0.1"},
                                 {"made/broken/before", "differs", "1.0 ± 0.1"},
                                 {"made/counted/sum", "agrees", "5"}};
  BOOST_TEST_REQUIRE(claims.size() == 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& c = claims[k];
    BOOST_TEST(c.size() == 7u);
    for (const char* key : {"id", "source", "published", "measured", "tolerance", "verdict", "note"})
      BOOST_TEST((c.contains(key) && c[key].is_string()), key);
    BOOST_TEST((c["id"] == rows[k][0] && c["verdict"] == rows[k][1] && c["measured"] == rows[k][2]), c.dump());
  }
}

BOOST_AUTO_TEST_CASE(later_runs_replace_their_own_study_only) {
  const Scratch scratch;
  run_named(scratch.path, {"made/good", "made/counted"});
  run_named(scratch.path, {"made/good"}, false);
  auto figures = json_in(scratch.path / "figures.json");
  BOOST_TEST_REQUIRE(figures["studies"].size() == 2u);
  BOOST_TEST((figures["studies"][0]["quick"] == false && figures["studies"][1]["quick"] == true));
  BOOST_TEST(figures["studies"][1]["study"] == "made/counted");
  BOOST_TEST(json_in(scratch.path / "claims.json")[1]["id"] == "made/good/full-one");
  run_named(scratch.path, {"made/good"});  // the last one counts
  BOOST_TEST(json_in(scratch.path / "claims.json")[1]["id"] == "made/good/quick-one");
  // Damaged results are named.
  const fs::path file = study_folder(scratch.path, "made/good", true) / "result.json";
  std::ofstream(file) << "{";
  BOOST_CHECK_EXCEPTION(merge_results(scratch.path, made), FileError,
                        [&](const FileError& e) { return has(e.what(), file.string()); });
}

BOOST_AUTO_TEST_CASE(interruption_keeps_what_is_finished) {
  const Scratch scratch;
  const auto end = run_named(scratch.path, {"made/good", "other"});
  BOOST_TEST(end.interrupted);
  BOOST_TEST(end.results.size() == 1u);
  BOOST_TEST(json_in(scratch.path / "claims.json").size() == 2u);
  BOOST_TEST(!fs::exists(study_folder(scratch.path, "other/stop", true) / "result.json"));
}

BOOST_AUTO_TEST_CASE(tasks_are_resumed_and_forgotten_on_request) {
  const Scratch scratch;
  run_named(scratch.path, {"made/counted"});
  const fs::path folder = study_folder(scratch.path, "made/counted", true);
  BOOST_TEST(std::any_of(fs::directory_iterator(folder), fs::directory_iterator(),
                         [](const auto& file) { return file.path().extension() == ".journal"; }));
  const fs::path marker = folder / "marker";
  std::ofstream(marker) << "x";
  run_named(scratch.path, {"made/counted"});
  BOOST_TEST(fs::exists(marker));
  run_named(scratch.path, {"made/counted"}, true, true);
  BOOST_TEST(!fs::exists(marker));
}

BOOST_AUTO_TEST_CASE(table_fits_the_terminal) {
  StudyResult r;
  r.study = "made/good", r.title = "A study";
  Claim long_one = claim("made/good/a-very-long-identifier-without-any-space-in-it", ClaimVerdict::differs);
  const std::string words = " and some words that go on for more than a line of the table";
  long_one.published = "γ̇t_c = 1e-3, " + std::string(70, 'x') + " Δt/t_c" + words;
  long_one.note = "a note" + words + words;
  r.claims = {long_one, claim("made/good/two")};
  for (const std::size_t width : {80u, 110u, 180u}) {
    std::istringstream lines(claims_table(r, width));
    std::string line, all;
    while (std::getline(lines, line)) {
      std::size_t columns = 0;
      for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      BOOST_TEST(columns <= width + 1);  // γ̇ has a mark of its own
      all += line + "\n";
    }
    for (const char* part :
         {"agrees", "differs", "published", "measured", "why: a note", "1 agrees, 1 differs, 0 not comparable"})
      BOOST_TEST(has(all, part));
  }
}

BOOST_AUTO_TEST_CASE(expected_time_scales_with_the_workers) {
  const auto all = find_studies(made, Names{});
  BOOST_TEST(expected_seconds(all, false, 1) == 5 * 2 * 60 * 2);
  BOOST_TEST(expected_seconds(all, true, 1) == 10);
}

BOOST_AUTO_TEST_CASE(every_study_has_a_folder_and_a_row) {
  std::set<std::string_view> seen;
  for (const Study& s : studies()) {
    BOOST_TEST(seen.insert(s.name).second);
    BOOST_TEST(fs::is_directory(fs::path(LIBDEM_SOURCE_DIR) / "validation" / s.name));
    BOOST_TEST((s.full_minutes > 0 && s.quick_seconds > 0 && !s.title.empty()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
