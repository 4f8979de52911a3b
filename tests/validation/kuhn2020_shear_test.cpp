// The study of biaxial compression and simple shear: anisotropies, axes, cases.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "validation/kuhn2020/biaxial-shear/shear_test.hpp"

using namespace dem;
using namespace dem::validation::kuhn2020;
using boost::test_tools::tolerance;

namespace {

constexpr double pi = std::numbers::pi;

/// Contact with normal at `angle`; f_n on j along it, f_t along t = z × n.
ContactRecord contact_at(double angle, double normal, double tangential, double length = 1) {
  ContactRecord c;
  c.normal = {std::cos(angle), std::sin(angle), 0};
  const Vec3 t{-c.normal.y, c.normal.x, 0};
  c.force = -normal * c.normal - tangential * t;
  c.branch = length * c.normal;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kuhn2020_shear)

BOOST_AUTO_TEST_CASE(anisotropies_have_closed_forms) {
  // Second-order forms on evenly spread normals: each coefficient comes back by itself.
  const double axis = 0.4, a_n = 0.3, a_t = 0.2, a_l = 0.1;
  std::vector<ContactRecord> contacts;
  for (int k = 0; k < 720; ++k) {
    const double angle = k * pi / 720, c = std::cos(2 * (angle - axis)), s = std::sin(2 * (angle - axis));
    contacts.push_back(contact_at(angle, 5 * (1 + a_n * c), -5 * a_t * s, 2 * (1 + a_l * c)));
  }
  Anisotropies a = anisotropies(contacts, axis);
  BOOST_TEST(std::abs(a.contact) < 1e-12);
  for (const auto& [is, wanted] :
       {std::pair{a.normal, a_n}, {a.tangential, a_t}, {a.branch, a_l}, {a.sum(), a_n + a_t + a_l}})
    BOOST_TEST(is == wanted, tolerance(1e-12));
  BOOST_TEST(anisotropies(contacts, axis + pi / 2).normal == -a_n, tolerance(1e-12));
  BOOST_TEST(std::abs(anisotropies(contacts, axis + pi / 4).normal) < 1e-12);
  // Three contacts along x, one along y, equal forces: 2 (3 − 1)/4.
  contacts = {contact_at(0, 1, 0), contact_at(0, 1, 0), contact_at(pi, 1, 0), contact_at(pi / 2, 1, 0)};
  a = anisotropies(contacts, 0);
  BOOST_TEST(a.contact == 1.0, tolerance(1e-12));
  BOOST_TEST(std::abs(a.normal) + std::abs(a.tangential) + std::abs(a.branch) < 1e-12);
}

BOOST_AUTO_TEST_CASE(stress_and_axes_of_a_row) {
  ShearRow row;
  row.xx = -1, row.yy = -3;  // tension positive: compressed along y
  BOOST_TEST(row.sine() == 0.5, tolerance(1e-15));
  BOOST_TEST(std::abs(row.compression()) == pi / 2, tolerance(1e-15));
  row.yy = -1, row.xy = row.yx = 0.25;  // sheared by γ_xy > 0: compressed along x = −y
  BOOST_TEST(row.sine() == 0.25, tolerance(1e-15));
  BOOST_TEST(row.compression() == -pi / 4, tolerance(1e-15));
  row.fabric_xx = 0.5, row.fabric_xy = -0.1;
  BOOST_TEST(between_axes(row.fabric_direction(), row.compression()) < 1e-15);
  BOOST_TEST(between_axes(-pi / 2 + 0.1, pi / 2) == 0.1, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(both_loadings_shear_at_the_same_rate_and_come_back_from_numbers) {
  const std::filesystem::path folder = std::filesystem::path(LIBDEM_SOURCE_DIR) / "validation/kuhn2020/biaxial-shear";
  for (const Bodies2D bodies : {Bodies2D::discs, Bodies2D::pentagons}) {
    Case biaxial = shear_case({Loading::biaxial, bodies}, folder, false),
         shear = shear_case({Loading::simple_shear, bodies}, folder, false);
    const CellDrive &b = *biaxial.stages.back().cell, &s = *shear.stages.back().cell;
    BOOST_TEST(s.component[3].rate == -2 * b.component[1].rate);
    BOOST_TEST(s.component[0].rate == 0);
    BOOST_TEST((s.component[1].mode == CellComponent::Mode::stress));
    BOOST_TEST(s.component[1].stress == b.component[0].stress);
    BOOST_TEST(*shear.stages.back().strain == 2 * *biaxial.stages.back().strain);
    BOOST_TEST((biaxial.assembly == shear.assembly));  // the same packing, packed the same way
    BOOST_TEST((biaxial.stages.front() == shear.stages.front()));
  }
  Case small = shear_case({Loading::simple_shear, Bodies2D::discs}, folder, true);
  small.assembly.random->count = 40;
  small.stages.front().unbalanced = 0.05;
  small.stages.back().strain = 1e-3;
  TaskProgress progress;
  const ShearPath path = run_shear_test(small, Loading::simple_shear, 10, progress);
  BOOST_TEST(path.rows.size() == 11u);
  BOOST_TEST(path.rows.back().gamma == 1e-3, tolerance(0.01));
  BOOST_TEST(path.rows.back().xy > 0.05);  // tension positive: shear stress along the shear
  const ShearPath again = ShearPath::unpack(path.pack());
  BOOST_TEST(again.pack() == path.pack());
  BOOST_TEST(again.rows.back().a.branch == path.rows.back().a.branch);
}

BOOST_AUTO_TEST_SUITE_END()
