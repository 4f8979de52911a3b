// What a bad case file is told: file, line, key, found, allowed; all errors at once.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "libdem/files/case_file.hpp"

namespace {

/// A good case; tests add to it or replace a line.
const std::string good = R"(format = 1
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[assembly]
generator = "voronoi"
[plates]
[[stage]]
shear_rate = 0.1
strain = 0.5
)";

const std::string good_discs = R"(format = 1
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[[body]]
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
[[stage]]
duration = 1.0
)";

std::string with(std::string text, const std::string& line, const std::string& instead) {
  const auto at = text.find(line);
  BOOST_TEST_REQUIRE(at != std::string::npos);
  return text.replace(at, line.size(), instead);
}

std::vector<std::string> errors_of(const std::string& text) {
  try {
    dem::parse_case(text, "case.toml");
  } catch (const dem::CaseErrors& errors) {
    return errors.messages;
  }
  return {};
}

/// The case has exactly this error.
void check_only(const std::string& text, const std::string& expected) {
  const auto errors = errors_of(text);
  BOOST_TEST_REQUIRE(errors.size() == 1,
                     errors.size() << " errors: " << (errors.empty() ? "" : errors[0]) << " …, expected " << expected);
  BOOST_TEST(errors[0] == expected);
}

/// The case has exactly one error; it starts with `start` and contains `part`.
void check_one(const std::string& text, const std::string& start, const std::string& part) {
  const auto errors = errors_of(text);
  BOOST_TEST_REQUIRE(errors.size() == 1, errors.size() << " errors, first: " << (errors.empty() ? "" : errors[0]));
  BOOST_TEST(errors[0].starts_with(start), errors[0]);
  BOOST_TEST(errors[0].find(part) != std::string::npos, errors[0]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(good_cases_are_good) {
  BOOST_TEST(errors_of(good).empty());
  BOOST_TEST(errors_of(good_discs).empty());
}

BOOST_AUTO_TEST_CASE(unknown_key_names_the_nearest) {
  check_only(with(good, "friction = 0.5", "friction = 0.5\nrotational_dampnig = 0.1"),
             "case.toml:6: material.rotational_dampnig: found an unknown key, allowed the keys of [material] (dem help "
             "material); nearest known key: material.rotational_damping");
  // A key that is right, in the wrong table.
  check_one(with(good, "step = 0.001", "step = 0.001\nfriction = 0.5"),
            "case.toml:9: time.friction: found an unknown key", "friction belongs to [material], [[other_material]]");
  check_one("skinn = 1\n" + good, "case.toml:1: skinn: found an unknown key", "nearest known key: skin");
  check_one(with(good, "[plates]", "[plates]\n[contacts]\nlaw = \"linear\""),
            "case.toml:12: contacts: found an unknown table", "nearest known table: contact");
  check_one(with(good, "strain = 0.5", "strain = 0.5\nshear_rat = 1"),
            "case.toml:15: stage[1].shear_rat: found an unknown key", "nearest known key: stage.shear_rate");
}

BOOST_AUTO_TEST_CASE(wrong_type) {
  check_only(with(good, "friction = 0.5", "friction = \"high\""),
             "case.toml:5: material.friction: found \"high\", allowed a number >= 0, at most 1e+06");
  check_one(with(good, "step = 0.001", "step = [0.001]"), "case.toml:8: time.step: found [0.001]", "a number > 0");
  check_one("gravity = 9.81\n" + good, "case.toml:1: gravity: found 9.81", "two numbers [x, y]");
  check_one("gravity = [0, 0, -9.81]\n" + good, "case.toml:1: gravity: found", "two numbers [x, y]");
  check_one("title = 3\n" + good, "case.toml:1: title: found 3", "text in quotes");
  check_one("threads = 1.5\n" + good, "case.toml:1: threads: found 1.5", "a whole number in [1, 1024]");
  check_one(with(good, "step = 0.001", "step = 0.001\noverride_limit = 1"), "case.toml:9: time.override_limit: found 1",
            "true or false");
  check_one("cell = 3\n" + good, "case.toml:1: cell: found 3", "one table [cell]");
  check_one(with(good, "[plates]", "[plates]\n[wall]\nfrom = [0, 0]"), "case.toml:12: wall: found a table", "[[wall]]");
  check_one(with(good, "[plates]", "[cell]\nperiodic = [\"z\"]\n[plates]"),
            "case.toml:12: cell.periodic: found [\"z\"]", "\"x\", \"y\", with dimension = 2");
}

BOOST_AUTO_TEST_CASE(out_of_range) {
  check_only(with(good, "normal_stiffness = 400.0", "normal_stiffness = -400.0"),
             "case.toml:3: material.normal_stiffness: found -400.0, allowed a number > 0, from 1e-12 to 1e+18");
  for (const char* value : {"0", "1.0000001", "-0.5", "nan", "inf"})
    check_one(with(good, "restitution = 0.9", std::string("restitution = ") + value),
              std::string("case.toml:6: material.restitution: found ") + value, "allowed a number in (0, 1]");
  check_one(with(good, "step = 0.001", "step = 0"), "case.toml:8: time.step: found 0", "a number > 0");
  check_one(with(good, "friction = 0.5", "friction = -0.5"), "case.toml:5: material.friction: found -0.5", ">= 0");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"voronoi\"\ndisorder = 1.0"),
            "case.toml:11: assembly.disorder: found 1.0", "a number in [0, 1)");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"voronoi\"\nseed = -1"),
            "case.toml:11: assembly.seed: found -1", "a whole number >= 0");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"voronoi\"\nelongation = 20"),
            "case.toml:11: assembly.elongation: found 20", "in [0.1, 10]");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"voronoi\"\ncolumns = 2"),
            "case.toml:11: assembly.columns: found 2", "in [3, 100000]");
}

