#include "libdem/case/topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/of_laws.hpp"
#include "libdem/case/words.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {
namespace {

using Kind = CaseTopic::Kind;

/// Text of each generator, in the order of the choice.
std::vector<CaseTopic> generators() {
  using case_file::Generator;
  const std::map<Generator, std::string> texts{
      {Generator::bodies,
       "Every body has a table [[body]]. Bodies may be listed beside those of any other generator, too. "
       "Messages count the tables from 1, as body[1]; results number the bodies from 0.\n"},
      {Generator::voronoi,
       "The cells fill the plane, less solid_fraction. With [plates] the first and the last row are the plates.\n"},
      {Generator::grains,
       "The file has a line a grain, its parts apart by tabs: a number, a name (or none), POLYGON((x y, x y, ...)). "
       "Grains that overlap at the start are shrunk or refused.\n"},
      {Generator::lattice, ""},
      {Generator::random,
       "The bodies do not touch at the start. The cell is periodic in every direction, and a stage that drives it (dem "
       "help cell) compresses them.\n"},
      {Generator::rain,
       "Layers of columns times rows places lie above each other, pitch and layer_spacing apart. A floor and walls "
       "([[wall]], [shear_box]) have to catch the spheres.\n"},
      {Generator::import,
       "dem import FILE says what such a file holds, and writes a case that starts from it. Spheres of a table are not "
       "in a cell unless its first line has one, or [cell] does.\n"}};
  std::vector<CaseTopic> pages;
  for (const auto& word : case_file::words_of(Generator{})) {
    const bool listed = word.value == Generator::bodies;
    CaseTopic topic{Kind::generator, std::string(word.name), std::string(word.meaning), texts.at(word.value), {}, ""};
    topic.example = example_case(listed ? "minimal" : topic.name);
    for (const CaseKey& key : case_keys())
      if (listed
              ? key.path.starts_with("body.")
              : key.path.starts_with("assembly.") && std::ranges::find(key.only_for, topic.name) != key.only_for.end())
        topic.keys.push_back(&key);
    pages.push_back(std::move(topic));
  }
  return pages;
}

/// Keys of whole tables (ending in a dot) and single ones.
std::vector<const CaseKey*> keys_of(const std::vector<std::string_view>& paths) {
  std::vector<const CaseKey*> keys;
  for (const std::string_view path : paths)
    for (const CaseKey& key : case_keys())
      if (key.path == path || ((path.ends_with('.') || path.ends_with('_')) && key.path.starts_with(path)))
        keys.push_back(&key);
  return keys;
}

/// Pages of drivers with a table of their own.
std::vector<CaseTopic> own_tables() {
  std::vector<CaseTopic> pages;
  for (const DriverEntry& driver : registered_drivers()) {
    if (!driver.topic) continue;
    const DriverTopic& topic = *driver.topic;
    const std::string table(driver.table), all_keys = table + ".";
    std::vector<std::string_view> paths = topic.more_keys;
    paths.insert(paths.begin(), all_keys);
    pages.push_back({Kind::driver, table, topic.summary, topic.text, keys_of(paths),
                     topic.example.empty() ? example_case(table) : topic.example});
  }
  return pages;
}

/// Pages of drivers whose keys lie in other tables.
std::vector<CaseTopic> other_drivers() {
  return {
      {Kind::driver, "cell", "a periodic cell that a stage strains, or that a servo strains so that it holds a stress",
       "Each of xx, yy, xy (in space also zz, xz, yz) has a rate (extension positive) or a stress (tension positive), "
       "or neither: then it stays, unless mean_pressure moves it.\n"
       "mean_pressure is compression positive. The cell has to be periodic in every direction. Series: stress, strain, "
       "void ratio.\n",
       keys_of({"cell.", "stage.rate_", "stage.stress_xx", "stage.stress_yy", "stage.stress_zz", "stage.stress_xy",
                "stage.stress_xz", "stage.stress_yz", "stage.mean_pressure", "stage.largest_rate",
                "stage.servo_tolerance", "stage.strain", "stage.until_target", "stage.unbalanced", "stage.coordination",
                "stage.stress_ratio", "stage.void_ratio", "stage.turn_"}),
       example_case("cell")},
      {Kind::driver, "wall",
       "walls: straight lines in the plane; planes, rectangles and meshes in space; at rest or moving",
       "Walls of one name are one rigid part. A wall moves at its `velocity`, or in a stage as wall_velocities says. "
       "Series: force and moment on each.\n",
       keys_of({"wall.", "stage.wall_velocities"}), example_case("wall")},
      {Kind::driver, "mass_damping", "a force against every body's own movement, as in quasi-static loading",
       "It takes energy wherever something moves, also where nothing touches: of use while an assembly is made, wrong "
       "in flow. A stage may have its own.\n",
       keys_of({"material.mass_damping", "stage.mass_damping"}), example_case("mass_damping")},
  };
}

/// A case with the law: two spheres that meet.
std::string example_of(const laws::LawEntry& law) {
  std::string text = example_case("law");  // with law linear
  const auto replace = [&](std::string_view old, std::string_view by) { text.replace(text.find(old), old.size(), by); };
  replace("law = \"linear\"\n", fmt::format("law = \"{}\"\n{}", law.name, law.example));
  if (law.hertzian)
    replace("normal_stiffness = 1e4            # N/m\ntangential_stiffness_ratio = 0.8\n",
            "shear_modulus = 1e8               # Pa\npoisson_ratio = 0.25\n");
  return text;
}

std::vector<CaseTopic> laws_of_contacts() {
  std::vector<CaseTopic> pages;
  for (const laws::LawEntry& law : laws::catalogue()) {
    CaseTopic topic{Kind::law, std::string(law.name), std::string(law.description), "", {}, example_of(law)};
    if (topic.summary.ends_with('.')) topic.summary.pop_back();
    for (const ContactParameter& p : contact_parameters(law))
      for (const CaseKey& key : case_keys())
        if (key.path == fmt::format("material.{}", p.name) || key.path == fmt::format("contact.{}", p.name))
          topic.keys.push_back(&key);
    pages.push_back(std::move(topic));
  }
  return pages;
}

}  // namespace

