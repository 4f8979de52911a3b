// Files that a parser could not bear: too long or too deep. Each is told in a sentence.
#include "case/error_checks.hpp"
#include "libdem/case/contact_drive_file.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/sweep/sweep.hpp"
#include "results/results_test_tools.hpp"

namespace {

namespace fs = std::filesystem;

std::string repeated(const std::string& part, int times, std::string text = {}) {
  for (int k = 0; k < times; ++k) text += part;
  return text;
}

std::string first_error(const std::string& text) {
  const auto errors = errors_of(text);
  return errors.empty() ? "" : errors.front();
}

const std::function<void(const fs::path&)> readers[] = {[](const fs::path& file) { read_case(file); },
                                                        [](const fs::path& file) { read_sweep(file); },
                                                        [](const fs::path& file) { read_contact_drive(file); }};

}  // namespace

BOOST_AUTO_TEST_CASE(keys_and_brackets_have_a_depth_without_those_of_values_texts_and_comments) {
  const std::string deep =
      "case.toml:15: found a key of more than 64 parts, allowed fewer: keys are at most three deep";
  for (const int parts : {65, 40000}) {
    const std::string key = repeated(".a", parts - 1, "a");
    BOOST_TEST(first_error(good_disc + key + " = 1\n") == deep);
    BOOST_TEST(first_error(good_disc + "[" + key + "]\n") == deep);
    BOOST_TEST(first_error(good_disc + "[[ " + key + " ]]\n") == deep);
    BOOST_TEST(first_error(good_disc + "x = { " + key + " = 1 }\n") == deep);
    BOOST_TEST(first_error(good_disc + repeated("\"a b\" . ", parts - 1) + "a = 1\n") == deep);
  }
  const std::string nested =
      "case.toml:15: found brackets within brackets, more than 64 deep, allowed fewer: lists are at most three deep";
  for (const int depth : {65, 100000}) {
    BOOST_TEST(first_error(good_disc + "x = " + repeated("[", depth) + repeated("]", depth) + "\n") == nested);
    BOOST_TEST(first_error(good_disc + "x = " + repeated("{ a = ", depth) + "1" + repeated(" }", depth) + "\n") ==
               nested);
  }
  // Within the bounds it is the case that is refused, not the text; the deepest document that they allow is read.
  const std::string key = repeated(".a", 63, "a");
  BOOST_TEST(first_error(good_disc + key + " = 1\n").find("unknown key") != std::string::npos);
  BOOST_TEST(first_error(good_disc + "[" + key + "]\n" + key + " = " + repeated("{ " + key + " = ", 64) + "1" +
                         repeated(" }", 64) + "\n")
                 .find("unknown table") != std::string::npos);
  std::string outline;
  for (int k = 0; k < 200; ++k)
    outline += fmt::format("{}[{:.3f}, {:.3f}]", k ? ", " : "", std::cos(k * 0.0314), std::sin(k * 0.0314));
  const std::string polygon = "[[body]]\nshape = \"polygon\"\nvertices = [" + outline + "]\n";  // 400 dots in a line
  std::string of_polygons = good_disc;
  of_polygons.replace(of_polygons.find("[[body]]"), of_polygons.find("[[stage]]") - of_polygons.find("[[body]]"),
                      polygon);
  BOOST_TEST(first_error(of_polygons) == "");
  const std::string dots = repeated(".a", 100), brackets = repeated("[{", 100);
  for (const std::string& line :
       {"# " + dots + brackets, "title = \"\\\"" + dots + brackets + "\"", "title = '" + dots + brackets + "\\'",
        "title = \"\"\"\n" + dots + "\"\\\n" + brackets + "\"\"\"\"", "title = '''\n" + dots + brackets + "'''"})
    BOOST_TEST(first_error(line + "\n" + good_disc) == "", line);
}

BOOST_FIXTURE_TEST_CASE(sweeps_and_drives_have_the_same_bounds, InTemporaryFolder) {
  const fs::path file = folder.path / "deep.toml";
  write_file(file, repeated(".a", 40000, "a") + " = 1\n");
  for (const auto& read : readers)
    BOOST_CHECK_EXCEPTION(read(file), CaseErrors, says("deep.toml:1: found a key of more than 64 parts"));
  BOOST_TEST(case_key_line(file, "time.step") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_text_above_16_MB_is_refused_unless_it_is_that_of_a_results_folder, InTemporaryFolder) {
  const std::string long_case = good_disc + "# " + std::string(std::size_t{16} << 20, 'x') + "\n";
  const fs::path file = folder.path / "case.toml";
  write_file(file, long_case);
  for (const auto& read : readers)
    BOOST_CHECK_EXCEPTION(read(file), CaseErrors, says("case.toml:1: found more than 16 MB of text"));
  RunDescription run = this_build();
  run.case_text = long_case;
  const auto results = ResultsFolder::create(folder.path / "results", run, false, "test");
  BOOST_TEST(read_case(folder.path / "results/case.toml").assembly.bodies.size() == 1);
}