BOOST_AUTO_TEST_CASE(unknown_choice_lists_all) {
  check_only(with(good, "[time]", "[contact]\nlaw = \"hooke\"\n[time]"),
             "case.toml:8: contact.law: found \"hooke\", allowed one of \"linear\", \"linear-refined\", \"jaeger\", \"jaeger-checked\", \"hertz-mindlin\", \"hooke-history\", \"hertz-history\"");
  check_one(with(good, "[time]", "[contact]\ncontact_plane = \"edge_mean\"\n[time]"),
            "case.toml:8: contact.contact_plane: found \"edge_mean\"",
            "one of \"area-gradient\", \"chord\", \"edge-mean\", \"edge-mean-unsigned\", \"edge-mean-branch\", "
            "\"edge-axial\"");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"vornoi\""),
            "case.toml:10: assembly.generator: found \"vornoi\"",
            "one of \"bodies\", \"voronoi\", \"grains\", \"lattice\", \"random\", \"rain\", \"import\"");
}

BOOST_AUTO_TEST_CASE(missing_keys) {
  check_only(with(good, "friction = 0.5\n", ""),
             "case.toml:2: material.friction: found nothing, allowed a number >= 0, at most 1e+06 (required)");
  check_one(with(good, "format = 1\n", ""), "case.toml:1: format: found nothing", "(required)");
  check_one(with(good, "[time]\nstep = 0.001\n", ""), "case.toml:1: time.step: found nothing", "(required)");
  check_one(with(good, "restitution = 0.9\n", ""),
            "case.toml:2: material.restitution: found neither restitution nor normal_damping", "exactly one");
  check_one(with(good, "restitution = 0.9", "restitution = 0.9\nnormal_damping = 1"),
            "case.toml:7: material.normal_damping: found it beside restitution",
            "one of restitution and normal_damping");
  check_one(with(good, "tangential_stiffness_ratio = 0.5\n", ""),
            "case.toml:2: material.tangential_stiffness: found neither", "exactly one");
  check_one(with(good_discs, "shape = \"disc\"\n", ""), "case.toml:9: body[1].shape: found nothing",
            "\"disc\", \"polygon\"");
  check_one(with(good_discs, "position = [0.0, 0.0]\n", ""), "case.toml:9: body[1].position: found nothing",
            "two numbers");
  check_one(with(good_discs, "radius = 0.5\n", ""), "case.toml:9: body[1].radius: found nothing",
            "a number > 0, from 1e-12 to 1e+09 (required)");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"grains\""),
            "case.toml:9: assembly.file: found nothing", "required");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"grains\"\nfile = \"no/such.tsv\""),
            "case.toml:11: assembly.file: found \"no/such.tsv\", which is not there", "an existing file");
}

