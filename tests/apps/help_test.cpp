// dem help: the minimal case runs as printed, every word of a choice is explained, and every example is a case.
#include <set>

#include "apps/cli_tools.hpp"
#include "libdem/case/topics.hpp"
#include "libdem/case/words.hpp"
#include "libdem/laws/catalogue.hpp"

using cli::Folder;
using cli::has;

namespace {

/// The case that stands in the text, from its first line to an empty line that no table follows.
std::string case_in(const std::string& text) {
  std::string out = text.substr(text.find("format = 1"));
  for (std::size_t at = 0; (at = out.find("\n\n", at)) != std::string::npos; ++at)
    if (const auto next = out.find_first_not_of(" \n", at); next == std::string::npos || out[next] != '[')
      return out.substr(0, at + 1);
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(help_begins_with_a_minimal_case_that_runs, cli::InFolder) {
  const auto help = folder.gives(0, "help");
  const std::string text = case_in(help.out);
  BOOST_TEST(help.out.find("format = 1") < 200u);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  BOOST_TEST((lines >= 12 && lines <= 20), lines);
  folder.write("case.toml", text);
  folder.gives(0, "run case.toml", {"Verdict: good"});
  // Then topics, not all keys.
  help.prints({"\n  material ", "\n  stage ", "\n  rain ", "\n  shear_box ", "\n  jaeger ", "\n  keys "});
  BOOST_TEST(!has(help.out, "largest_start_overlap"));
  folder.dem("help keys").prints({"[material]\n", "  largest_start_overlap "});
}

BOOST_AUTO_TEST_CASE(every_generator_driver_and_law_has_a_page_with_a_good_case) {
  const Folder folder("grains.tsv", "1\tPOLYGON((0 1, 1 1, 1 2, 0 2, 0 1))\n2\tPOLYGON((3 1, 4 1, 4 2, 3 2, 3 1))\n");
  folder.write("spheres.txt", "0 0 1.5 1\n3 0 1.5 1\n");
  std::set<std::string> names;
  for (const auto& topic : dem::case_topics()) {
    names.insert(topic.name);
    const auto page = folder.dem("help " + topic.name);
    BOOST_TEST_CONTEXT(topic.name << ": " << page.err) {
      BOOST_TEST(page.code == 0);
      BOOST_TEST(!topic.keys.empty());
      for (const auto* key : topic.keys) BOOST_TEST(has(page.out, key->path), key->path);
      const auto at = page.out.find("Example, a whole case:");
      BOOST_TEST_REQUIRE(at != std::string::npos);
      folder.write("case.toml", case_in(page.out.substr(at)));
      BOOST_TEST(case_in(page.out.substr(at)).size() > topic.example.size());  // indented: nothing was left out
      folder.gives(0, "check case.toml");
      BOOST_TEST(has(topic.example, topic.kind == dem::CaseTopic::Kind::driver
                                        ? topic.name == "cell" ? "mean_pressure" : topic.name
                                    : topic.name == "bodies" ? "[[body]]"
                                                             : topic.name));
    }
  }
  for (const auto& word : dem::case_file::words_of(dem::case_file::Generator{}))
    BOOST_TEST(names.contains(std::string(word.name)), word.name);
  for (const auto& law : dem::laws::catalogue()) BOOST_TEST(names.contains(std::string(law.name)), law.name);
  for (const char* driver : {"plates", "cell", "shear_box", "wall", "mass_damping"})
    BOOST_TEST(names.contains(driver), driver);
  folder.dem("help shear-box").prints({"shear_box: a box for direct shear"});
  folder.dem("help stage").prints({"[[stage]]: ", "\nstage.duration"});
  folder.dem("help '[material]'").prints({"[material]: ", "\nmaterial.density"});
  folder.dem("help sweep").prints({"Usage: dem sweep"});
}

BOOST_FIXTURE_TEST_CASE(every_word_that_a_key_may_have_is_explained, cli::InFolder) {
  std::set<std::string> words, keys;
  for (const auto& word : dem::case_words()) words.insert(word.word), keys.insert(word.key->path);
  for (const char* word : {"rain", "jaeger", "edge-mean", "velocity-verlet", "swing-twist", "log-normal", "rotation",
                           "servo", "hold-stress", "sphere", "x", "part-of-step"})
    BOOST_TEST(words.contains(word), word);
  for (const auto& key : dem::case_keys())
    if (key.type == "choice") BOOST_TEST(keys.contains(key.path), key.path);
  for (const std::string& word : words)
    BOOST_TEST(!has(folder.gives(0, "help -- " + word).out, "There is no key"), word);
  folder.dem("help swing-twist").prints({"swing-twist: a value of contact.transport\n  smallest rotation"});
  // A word that is a key and a value: both.
  folder.dem("help overlap")
      .prints({"overlap: a value of contact.normal_force\n  discs: k_n times the overlap depth\n"});
  folder.dem("help radius").prints({"body.radius", "radius: a value of contact.lever"});
  // A lattice lists the shapes that it takes.
  const std::string help = folder.dem("help lattice").out;
  BOOST_TEST(has(help, "allowed: one of \"disc\", \"polygon\"\n"), help);
  folder.dem("help random").prints({"\"disc\", \"polygon\", \"sphere\", \"cluster\"\n"});
}