const std::vector<CaseTopic>& case_topics() {
  static case_file::OfLaws<std::vector<CaseTopic>> all([] {
    std::vector<CaseTopic> drivers = own_tables(), others = other_drivers(), pages = generators();
    drivers.insert(drivers.begin() + 1, others.front());  // plates, cell, shear box
    drivers.insert(drivers.end(), others.begin() + 1, others.end());
    for (auto& more : {drivers, laws_of_contacts()}) pages.insert(pages.end(), more.begin(), more.end());
    return pages;
  });
  return all.get();
}

const CaseTopic* find_case_topic(std::string_view word) {
  const auto same = [](char a, char b) { return a == b || (a == '-' && b == '_') || (a == '_' && b == '-'); };
  for (const CaseTopic& topic : case_topics())
    if (std::ranges::equal(topic.name, word, same)) return &topic;
  return nullptr;
}

const std::vector<CaseWord>& case_words() {
  static case_file::OfLaws<std::vector<CaseWord>> all([] {
    std::vector<CaseWord> words;
    for (const CaseKey& key : case_keys()) {
      for (const auto& [word, meaning] : key.meanings) words.push_back({&key, word, meaning});
      if (!key.meanings.empty() || key.type.starts_with("list of [")) continue;
      // Words without a meaning of their own stand in quotes among what is allowed.
      for (std::size_t open = key.allowed.find('"'); open != std::string::npos;) {
        const std::size_t close = key.allowed.find('"', open + 1);
        if (close == std::string::npos) break;
        const std::string word = key.allowed.substr(open + 1, close - open - 1);
        words.push_back({&key, word, ""});
        open = key.allowed.find('"', close + 1);
      }
    }
    return words;
  });
  return all.get();
}

}  // namespace dem