BOOST_AUTO_TEST_CASE(empty_packing_and_no_end) {
  check_one(with(good, "generator = \"voronoi\"", "generator = \"bodies\""), "case.toml:9: assembly: found no bodies",
            "an empty packing cannot be run");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"voronoi\"\nrows = 2"),
            "case.toml:11: assembly.rows: found 2", "no free body would be left");
  check_one(with(good, "[[stage]]\nshear_rate = 0.1\nstrain = 0.5\n", ""), "case.toml:1: stage: found none",
            "at least one [[stage]]");
  check_one(with(good, "strain = 0.5\n", ""), "case.toml:12: stage[1]: found no end",
            "duration, strain, until_target, quiet");
  check_one(with(good, "shear_rate = 0.1\n", ""), "case.toml:13: stage[1].strain: found 0.5",
            "shear_rate other than 0");
}

BOOST_AUTO_TEST_CASE(cycles_of_strain) {
  check_one(with(good, "strain = 0.5", "cycles = 5"), "case.toml:14: stage[1].cycles: found it without strain_amplitude", "both or neither");
  check_one(with(good, "strain = 0.5", "duration = 1.0\nstrain_amplitude = 0.01"),
            "case.toml:15: stage[1].strain_amplitude: found it without cycles", "both or neither");
  check_one(with(good, "strain = 0.5", "strain = 0.5\ncycles = 5\nstrain_amplitude = 0.01"),
            "case.toml:14: stage[1].strain: found it beside cycles", "turns back");
  check_one(with(good, "shear_rate = 0.1\nstrain = 0.5", "cycles = 5\nstrain_amplitude = 0.01"),
            "case.toml:13: stage[1].cycles: found 5", "shear_rate other than 0");
  check_one(with(good, "strain = 0.5", "cycles = 0\nstrain_amplitude = 0.01"), "case.toml:14: stage[1].cycles: found 0", "");
}

BOOST_AUTO_TEST_CASE(stage_keys_that_do_not_fit) {
  check_only(with(good, "strain = 0.5", "strain = 0.5\nheight = 3"),
             "case.toml:15: stage[1].height: found it with normal = \"hold-height\", allowed only with normal = "
             "\"move-to-height\"");
  check_one(with(good, "strain = 0.5", "strain = 0.5\nplate_speed = 3"),
            "case.toml:15: stage[1].plate_speed: found it with normal",
            "only with normal = \"move-to-height\", \"hold-stress\"");
  check_one(with(good_discs, "duration = 1.0", "duration = 1.0\nshear_rate = 2.0"),
            "case.toml:15: stage[1].shear_rate: found 2.0 without plates",
            "add a [plates] table (may be empty): with voronoi the first and last row become the plates");
  // Once, however many keys need them.
  check_one(with(good_discs, "duration = 1.0",
                 "duration = 1.0\nshear_rate = 2.0\n[[stage]]\nnormal = \"hold-stress\"\nnormal_stress = 1.0\n"
                 "plate_speed = 1.0\nshear_rate = 2.0\nstrain = 1.0"),
            "case.toml:15: stage[1].shear_rate: found 2.0 without plates", "add a [plates] table");
  const auto errors = errors_of(with(good, "strain = 0.5", "strain = 0.5\nnormal = \"hold-stress\""));
  BOOST_TEST_REQUIRE(errors.size() == 2);
  BOOST_TEST(errors[0].starts_with("case.toml:12: stage[1].normal_stress: found nothing"));
  BOOST_TEST(errors[1].starts_with("case.toml:12: stage[1].plate_speed: found nothing"));
}

