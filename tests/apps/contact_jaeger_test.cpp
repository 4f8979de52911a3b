// dem contact with law jaeger (jaeger-contact reference, §16): contacts made and lost, in space, tractions, merging.
#include <numbers>

#include "apps/drive_tools.hpp"
#include "tests/jaeger_tables.hpp"

using cli::Folder;
using cli::has;
using namespace drive_tools;

namespace {

std::string parameters(double shear_modulus, double poisson_ratio, double friction, double radius_i, double radius_j,
                       const std::string& more = "") {
  return "shear_modulus = " + digits(shear_modulus) + "\npoisson_ratio = " + digits(poisson_ratio) +
         "\nfriction = " + digits(friction) + "\nradius_i = " + digits(radius_i) + "\nradius_j = " + digits(radius_j) +
         "\n" + more;
}
const std::string usual_jaeger = parameters(1, 0.5, 0.5, 1, 1);

std::string line(std::initializer_list<double> numbers) {
  std::string text;
  for (const double x : numbers) text.append(text.empty() ? "" : ",").append(digits(x));
  return text.append("\n");
}

constexpr double pi = std::numbers::pi;

}  // namespace

/// A contact that parts dissipates the energy that it still holds.
/// A gap at the start of a row takes its part of the movement away (§12).
BOOST_FIXTURE_TEST_CASE(contacts_made_and_lost, cli::InFolder) {
  const auto rows = run(folder, drive("jaeger", usual_jaeger, "start_overlap = -0.002\n"),
                        "overlap,shift_1,shift_2\n0.002,0.0016,0\n0.002,0,0\n-1,0,0\n-2,1,0\n");
  const auto whole = run(folder, drive("jaeger", usual_jaeger), "overlap,shift_1,shift_2\n0.002,0.0008,0\n");
  BOOST_TEST(number(rows[1], "tangential_1") == number(whole[1], "tangential_1"));
  BOOST_TEST(number(rows[1], "tangential_1") > 0);
  BOOST_TEST(rows[2].at("regime") == "unchanged");
  BOOST_TEST(rows[3].at("regime") == "separated");
  BOOST_TEST(number(rows[3], "dissipated") == number(rows[2], "stored_tangential"));
  BOOST_TEST(number(rows[4], "dissipated") == 0);
  // A start overlap is a contact that was pressed without any movement.
  const auto pressed =
      run(folder, drive("jaeger", usual_jaeger), "overlap,shift_1,shift_2\n0.02,0,0\n0.018,0.001,0.0005\n");
  const auto started = run(folder, drive("jaeger", usual_jaeger, "start_overlap = 0.02\n"),
                           "overlap,shift_1,shift_2\n0.018,0.001,0.0005\n");
  for (const char* name : {"normal_force", "tangential_1", "tangential_2", "stored_normal", "stored_tangential"})
    BOOST_TEST(number(started[1], name) == number(pressed[2], name));
  BOOST_TEST(number(started[0], "normal_force") == number(pressed[1], "normal_force"));
  // Unequal spheres: F_n = 4/3 E* √R δ^{3/2}, K_t = 8 G* √(R δ), R = 3/4 m.
  const auto unequal =
      run(folder, drive("jaeger", parameters(2, 0.3, 0.5, 1, 3)), "overlap,shift_1,shift_2\n0.02,0,0\n0.02,1e-9,0\n");
  const double force = 4.0 / 3 * 2 / 0.7 * std::sqrt(0.75 * 0.02) * 0.02,
               stiffness = 4 * 2 / 1.7 * std::sqrt(0.75 * 0.02);
  check_near(unequal[1], "normal_force", force, 1e-15 * force);
  check_near(unequal[2], "tangential_1", stiffness * 1e-9, 1e-6 * stiffness * 1e-9);
}

