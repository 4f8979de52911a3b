// Random extreme numbers in good cases: `dem check` ends soon, with yes or a reason, and shows no number that is none.
#include <array>
#include <random>
#include <regex>

#include "apps/drive_tools.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/sweep/case_document.hpp"

namespace {

const std::string springs =
    "[material]\ndensity = 2000.0\nnormal_stiffness = 1e5\ntangential_stiffness_ratio = 0.5\nfriction = "
    "0.5\nrestitution = 0.9\n[time]\nstep = 1e-5\n";
const std::string elastic =
    "[material]\ndensity = 2600\nshear_modulus = 2e9\npoisson_ratio = 0.25\nfriction = 0.5\nrestitution = "
    "0.9\n[time]\nstep = 1e-7\n";

const std::array<std::string, 6> cases{
    "format = 1\ndimension = 3\ngravity = [0, 0, -9.81]\n" + springs +
        "[[body]]\nname = \"a\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0.1]\nvelocity = [0, 0, "
        "-1]\n[[body]]\nshape = \"cluster\"\nspheres = [[0, 0, 0, 1], [1, 0, 0, 0.5]]\n"
        "position = [5, 0, 2]\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, "
        "1]\n[[stage]]\nduration = 0.01\n",
    "format = 1\n" + springs +
        "[assembly]\ngenerator = \"random\"\nshape = \"disc\"\ncount = 12\nvoid_ratio = 3\n[[stage]]\nrate_xx = "
        "-0.5\nmean_pressure = 10.0\nduration = 0.01\n",
    "format = 1\n" + springs +
        "[assembly]\ngenerator = \"voronoi\"\ncolumns = 4\nrows = 5\n[plates]\n[[stage]]\nnormal = "
        "\"hold-stress\"\nnormal_stress = 10.0\nplate_speed = 0.1\nshear_rate = 0.1\nstrain = 0.01\n",
    "format = 1\ndimension = 3\ngravity = [0, 0, -9.81]\n[contact]\nlaw = \"hooke-history\"\n" + springs +
        "[assembly]\ngenerator = \"rain\"\ncolumns = 3\nrows = 3\nlayers = 2\nradius = 0.01\ncentre = [0.1, "
        "0.1]\nlowest = 0.01\n[shear_box]\nlength = 0.2\ndepth = 0.1\nheight = 0.2\n"
        "[[stage]]\nplate_stress = 100.0\nduration = 0.01\n[[stage]]\nplate_stress = 100.0\nshear_velocity = "
        "0.01\nshear_displacement = 0.001\n",
    "format = 1\ndimension = 3\n[contact]\nlaw = \"jaeger\"\n" + elastic +
        "[assembly]\ngenerator = \"random\"\nshape = \"sphere\"\ncount = 12\nradius = 0.001\nvoid_ratio = "
        "4\n[[stage]]\nmean_pressure = 1e5\nrate_zz = -0.1\nstrain = 0.01\n",
    "format = 1\n" + springs +
        "[[body]]\nshape = \"regular-polygon\"\nradius = 0.1\nsides = 6\nposition = [0, 0.2]\n[[wall]]\nfrom = [0, "
        "0]\nto = [1, 0]\n[[stage]]\nduration = 0.01\n"};

/// Keys that count bodies. Their values are few or far too many, since many bodies take long.
bool counts(const dem::CaseKey& key) {
  const std::string last = key.path.substr(key.path.rfind('.') + 1);
  return last == "count" || last == "rows" || last == "columns" || last == "layers" || last == "sides";
}

/// Whether the case has the table of the key and the choice that the key is for.
bool applies(const dem::CaseKey& key, const std::string& text) {
  const std::string table = key.path.substr(0, key.path.rfind('.'));
  const bool in_space = cli::has(text, "dimension = 3"),
             known = table == key.path || table == "output" || table == "cell" || cli::has(text, "[" + table + "]");
  if (!known || cli::has(key.when, in_space ? "dimension = 2" : "dimension = 3")) return false;
  std::string words = key.when.substr(0, key.when.find("dimension = "));
  const auto equals = words.find(" = ");
  if (equals == std::string::npos) return true;
  words = std::regex_replace(words.substr(equals + 3), std::regex(" or |, *"), "|");
  if (words.ends_with('|')) words.pop_back();
  return std::regex_search(text, std::regex("\"(" + words + ")\""));
}

class Extremes {
 public:
  explicit Extremes(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return std::size_t(random_() % n); }
  double number(const dem::CaseKey& key) {
    const auto [low, high] = *key.bounds;
    if (counts(key)) return std::array{0.0, 1.0, 2.0, 5.0, 1e12, 9e15}[below(6)];
    const double least = low > 0 ? low : std::min(1e-12, high);
    const double between =
        least * std::pow(high / least, double(random_() % 1000) / 1000);  // evenly by its order of magnitude
    const double x = std::array{low,     high,     least, between, between, between,
                                between, -between, 0.0,   1e-300,  1e300,   2 * high}[below(12)];
    return key.type == "whole number" ? std::floor(std::min(std::abs(x), 9e15)) : x;
  }