BOOST_AUTO_TEST_CASE(combinations_that_make_no_sense) {
  const auto contact = [](const std::string& base, const std::string& lines) {
    return with(base, "[time]", "[contact]\n" + lines + "\n[time]");
  };
  check_one(with(good_discs, "[[stage]]",
                 "[[body]]\nshape = \"rectangle\"\nwidth = 1\nheight = 1\nposition = [3, 3]\n[[stage]]"),
            "case.toml:14: body[2].shape: found \"rectangle\"", "discs and polygons cannot be mixed");
  check_one(contact(good, "normal_force = \"area-potential\"\ncontact_plane = \"edge-mean\""),
            "case.toml:9: contact.contact_plane: found \"edge-mean\"", "the force is the gradient of the area");
  check_one(contact(good, "normal_force = \"overlap\""), "case.toml:8: contact.normal_force: found \"overlap\"",
            "for polygons");
  check_one(contact(good_discs, "normal_force = \"area-over-length\""), "case.toml:8: contact.normal_force: found",
            "for discs");
  check_one(contact(good, "lever = \"conjugate\""), "case.toml:8: contact.lever: found \"conjugate\"", "on discs");
  check_one(contact(good, "lever = \"radius\""), "case.toml:8: contact.lever: found \"radius\"", "radii of discs");
  check_one(contact(good_discs, "lever = \"conjugate\"\nelongation = \"velocity\""),
            "case.toml:8: contact.lever: found", "virtual work");
  BOOST_TEST(errors_of(contact(good_discs, "lever = \"conjugate\"")).empty());
  check_one(contact(good_discs, "geometric_form = \"centroid-displacement\""), "case.toml:8: contact.geometric_form",
            "for discs");
  check_one(contact(good, "geometric_form = \"eq10-11-literal\""), "case.toml:8: contact.geometric_form",
            "for polygons");
  check_one(contact(good, "velocity_source = \"corrected\""), "case.toml:8: contact.velocity_source",
            "uses no velocity");
  check_one(contact(good, "potential_exponent = 1.5"), "case.toml:8: contact.potential_exponent", "area-potential");
  check_one(contact(good_discs, "contact_plane = \"edge-mean\""), "case.toml:8: contact.contact_plane",
            "the bodies are discs");
  check_one(contact(good_discs, "geometry = \"exact\""), "case.toml:8: contact.geometry", "the bodies are discs");
  check_one(with(good, "step = 0.001",
                 "step = 0.001\nintegrator = \"velocity-verlet\"\ngear_coefficients = \"position-only\""),
            "case.toml:10: time.gear_coefficients", "not gear5");
  check_one(with(good, "[plates]", "[cell]\nperiodic = [\"x\", \"y\"]\n[plates]"), "case.toml:12: cell.periodic",
            "the plates close y");
  check_one(with(good_discs, "[[body]]", "[cell]\nperiodic = [\"x\"]\n[[body]]"),
            "case.toml:9: cell.size: found nothing", "in each periodic direction");
  check_one(with(good_discs, "[[stage]]", "[plates]\nfrom_rows = true\n[[stage]]"), "case.toml:14: plates.from_rows",
            "voronoi");
  check_one(with(good, "generator = \"voronoi\"", "generator = \"voronoi\"\nshrink = 0.5"),
            "case.toml:11: assembly.shrink", "only with generator = \"grains\"");
  check_one(with(good_discs, "radius = 0.5", "radius = 0.5\nsides = 5"), "case.toml:12: body[1].sides",
            "\"regular-polygon\"");
  check_one(with(good_discs, "[[stage]]", "[[wall]]\nfrom = [1, 2]\nto = [1, 2]\n[[stage]]"),
            "case.toml:15: wall[1].to", "`from`");
}