/// Pair motions with closed-form answers (§16, U8), constant overlap: T(ξ) = f F_n [1 − (1 − ξ/(κ f ζ))^{3/2}].
BOOST_FIXTURE_TEST_CASE(pair_motions_in_space, cli::InFolder) {
  const double z = 0.01, friction = 0.5, ratio = 1.5, slid = ratio * friction * z, load = 16.0 / 3 * std::sqrt(z) * z;
  const auto size_at = [&](double xi) { return friction * load * (1 - std::pow(std::max(0.0, 1 - xi / slid), 1.5)); };
  constexpr int steps = 800;
  // The pair is loaded along x with n = z. Then n turns about y by `arc`, with the bodies (rigid) or because j moves.
  // Spins are about n.
  const auto run_motion = [&](double arc, double spin_i, double spin_j, bool rigid) {
    std::string path = global_header + line({2 * z, 0, 0, 1, 0.6 * slid * 2, 0, 0, 0, 0, 0, 0, 0, 0});
    for (int k = 1; k <= steps; ++k) {
      const double angle = arc * k / steps, nx = std::sin(angle), nz = std::cos(angle), step = arc / steps;
      const double shift = rigid ? 0 : step * (2 - 2 * z);
      const double i = spin_i / steps, j = spin_j / steps, about_y = rigid ? step : 0;
      path += line({2 * z, nx, 0, nz, shift * nz, 0, -shift * nx, nx * i, about_y, nz * i, nx * j, about_y, nz * j});
    }
    return run(folder, drive("jaeger", usual_jaeger, "start_normal = [0, 0, 1]\nstart_overlap = 0.02\n", "global"),
               path);
  };
  const double start = size_at(0.6 * slid);
  {  // the pair turns rigidly: the force turns with it
    const auto last = run_motion(1.2, 0, 0, true).back();
    check_near(last, "tangential_x", start * std::cos(1.2), 1e-12 * start);
    check_near(last, "tangential_z", -start * std::sin(1.2), 1e-12 * start);
  }
  for (const auto& [spin_i, spin_j, turn] : {std::tuple{0.7, 0.7, 0.7}, {0.7, 0.0, 0.35}}) {  // spin about the normal
    const auto last = run_motion(0, spin_i, spin_j, false).back();
    check_near(last, "tangential_x", start * std::cos(turn), 1e-12 * start);
    check_near(last, "tangential_y", start * std::sin(turn), 1e-12 * start);
  }
  for (const double arc :
       {0.2 * slid, 0.01}) {  // j moves on along an arc around i: more of the same movement, at last sliding
    const auto last = run_motion(arc, 0, 0, false).back();
    const double size = size_at(0.6 * slid + arc * (1 - z));
    check_near(last, "tangential_x", size * std::cos(arc), 1e-6 * friction * load);
    BOOST_TEST(
        near(std::hypot(number(last, "tangential_x"), number(last, "tangential_z")), size, 1e-6 * friction * load));
  }
  {  // n once round a cone of half-angle 0.4: the force returns turned by the solid angle
    const double cone = 0.4;
    const double sine = std::sin(cone), cosine = std::cos(cone);
    std::string path =
        global_header + line({2 * z, sine, 0, cosine, 1.2 * slid * cosine, 0, -1.2 * slid * sine, 0, 0, 0, 0, 0, 0});
    for (int k = 1; k <= steps; ++k) {
      const double turn = 2 * pi * k / steps;
      path += line({2 * z, sine * std::cos(turn), sine * std::sin(turn), cosine, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    }
    const auto rows =
        run(folder,
            drive("jaeger", usual_jaeger,
                  "start_normal = [" + digits(sine) + ", 0, " + digits(cosine) + "]\nstart_overlap = 0.02\n", "global"),
            path);
    const double along = number(rows.back(), "tangential_x") * cosine - number(rows.back(), "tangential_z") * sine;
    const double angle = std::atan2(number(rows.back(), "tangential_y"), along), expected = 2 * pi * (1 - cosine);
    BOOST_TEST(near(angle, expected, 1e-4));
  }
}

/// Tractions of U2 after steps 3, 4, 5 (reference, §16): at the centre, their rings, and what they add up to.
BOOST_FIXTURE_TEST_CASE(tractions_after_a_row, cli::InFolder) {
  const auto& u2 = jaeger_tables::tables[1];
  std::string path = "overlap,shift_1,shift_2\n";
  for (const auto& row : u2.rows) path += line({2 * row.z, 2 * row.shift_1, 2 * row.shift_2});
  folder.write("drive.toml", drive("jaeger", usual_jaeger));
  folder.write("path.csv", path);
  const auto steps = table(folder.gives(0, "contact drive.toml --tractions 3,4,5").out);
  BOOST_TEST_REQUIRE(steps.size() == 6u);
  for (std::size_t k = 0; k < 5; ++k) BOOST_TEST(steps[k + 1].at("regime") == dem::name_of(u2.rows[k].regime));
  const auto rows = table(folder.text("drive-tractions.csv"));
  const std::pair<double, std::vector<double>> stages[] = {
      {0.07099428123189172, {0.04829963840545164, 0.10405841649670135}},
      {0.02707583841041423, {0.04829963840545164, 0.0849952110744635, 0.10042546998348993}},
      {-0.065843485694909, {0.0447953904911149, 0.09650874322758259}}};
  for (int k = 0; k < 3; ++k) {
    const auto& [centre, rings] = stages[k];
    std::vector<Row> here;
    for (const Row& row : rows)
      if (number(row, "step") == k + 3) here.push_back(row);
    BOOST_TEST_REQUIRE(here.size() > 50u);
    BOOST_TEST(number(here.front(), "radius") == 0);
    check_near(here.front(), "shear_1", centre, 1e-14);
    for (const double ring : rings)
      BOOST_TEST(std::ranges::any_of(here, [&](const Row& row) { return near(number(row, "radius"), ring, 1e-15); }));
    check_near(here.back(), "radius", rings.back(), 1e-15);
    check_near(here.back(), "pressure", 0, 1e-8);
    double normal = 0, tangential = 0;  // by trapezoids
    for (std::size_t p = 1; p < here.size(); ++p) {
      const double a = number(here[p - 1], "radius"), b = number(here[p], "radius");
      normal += pi * (b - a) * (a * number(here[p - 1], "pressure") + b * number(here[p], "pressure"));
      tangential += pi * (b - a) * (a * number(here[p - 1], "shear_1") + b * number(here[p], "shear_1"));
    }
    const auto& expected = u2.rows[std::size_t(k) + 2];
    BOOST_TEST(near(normal, expected.normal, 1e-3 * expected.normal));
    BOOST_TEST(near(tangential, expected.force_1, 1e-3 * expected.normal));
  }
  // Law hertz-mindlin has legs in a pool as well, of another meaning.
  for (const auto& [drive_text, rows_asked, message] :
       {std::tuple{drive("jaeger", usual_jaeger), "3,6", "--tractions: found row 6, allowed 0 (the start) to 5"},
        {drive("linear", usual), "3", "--tractions: found law = \"linear\", allowed \"jaeger\""},
        {drive("hertz-mindlin", usual_jaeger), "1",
         "--tractions: found law = \"hertz-mindlin\", allowed \"jaeger\""}}) {
    folder.write("drive.toml", drive_text);
    const auto ran = folder.dem(std::string("contact drive.toml --tractions ") + rows_asked);
    BOOST_TEST(ran.code != 0);
    BOOST_TEST(ran.out.empty());
    ran.warns({message});
  }
}

/// The forces of `jaeger` with the same merging, to the bit, and on standard error how far the exact ones are.
BOOST_AUTO_TEST_CASE(merging_checked) {
  const cli::Folder folder("path.csv",
                           "overlap,shift_1,shift_2\n0.02,0,0\n0.0204,1e-4,0\n0.0208,2.2e-4,0\n0.0206,-1e-3,0\n");
  const std::string merged = parameters(1, 0.3, 0.5, 1, 1, "merge_error = 0.0625\n");
  folder.write("drive.toml", drive("jaeger", merged));
  const auto plain = folder.dem("contact drive.toml");
  folder.write("drive.toml", drive("jaeger-checked", merged));
  const auto checked = folder.gives(0, "contact drive.toml");
  BOOST_TEST(checked.out == plain.out);
  BOOST_TEST(plain.err.empty(), plain.err);
  checked.warns({"Merging changed the tangential force by at most "});
  BOOST_TEST(!has(checked.err, "at most 0 f F_n"), checked.err);
}

BOOST_AUTO_TEST_CASE(bad_drives_of_law_jaeger) {
  const auto merging = [](const std::string& lines) { return parameters(1, 0.3, 0.5, 1, 1, lines); };
  for (const auto& [given, message] : std::vector<std::pair<std::string, std::string>>{
           {parameters(1, 0.75, 0.5, 1, 1),
            "drive.toml:4: parameters.poisson_ratio: found 0.75, allowed a number in (-1, 0.5]"},
           {parameters(1, -1, 0.5, 1, 1), "allowed a number in (-1, 0.5]"},
           {parameters(1, 0.3, 0.5, 1, 0), "parameters.radius_j: found 0, allowed a number > 0"},
           {merging("merge_slope = 1.25\n"),
            "parameters.merge_slope: found 1.25, allowed a number in [0, 1], twice the friction"},
           {merging("merge_slope = 0.125\nmerge_error = 0.125\n"),
            "parameters.merge_error: found 0.125, allowed 0 beside merge_slope"},
           {usual_jaeger + "normal_stiffness = 1\n", "parameters.normal_stiffness: found an unknown key"},
           {usual_jaeger + "transport = \"projection\"\n", "allowed one of \"swing-twist\", \"exact\""},
           {usual, "parameters.shear_modulus: found nothing, allowed a number > 0, from 1e-06 to 1e+18 (required)"}})
    refused(drive("jaeger", given), message);
  refused(drive("jaeger", usual_jaeger, "start_overlap = 0.01\nstart_force = [1.0, 0.0]\n"),
          "one force does not define the history of law jaeger");
}
