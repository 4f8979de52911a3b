#include "libdem/case/topics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/of_laws.hpp"
#include "libdem/case/words.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {
namespace {

using Kind = CaseTopic::Kind;

/// The start of an example.
std::string head(std::string_view title, bool space, std::string_view before_tables = "") {
  return fmt::format("format = 1\n{}title = \"{}\"\n{}", space ? "dimension = 3\n" : "", title, before_tables);
}

constexpr std::string_view fall_in_space = "gravity = [0.0, 0.0, -9.81]       # m/s2\n";

std::string linear_material(double density, std::string_view stiffness, std::string_view more = "") {
  return fmt::format(
      "\n[material]\ndensity = {:.1f}\nnormal_stiffness = {}\ntangential_stiffness_ratio = 0.5\nfriction = "
      "0.5\nrestitution = 0.8\ntangential_damping_ratio = 0.1\n{}",
      density, stiffness, more);
}

const std::string time_step =
    "\n[time]\nstep = \"auto\"                     # half of the limit; dem check tells both\n";

const std::string flat_floor =
    "\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n";

std::string two_spheres(std::string_view contact, std::string_view material) {
  return head("two spheres meet off their centres", true) +
         fmt::format(
             "\n[contact]\n{}\n[material]\ndensity = 2500.0                  # kg/m3\n{}friction = 0.5\nrestitution = "
             "0.8\n",
             contact, material) +
         time_step +
         "\n[[body]]\nshape = \"sphere\"\nradius = 0.01                     # m\nposition = [0.0, 0.0, 0.0]\n"
         "\n[[body]]\nshape = \"sphere\"\nradius = 0.01\nposition = [0.021, 0.004, 0.0]\nvelocity = [-0.2, 0.0, 0.0]   "
         "    # m/s\n"
         "\n[[stage]]\nduration = 0.02                   # s\n";
}

constexpr std::string_view moduli = "shear_modulus = 1e8               # Pa\npoisson_ratio = 0.25\n";
constexpr std::string_view springs = "normal_stiffness = 1e4            # N/m\ntangential_stiffness_ratio = 0.8\n";

/// Text and example of each generator, in the order of the choice.
std::vector<CaseTopic> generators() {
  std::vector<CaseTopic> pages;
  const auto page = [&](case_file::Generator generator, std::string text, std::string example) {
    CaseTopic topic;
    topic.kind = Kind::generator;
    for (const auto& word : case_file::words_of(generator))
      if (word.value == generator) topic.name = word.name, topic.summary = word.meaning;
    topic.text = std::move(text);
    topic.example = std::move(example);
    for (const CaseKey& key : case_keys())
      if (generator == case_file::Generator::bodies
              ? key.path.starts_with("body.")
              : key.path.starts_with("assembly.") && std::ranges::find(key.only_for, topic.name) != key.only_for.end())
        topic.keys.push_back(&key);
    pages.push_back(std::move(topic));
  };
  using case_file::Generator;
  page(Generator::bodies,
       "Every body has a table [[body]]. Bodies may be listed beside those of any other generator, too. "
       "Messages count the tables from 1, as body[1]; results number the bodies from 0.\n",
       minimal_case());
  page(Generator::voronoi,
       "The cells fill the plane, less solid_fraction. With [plates] the first and the last row are the plates.\n",
       head("Voronoi cells, pressed", false) +
           "\n[assembly]\ngenerator = \"voronoi\"\ncolumns = 8\nrows = 10                         # the first and the "
           "last are the plates\nseed = 1\n\n[plates]\n" +
           linear_material(1, "400.0") + time_step +
           "\n[[stage]]\nnormal = \"hold-stress\"\nnormal_stress = 0.4               # N/m\nplate_speed = 0.1          "
           "       # m/s\nduration = 50.0                   # s\n");
  page(Generator::grains,
       "The file has a line a grain, its parts apart by tabs: a number, a name (or none), POLYGON((x y, x y, ...)). "
       "Grains that overlap at the start are shrunk or refused.\n",
       head("outlines from a file", false, "gravity = [0.0, -9.81]            # m/s2\n") +
           "\n[assembly]\ngenerator = \"grains\"\nfile = \"grains.tsv\"               # such as: 1<TAB>POLYGON((0 1, 1 "
           "1, 1 2, 0 2, 0 1))\nscale = 1e-2                      # the file is in centimetres\n" +
           linear_material(1, "1e5") + time_step +
           "\n[[wall]]\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\n\n[[stage]]\nduration = 0.05                   # s\n");
  page(Generator::lattice, "",
       head("discs on a lattice fall", false, "gravity = [0.0, -9.81]            # m/s2\n") +
           "\n[assembly]\ngenerator = \"lattice\"\nshape = \"disc\"\ncolumns = 6\nrows = 4\nradius = 0.01              "
           "       # m\nspacing = 0.0201                  # m, centre to centre\n\n[cell]\nperiodic = []\n" +
           linear_material(1, "1e5") + time_step +
           "\n[[wall]]\nfrom = [0.0, -0.05]\nto = [1.0, -0.05]\n\n[[stage]]\nduration = 0.02                   # s\n");
  page(Generator::random,
       "The bodies do not touch at the start. The cell is periodic in every direction, and a stage that drives it (dem "
       "help cell) compresses them.\n",
       head("loose discs, compressed", false) +
           "\n[assembly]\ngenerator = \"random\"\nshape = \"disc\"\ncount = 100\nradius = 0.5                      # "
           "m, mean\nspread = 0.15\nvoid_ratio = 0.5\nseed = 1\n" +
           linear_material(1, "1000.0") + time_step +
           "\n[[stage]]\nmean_pressure = 1.0               # N/m, compression positive\nunbalanced = 0.01              "
           "   # end when the forces balance to 1 %\nduration = 100.0                  # s, at most\n");
  page(Generator::rain,
       "Layers of columns times rows places lie above each other, pitch and layer_spacing apart. A floor and walls "
       "([[wall]], [shear_box]) have to catch the spheres.\n",
       head("spheres rain on a floor", true, fall_in_space) +
           "\n[assembly]\ngenerator = \"rain\"\ncolumns = 4\nrows = 4\nlayers = 5\nradius = 0.01                     # "
           "m\npitch = 0.04                      # m\nlowest = 0.02                     # m, height of the lowest "
           "centres\nseed = 1\n" +
           linear_material(2500, "1e4") + time_step + flat_floor +
           "\n[[stage]]\nduration = 0.5                    # s\n");
  page(Generator::import,
       "dem import FILE says what such a file holds, and writes a case that starts from it. Spheres of a table are not "
       "in a cell unless its first line has one, or [cell] does.\n",
       head("spheres from a table", true, fall_in_space) +
           "\n[assembly]\ngenerator = \"import\"\nfile = \"spheres.txt\"              # a line a sphere: x y z "
           "r\nscale = 1e-3                      # the file is in millimetres\n\n[cell]\nperiodic = []\n" +
           linear_material(2500, "1e4") + time_step + flat_floor +
           "\n[[stage]]\nduration = 0.1                    # s\n");
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
    pages.push_back({Kind::driver, table, topic.summary, topic.text, keys_of(paths), topic.example});
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
       head("spheres, triaxial compression", true) +
           "\n[assembly]\ngenerator = \"random\"                # makes a cell that is periodic in every "
           "direction\nshape = \"sphere\"\ncount = 100\nradius = 1e-3                     # m\nvoid_ratio = 1.2\nseed "
           "= 7\n" +
           linear_material(2650, "2e4") + time_step +
           "\n[[stage]]\nname = \"compress\"\nmean_pressure = 1e4               # Pa\nunbalanced = 0.01\nduration = "
           "0.05                   # s, at most\n"
           "\n[[stage]]\nname = \"shear\"\nrate_zz = -0.4                    # 1/s\nmean_pressure = 1e4               "
           "# held by x and y\nstrain = 0.02                     # of zz\n"},
      {Kind::driver, "wall",
       "walls: straight lines in the plane; planes, rectangles and meshes in space; at rest or moving",
       "Walls of one name are one rigid part. A wall moves at its `velocity`, or in a stage as wall_velocities says. "
       "Series: force and moment on each.\n",
       keys_of({"wall.", "stage.wall_velocities"}),
       head("a sphere between a floor and a wall that comes down", true, fall_in_space) + linear_material(2500, "1e4") +
           time_step +
           "\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.01                     # m\nposition = [0.0, "
           "0.0, 0.01]\n" +
           flat_floor +
           "\n[[wall]]\nname = \"lid\"\nshape = \"rectangle\"\ncorner = [-0.02, -0.02, 0.025]\nedge_1 = [0.04, 0.0, "
           "0.0]\nedge_2 = [0.0, 0.04, 0.0]\n"
           "\n[[stage]]\nwall_velocities = [[\"lid\", [0.0, 0.0, -0.01]]]  # m/s\nduration = 0.3                    # "
           "s\n"},
      {Kind::driver, "mass_damping", "a force against every body's own movement, as in quasi-static loading",
       "It takes energy wherever something moves, also where nothing touches: of use while an assembly is made, wrong "
       "in flow. A stage may have its own.\n",
       keys_of({"material.mass_damping", "stage.mass_damping"}),
       head("loose discs, compressed with mass damping", false) +
           "\n[assembly]\ngenerator = \"random\"\nshape = \"disc\"\ncount = 100\nradius = 0.5                      # "
           "m\nvoid_ratio = 0.5\n" +
           linear_material(1, "1000.0", "mass_damping = 1.0                # 1/s\n") + time_step +
           "\n[[stage]]\nmean_pressure = 1.0               # N/m\nunbalanced = 0.01\nduration = 100.0                  "
           "# s, at most\n\n[[stage]]\nmass_damping = 0.0                # of this stage\nmean_pressure = "
           "1.0\nduration = 1.0\n"},
  };
}

/// A case with the law: two spheres that meet.
std::string example_of(const laws::LawEntry& law) {
  return two_spheres(fmt::format("law = \"{}\"\n{}", law.name, law.example), law.hertzian ? moduli : springs);
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

const std::string& minimal_case() {
  static const std::string text =
      "format = 1\n"
      "gravity = [0.0, -9.81]            # m/s2\n"
      "[material]\n"
      "normal_stiffness = 1e5            # N/m\n"
      "tangential_stiffness_ratio = 0.5\n"
      "friction = 0.5\n"
      "restitution = 0.5\n"
      "[time]\n"
      "step = \"auto\"                     # half of the limit; dem check tells both\n"
      "[[body]]\n"
      "shape = \"disc\"\n"
      "radius = 0.1                      # m\n"
      "position = [0.0, 0.5]\n"
      "[[wall]]                          # bodies are on the left of the line\n"
      "from = [0.0, 0.0]\n"
      "to = [1.0, 0.0]\n"
      "[[stage]]\n"
      "duration = 1.0                    # s\n";
  return text;
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