BOOST_AUTO_TEST_CASE(bad_outline_names_the_vertex) {
  const std::string bowtie = with(good_discs, "shape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]",
                                  "shape = \"polygon\"\nvertices = [[0, 0], [1, 1], [1, 0], [0, 1]]");
  check_one(bowtie, "case.toml:11: body[1].vertices: found an outline that cannot be used (", "a simple polygon");
  check_one(with(bowtie, "[[0, 0], [1, 1], [1, 0], [0, 1]]", "[[0, 0], [1, 1]]"), "case.toml:11: body[1].vertices",
            "at least three vertices");
}

BOOST_AUTO_TEST_CASE(all_errors_at_once_by_line) {
  const std::string text =
      with(with(with(with(good, "friction = 0.5", "friction = -1"), "step = 0.001", "step = \"x\""), "[plates]",
                "[plates]\nside = 3"),
           "normal_stiffness = 400.0", "normal_stifness = 400.0");
  const auto errors = errors_of(text);
  // Keys spelt wrongly first; that material.normal_stiffness is missing only follows.
  BOOST_TEST_REQUIRE(errors.size() == 4);
  BOOST_TEST(errors[0].starts_with("case.toml:3: material.normal_stifness: found an unknown key"));
  BOOST_TEST(errors[1].starts_with("case.toml:12: plates.side: found an unknown key"));
  BOOST_TEST(errors[2].starts_with("case.toml:5: material.friction: found -1"));
  BOOST_TEST(errors[3].starts_with("case.toml:8: time.step: found \"x\""));
}

BOOST_AUTO_TEST_CASE(syntax_error_has_its_position) {
  check_one(with(good, "friction = 0.5", "friction = = 0.5"), "case.toml:5:12: not TOML", "");
  check_one(good + "[material]\n", "case.toml:15:", "not TOML");
}

BOOST_AUTO_TEST_CASE(another_format_is_refused_alone) {
  check_only(with(with(good, "format = 1", "format = 2"), "friction = 0.5", "new_key = 3"),
             "case.toml:1: format: found 2, allowed 1: this version reads no other format");
  check_one(with(good, "format = 1", "format = \"1\""), "case.toml:1: format: found \"1\"", "allowed 1");
}

BOOST_AUTO_TEST_CASE(missing_file_is_a_file_error) {
  BOOST_CHECK_THROW(dem::read_case("/no/such/case.toml"), dem::FileError);
  BOOST_CHECK_THROW(dem::read_case("/"), dem::FileError);
}

BOOST_AUTO_TEST_CASE(help_knows_every_key) {
  BOOST_TEST(dem::case_keys().size() > 80);
  for (const auto& key : dem::case_keys()) {
    BOOST_TEST(!key.type.empty(), key.path);
    BOOST_TEST(!key.default_text.empty(), key.path);
    BOOST_TEST(!key.allowed.empty(), key.path);
    BOOST_TEST(key.description.ends_with("."), key.path);
    BOOST_TEST(dem::nearest_case_key(key.path) == key.path);
    const std::string cell = fmt::format("`{}`", std::string_view(key.path).substr(key.path.rfind('.') + 1));
    BOOST_TEST(dem::case_reference().find(cell) != std::string::npos, key.path);
  }
  BOOST_TEST(dem::find_case_keys("material.density").size() == 1);
  BOOST_TEST(dem::find_case_keys("density").size() == 3);
  BOOST_TEST(dem::find_case_keys("material").size() == 18);
  BOOST_TEST(dem::find_case_keys("no_such").empty());
}