 private:
  std::mt19937 random_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(random_extremes_are_checked_soon_and_without_nan, cli::InFolder) {
  Extremes extremes(20);
  std::vector<dem::CaseKey> keys;
  for (const dem::CaseKey& key : dem::case_keys())
    if (key.bounds && key.path != "threads" && key.path != "format" && key.path != "dimension") keys.push_back(key);
  const std::regex no_number("(^|[^a-zA-Z_])-?(nan|inf)($|[^a-zA-Z_])");
  int good = 0, refused = 0;
  for (const std::string& text : cases) {
    folder.write("case.toml", text);
    const auto ran = folder.dem("check case.toml");
    BOOST_TEST_REQUIRE(ran.code == 0, ran.err << text);
  }
  for (int trial = 0; trial < 240; ++trial) {
    const std::string& text = cases[std::size_t(trial) % cases.size()];
    dem::CaseDocument document(text, "case.toml");
    std::string told;
    for (std::size_t wanted = 1 + extremes.below(2); wanted > 0;) {
      const dem::CaseKey& key = keys[extremes.below(keys.size())];
      if (!applies(key, text)) continue;
      std::string place = key.path;
      for (const char* list : {"body", "wall", "stage"})
        if (place.starts_with(std::string(list) + ".")) place.insert(std::string(list).size(), "[1]");
      if (key.type.starts_with("[")) place += "[0]";
      const double value = extremes.number(key);
      try {
        document.set(place, value);
      } catch (const std::invalid_argument&) {
        continue;  // not in this case
      }
      told += place + " = " + std::to_string(value) + "\n";
      --wanted;
    }
    folder.write("case.toml", document.text());
    const auto ran = folder.dem("check case.toml", "ulimit -t 30;");
    const bool known =
        ran.code == 0 || ran.code == 2 || (ran.code == 5 && cli::has(ran.err, "the trial of its first steps failed"));
    BOOST_TEST(known, "exit code " << ran.code << " of\n" << document.text() << ran.err);
    BOOST_TEST(!std::regex_search(ran.out + ran.err, no_number), ran.out << ran.err << document.text());
    ++(ran.code == 0 ? good : refused);
  }
  BOOST_TEST_MESSAGE(good << " good, " << refused << " refused");
  BOOST_TEST(good > 10);
  BOOST_TEST(refused > 100);
}

/// With an automatic step these are known only when the bodies are there.
BOOST_FIXTURE_TEST_CASE(times_of_an_automatic_step, cli::InFolder) {
  const std::string text = std::regex_replace(cases[0], std::regex("step = 1e-5"), "step = \"auto\"");
  const auto refused = [&](const std::string& changed, const std::string& message) {
    folder.write("case.toml", changed);
    folder.refuses(2, "check case.toml", {message});
  };
  refused(text + "[output]\nsnapshot_interval = 1e-12\n",
          "case.toml:30: output.snapshot_interval: found 1e-12, allowed 0 or at least the automatic time.step");
  refused(std::regex_replace(text, std::regex("duration = 0.01"), "duration = 1e14"),
          "case.toml:28: stage[1].duration: found a time of 1e+14 s, allowed at most");
}

BOOST_AUTO_TEST_CASE(movements_of_a_contact_drive) {
  using drive_tools::drive, drive_tools::refused, drive_tools::usual;
  const std::string spheres =
                        "shear_modulus = 1e9\npoisson_ratio = 0.25\nradius_i = 0.1\nradius_j = 0.2\nfriction = 0.5\n",
                    header = "overlap,shift_1,shift_2\n";
  refused(drive("linear", usual), "path.csv:2: overlap: found 100000 m, allowed from -10000 to 10000 m",
          header + "1e5,0,0\n");
  refused(drive("linear", usual), "path.csv:2: shift_1: found 100000 m, allowed from -1e+04 to 1e+04 in a row",
          header + "1e-3,1e5,0\n");
  refused(drive("jaeger", spheres),
          "path.csv:2: overlap: found 0.5 m, allowed from -10000 to 0.3 m: with the sum of the radii the centres meet",
          header + "0.5,0,0\n");
  refused(drive("linear", "normal_stiffness = 1e308\ntangential_stiffness = 1e5\nfriction = 0.5\n"),
          "parameters.normal_stiffness: found 1e+308, allowed a number > 0, from 1e-12 to 1e+18");
  refused(drive("linear", usual, "start_overlap = 1e5\n"),
          "path.start_overlap: found 100000.0, allowed a number in [-10000, 10000]");
}
