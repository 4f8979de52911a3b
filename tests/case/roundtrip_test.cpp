// The resolved case has every key: reading it gives the same case, and one that a run wrote differs in nothing.
#include <regex>

#include "cases.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/platform/text_file.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path examples = fs::path(LIBDEM_SOURCE_DIR) / "apps/examples";

/// The case read back from its resolved text; Case::file is where it came from, which differs.
Case read_back(const Case& c) {
  Case again = parse_case(resolved_case(c), "/elsewhere/resolved.toml");
  BOOST_TEST(again.file == fs::path("/elsewhere/resolved.toml"));
  again.file = c.file;
  return again;
}

std::optional<Case> accepted(const std::string& text) {
  try {
    return parse_case(text, examples / "case.toml");
  } catch (const CaseErrors&) {
    return std::nullopt;
  } catch (const std::exception& error) {
    BOOST_ERROR(error.what() << " for\n" << text);
    return std::nullopt;
  }
}

/// Cases of every kind, as texts: those of examples, of the help and of bad inputs, and what they do not have.
std::vector<std::string> base_cases() {
  std::vector<std::string> all;
  for (const char* folder : {"apps/examples", "libdem/case/examples", "tests/bad-cases", "tests/bad-assemblies"})
    for (const auto& entry : fs::directory_iterator(fs::path(LIBDEM_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".toml")
        if (std::string text = read_file(entry.path()); accepted(text)) all.push_back(std::move(text));
  std::ranges::sort(all);
  const std::string plane = "format = 1\n", space = "format = 1\ndimension = 3\n",
                    rest = "[time]\nstep = 1e-4\n[[stage]]\nduration = 1.0\n";
  const std::string springs =
      "[material]\nnormal_stiffness = 300.0\ntangential_stiffness = 100.0\nfriction = 0.5\nnormal_damping = 1.0\n";
  const std::string hertz =
      "[material]\nshear_modulus = 1e7\npoisson_ratio = 0.25\nfriction = 0.5\nrestitution = 0.9\n";
  const std::string disc = "[[body]]\nshape = \"disc\"\nradius = 1.0\nposition = [0.0, 0.0]\n",
                    ball = "[[body]]\nshape = \"sphere\"\nradius = 0.5\nposition = [0.0, 0.0, 2.0]\n";
  const std::string two_materials =
      "[[other_material]]\nname = \"soft\"\n[[other_material]]\nname = \"w\"\n[[material_pair]]\nfirst = "
      "\"soft\"\nsecond = \"soft\"\n";
  const std::string random = "[assembly]\ngenerator = \"random\"\ncount = 50\n";
  for (const char* sizes : {"log-normal\"", "log-normal-by-mass\"\nmedian_diameter = 0.1\nuniformity = 1.7",
                            "log-normal-by-mass\"\nmedian_diameter = 1.0\nuniformity = 1.0",  // their defaults
                            "power-law\"\nsmallest = 0.1\nlargest = 0.2\nexponent = 2.0",
                            "grades\"\ngrade_radii = [0.1, 0.2]\ngrade_shares = [1.0, 2.0]"})
    all.push_back(plane + springs + random + fmt::format("shape = \"disc\"\ndistribution = \"{}\n", sizes) + rest +
                  "mean_pressure = 10.0\n");
  all.push_back(space + springs + random + "shape = \"cluster\"\nspheres = [[0.0, 0.0, 0.0, 1.0]]\n" + rest +
                "stress_yy = -5.0\nuntil_target = true\n");
  for (const char* stage : {"normal = \"move-to-height\"\nheight = 5.0\nplate_speed = 0.1\n",
                            "normal = \"hold-stress\"\nnormal_stress = 1.0\nplate_speed = 0.1\n",
                            "shear_rate = 0.1\ncycles = 2\nstrain_amplitude = 0.01\n"})
    all.push_back(plane + springs +
                  "[assembly]\ngenerator = \"lattice\"\nshape = \"disc\"\ncolumns = 6\nrows = 5\n[plates]\n" + rest +
                  stage);
  for (const char* wall : {"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]",
                           "rectangle\"\ncorner = [0.0, 0.0, 0.0]\nedge_1 = [1.0, 0.0, 0.0]\nedge_2 = [0.0, 1.0, 0.0]",
                           "mesh\"\nfile = \"polygon-pairs.tsv\"\nscale = 2.0"})
    all.push_back(space + springs + ball + fmt::format("[[wall]]\nname = \"w\"\nshape = \"{}\n", wall) + rest);
  for (const char* shape :
       {"regular-polygon\"\nsides = 5\nradius = 1.0\nposition = [0.0, 0.0]",
        "rectangle\"\nwidth = 1.0\nheight = 2.0\nposition = [0.0, 0.0]",
        "polygon\"\nvertices = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]", "disc\"\nradius = 1.0\nposition = [0.0, 0.0]"})
    all.push_back(plane + springs + fmt::format("[[body]]\nname = \"a\"\nshape = \"{}\n", shape) +
                  "[[wall]]\nname = \"w\"\nfrom = [0.0, -9.0]\nto = [1.0, -9.0]\n" + rest);
  all.push_back(space + springs +
                "[[body]]\nshape = \"cluster\"\nspheres = [[0.0, 0.0, 0.0, 1.0]]\nposition = [0.0, 0.0, 0.0]\n" + rest);
  all.push_back(plane + springs + two_materials + disc + rest);
  all.push_back(space + springs + "[assembly]\ngenerator = \"import\"\nfile = \"polygon-pairs.tsv\"\n" + rest);
  all.push_back(plane + springs + "[contact]\nnormal_force = \"area-potential\"\n" +
                "[assembly]\ngenerator = \"voronoi\"\ncolumns = 6\nrows = 5\n" + rest);
  for (const laws::LawEntry& law : laws::catalogue()) {
    const std::string contact = fmt::format("[contact]\nlaw = \"{}\"\n", law.name);
    if (law.hertzian)
      all.push_back(space + hertz + two_materials + contact + "dissimilar_materials = \"equivalent\"\n" + ball + rest);
    else
      all.insert(all.end(), {plane + springs + contact + disc + rest, space + springs + contact + ball + rest});
  }
  all.push_back(space +
                "[material]\nhertz_normal_stiffness = 1e7\nhertz_tangential_stiffness = 8e6\nfriction = 0.5\n"
                "normal_damping_rate = 4.0\n[contact]\nlaw = \"hertz-history\"\n" +
                ball + rest);
  const std::string ledge = "ledge = 0.01\n";
  for (const std::string& text : std::vector<std::string>(all))
    if (const auto at = text.find(ledge); at != text.npos)
      all.push_back(std::string(text).insert(at + ledge.size(), "plate = \"servo\"\nservo_gain = 0.001\n"));
  return all;
}

/// The text with the key at another value: in the first table of its name, or in a new one.
std::string with(const std::string& text, const std::string& table, const std::string& key, const std::string& value) {
  const std::string line = fmt::format("{} = {}\n", key, value);
  std::size_t at = 0;
  if (!table.empty()) {
    at = text.find(fmt::format("[{}]", table));
    if (at == text.npos) return fmt::format("{}[{}]\n{}", text, table, line);
    at = text.find('\n', at) + 1;
  }
  std::size_t end = text.find("\n[", at == 0 ? 0 : at - 1);
  end = end == text.npos ? text.size() : end + 1;
  const std::string body =
      std::regex_replace(text.substr(at, end - at), std::regex("(^|\n)" + key + " *=[^\n]*"), "$1");
  return text.substr(0, at) + line + body + text.substr(end);
}

/// Values that such a key may take, as TOML.
std::vector<std::string> values_of(const CaseKey& key) {
  if (key.type.starts_with("true")) return {"true", "false"};
  if (key.type.starts_with("whole")) return {"2", "3", "7"};
  if (key.type.starts_with("number")) return {"0.25", "0.7", "1.5", "30.0", "0.01", "-1.5"};
  if (key.type.starts_with("text") || key.type.starts_with("file"))
    return {"\"soft\"", "\"w\"", "\"../examples\"", "\"two-discs.toml\""};
  std::vector<std::string> all;
  static const std::regex word("\"[^\"]+\"");
  for (std::sregex_iterator w(key.allowed.begin(), key.allowed.end(), word), end; w != end; ++w)
    all.push_back(key.type.starts_with("list of words") ? fmt::format("[{}]", w->str()) : w->str());
  if (!all.empty() && !key.type.starts_with("list of [")) return all;
  return {"[0.25, 0.5]",
          "[0.25, 0.5, 0.75]",
          "[0.5, -0.5, 0.5, 0.5]",
          "[[0.0, 0.0], [3.0, 0.0], [0.0, 2.0]]",
          "[[0.0, 0.0, 0.0, 0.5], [0.3, 0.0, 0.0, 0.4]]",
          "[[\"w\", [0.1, 0.2]]]",
          "[[\"w\", [0.1, 0.2, 0.3]]]"};
}

/// A case of a material and a stage. `top` has keys before the first table, `more` keys of the stage and tables.
Case simple(const std::string& top, const std::string& more, const fs::path& file = "case.toml") {
  return parse_case("format = 1\n" + top +
                        "[material]\nnormal_stiffness = 3\nfriction = 0\nrestitution = 1\n"
                        "tangential_stiffness = 0\n[time]\nstep = 1e-3\n[[stage]]\nduration = 1\n" +
                        more,
                    file);
}
const std::string in_space = "dimension = 3\n";

}  // namespace

BOOST_AUTO_TEST_CASE(resolved_case_of_every_example_reads_back_equal) {
  int count = 0;
  for (const std::string& text : base_cases()) BOOST_TEST_CONTEXT(text) {
      const Case c = parse_case(text, examples / "case.toml");
      BOOST_TEST((read_back(c) == c));
      BOOST_TEST(resolved_case(read_back(c)) == resolved_case(c));
      const Case written = parse_written_case(resolved_case(c));
      BOOST_TEST(case_differences(c, {}, written, {}).empty());
      BOOST_TEST(case_fingerprint(c, {}) == case_fingerprint(written, {}));
      ++count;
    }
  BOOST_TEST(count > 50);
}

// A new key is tested without a line: each row of the schema, at other values, in every case that accepts it.
BOOST_AUTO_TEST_CASE(every_key_survives) {
  const std::vector<std::string> bases = base_cases();
  std::vector<Case> before;
  for (const std::string& text : bases) before.push_back(accepted(text).value());
  for (const CaseKey& key : case_keys()) {
    const auto dot = key.path.find('.');
    const std::string table = dot == key.path.npos ? "" : key.path.substr(0, dot), name = key.path.substr(dot + 1);
    if (key.path == "format") continue;  // it has one value
    int changed = 0;
    for (std::size_t b = 0; b < bases.size(); ++b)
      for (const std::string& value : values_of(key)) {
        BOOST_TEST_CONTEXT(key.path << " = " << value << " in\n" << bases[b]) {
          const auto c = accepted(with(bases[b], table, name, value));
          if (!c || *c == before[b]) continue;
          try {
            BOOST_TEST((read_back(*c) == *c));
          } catch (const CaseErrors& error) {
            BOOST_ERROR(error.what());
          }
        }
        ++changed;
      }
    // Some keys have no other value that fits the rest of a case; a base has them away from their default.
    const bool is_in_a_base = std::ranges::any_of(bases, [&](const std::string& text) {
      return text.find("[" + table + "]") != text.npos && text.find("\n" + name + " = ") != text.npos;
    });
    BOOST_TEST((changed > 0 || is_in_a_base), key.path << " has no other value in any case");
  }
}

BOOST_AUTO_TEST_CASE(plane_cases_do_not_mention_what_they_do_not_use) {
  const std::string text =
      resolved_case(simple("", "[[body]]\nposition = [0.0, 0.0]\nshape = \"disc\"\nradius = 1.0\n"));
  for (const char* key : {"dimension", "tilt", "mass_damping", "transport", "refinements", "sliding_work", "ledger",
                          "rate_xx", "orientation", "couple", "unbalanced", "material", "spatial_order_interval"})
    BOOST_TEST(text.find(fmt::format("\n{} = ", key)) == std::string::npos, key);
  BOOST_TEST(text.find("is not given\n# mean_pressure") == std::string::npos);
  // Spheres have other units, and no contact plane to choose.
  const std::string space =
      resolved_case(simple(in_space,
                           "stress_yy = -100000.0\n[assembly]\ngenerator = \"random\"\nshape = \"sphere\"\ncount = 9\n"
                           "[[body]]\nposition = [0.0, 0.0, 0.0]\nshape = \"sphere\"\nradius = 1.0\ndensity = 11.0\n"));
  BOOST_TEST(space.find("density = 11.0  # kg/m³") != std::string::npos);
  BOOST_TEST(space.find("stress_yy = -100000.0  # Pa") != std::string::npos);
  BOOST_TEST(space.find("contact_plane") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(quaternions_become_of_unit_length_once) {
  const Case c = simple(in_space,
                        "[[body]]\nshape = \"cluster\"\nspheres = [[0, 0, 0, 1], [0, 0, 1, 0.5]]\n"
                        "position = [0, 0, 0]\norientation = [0.8000003, 0.6, 0, 0]\n");
  const auto q = c.assembly.bodies[0].orientation;
  BOOST_TEST(std::abs(q.w * q.w + q.x * q.x - 1) < 1e-15);
  BOOST_TEST(q.x / q.w == 0.6 / 0.8000003, tolerance(1e-15));
  BOOST_TEST((read_back(c) == c));
  BOOST_TEST(c.assembly.bodies[0].spheres[1].position.z == 1);
}

BOOST_AUTO_TEST_CASE(materials_take_what_they_do_not_say_from_the_first) {
  const Case c = case_of(R"(
dimension = 3
material = {density = 2, normal_stiffness = 4, friction = 0.5, restitution = 1, tangential_stiffness_ratio = 0.25}
other_material = [{name = "soft", normal_stiffness = 2}, {name = "slick", friction = 0.1}]
material_pair = [{second = "soft", friction = 0}]
time.step = 1e-3
stage = [{duration = 1}]
body = [{shape = "sphere", radius = 1, position = [0, 0, 0], material = "soft"}]
)");
  BOOST_TEST_REQUIRE(c.materials.size() == 2);
  BOOST_TEST((c.materials[0] == NamedMaterial{"soft", 2, 2, 0.5, 0.5}));
  BOOST_TEST((c.materials[1] == NamedMaterial{"slick", 2, 4, 1, 0.1}));
  BOOST_TEST((c.material_pairs[0] == MaterialPair{"", "soft", {}, {}, 0.0}));
  BOOST_TEST(c.assembly.bodies[0].material == "soft");
}

BOOST_AUTO_TEST_CASE(what_a_stage_does_not_say_of_the_cell) {
  const std::string random = "[assembly]\ngenerator = \"random\"\nshape = \"sphere\"\ncount = 10\n";
  BOOST_TEST(!simple(in_space, random).stages[0].cell.has_value());
  const auto cell = *simple(in_space, "mean_pressure = 10\nrate_zz = -1\nstress_xy = 3\n" + random).stages[0].cell;
  using Mode = dem::CellComponent::Mode;
  const std::array<Mode, 6> modes{Mode::mean_pressure, Mode::mean_pressure, Mode::rate,
                                  Mode::stress,        Mode::rate,          Mode::rate};
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST((cell.component[k].mode == modes[k]), cell_component_names[k]);
  BOOST_TEST(cell.component[2].rate == -1);
  BOOST_TEST(cell.component[3].stress == 3);
  BOOST_TEST(cell.mean_pressure == 10);
  BOOST_TEST(cell.tolerance == 1e-3);
  BOOST_TEST(!cell.turns());
}

BOOST_AUTO_TEST_CASE(defaults_that_depend_on_other_keys) {
  const auto with_lines = [](const std::string& stiffness, const std::string& lines) {
    return case_of("material = {normal_stiffness = 300, friction = 0.5, restitution = 1, " + stiffness +
                   "}\ntime.step = 1e-3\nstage = [{duration = 1}]\n" + lines);
  };
  const Case discs =
      with_lines("tangential_stiffness_ratio = 0.25", "body = [{shape = \"disc\", radius = 1, position = [0, 0]}]");
  BOOST_TEST((discs.contact.lever == Lever::conjugate));
  BOOST_TEST((discs.contact.normal_force == NormalForce::overlap));
  BOOST_TEST(discs.material.tangential_stiffness == 75);
  BOOST_TEST(discs.material.tangential_damping_ratio == 0.25);
  BOOST_TEST((discs.periodic == std::array{false, false, false}));

  const Case polygons = with_lines("tangential_stiffness = 100",
                                   "plates = {}\nassembly = {generator = \"voronoi\", columns = 12, spacing = 0.5}");
  BOOST_TEST((polygons.contact.lever == Lever::contact_point));
  BOOST_TEST((polygons.contact.normal_force == NormalForce::area_over_length));
  BOOST_TEST(polygons.material.tangential_damping_ratio == 100.0 / 300.0);
  BOOST_TEST((polygons.periodic == std::array{true, false, false}));
  BOOST_TEST(polygons.cell_size.x == 6);
  // plates.from_rows depends on the generator, unless the case gives it.
  for (const auto& [generator, given, from_rows] : {std::tuple{"\"voronoi\"", "", true},
                                                    {"\"voronoi\"", "from_rows = false", false},
                                                    {"\"lattice\", shape = \"disc\"", "", false},
                                                    {"\"lattice\", shape = \"disc\"", "from_rows = true", true}}) {
    const std::string assembly = fmt::format("assembly = {{columns = 6, rows = 6, generator = {}}}\n", generator);
    const Case c = with_lines("tangential_stiffness = 100", assembly + "plates = {" + given + "}");
    BOOST_TEST(c.driver_options<PlatesSpec>()->from_rows == from_rows, assembly << given);
  }
}

BOOST_AUTO_TEST_CASE(shapes_become_outlines_and_files_have_whole_names) {
  const Case c = simple(R"(
body = [{shape = "regular-polygon", sides = 5, radius = 2, position = [1, 2], fixed = ["y"]},
        {shape = "rectangle", width = 2, height = 3, position = [5, 2]},
        {shape = "polygon", vertices = [[0, 0], [1, 0], [0, 1]]}]
)",
                        "");
  const auto& bodies = c.assembly.bodies;
  BOOST_TEST_REQUIRE(bodies.size() == 3);
  BOOST_TEST(bodies[0].outline.size() == 5);
  BOOST_TEST(geometry::area_properties(bodies[0].outline).area == 4 * 3.14159265358979323846, tolerance(1e-12));
  BOOST_TEST(!bodies[0].fix_x);
  BOOST_TEST(bodies[0].fix_y);
  BOOST_TEST(geometry::area_properties(bodies[1].outline).area == 6, tolerance(1e-12));
  BOOST_TEST(!bodies[1].outline_is_placed);
  BOOST_TEST(bodies[2].outline_is_placed);
  // File names are relative to the case file.
  const fs::path here = fs::path(LIBDEM_SOURCE_DIR) / "tests/case";
  const std::string grains = "[assembly]\ngenerator = \"grains\"\nfile = \"../main.cpp\"\n";
  BOOST_TEST(*simple("", grains, here / "case.toml").assembly.file() == here.parent_path() / "main.cpp");
}
