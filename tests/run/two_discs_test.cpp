// Relaxation and final states of two discs: closed forms and numbers of the polygon-dem reference, §5.
#include "validation/pena2008/two_discs.hpp"

#include <boost/test/unit_test.hpp>
#include <numbers>

#include "libdem/contacts/pair_table.hpp"

using namespace dem;
using namespace dem::validation::pena2008;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_CASE(contact_duration_of_the_reference) {
  // §1: t_c = 9.84359e-5 s for equal discs with radius 0.5 m and density 1 kg/m², k_n = 4e8 N/m.
  BOOST_TEST(reference_duration(4e8) == 9.84359e-5, tt::tolerance(1e-6));
  // §1: ε_t/ε_n = 1.0053306 with k_t/k_n = γ_t/γ_n = 1/3 and ε_n = 0.9875.
  const double m = std::numbers::pi / 8, gamma = damping_of_restitution(0.9875, 4e8, m);
  BOOST_TEST(restitution_of_damping(gamma, 4e8, m) == 0.9875, tt::tolerance(1e-12));
  BOOST_TEST(restitution_of_damping(gamma / 3, 4e8 / 3, m) / 0.9875 == 1.0053306, tt::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(relaxation_time_guided_with_rotation) {
  // §5, table by Δt/t_c; 3.16e-2 stands for 10^-1.5.
  for (const auto& [dt, predicted, corrected, trapezoid, geometric] : {std::array{0.1, 40.43, -5.82, 238.65, 238.46},
                                                                       {0.0316227766, 93.51, -21.8, 238.51, 238.50},
                                                                       {0.01, 160.02, -168.7, 238.50, 238.50}}) {
    Case c = two_disc_case(Reading::guided, dt);
    const auto fit = relax(c);
    BOOST_TEST(fit.usable());
    BOOST_TEST(fit.time == geometric, tt::tolerance(0.005));
    c = with_velocity_elongation(c);
    BOOST_TEST(relax(c).time == predicted, tt::tolerance(0.005));
    c.contact.velocity_source = VelocitySource::trapezoid;
    BOOST_TEST(relax(c).time == trapezoid, tt::tolerance(0.005));
    // `corrected` gains energy at these steps. Started 1e-4 of the displacement beside equilibrium (Δx = −2 F/k_n with
    // ξ = 0), so that the growth is seen over many decades before the contact opens.
    c.contact.velocity_source = VelocitySource::corrected;
    BOOST_TEST(relax(beside_equilibrium(c), growing_run()).time == corrected, tt::tolerance(0.005));
  }
}

BOOST_AUTO_TEST_CASE(relaxation_time_without_rotation) {
  for (auto [dt, predicted, geometric] :
       {std::array{0.1, 20.22, 119.19}, std::array{0.0316227766, 46.75, 119.25}, std::array{0.01, 80.01, 119.25}}) {
    Case c = two_disc_case(Reading::guided_no_rotation, dt);
    BOOST_TEST(relax(c).time == geometric, tt::tolerance(0.005));
    BOOST_TEST(relax(with_velocity_elongation(c)).time == predicted, tt::tolerance(0.005));
  }
  BOOST_TEST(relax(two_disc_case(Reading::free_no_rotation, 0.01)).time == 238.50, tt::tolerance(0.005));
  for (double k_n : {1.0, 200.0, 1e8})  // does not depend on the stiffness
    BOOST_TEST(relax(two_disc_case(Reading::guided, 0.03, k_n)).time == 238.50, tt::tolerance(0.005));
}

// §5. Guided with rotation: Δx = −2, aΔθ = +√2, ξ = 0. Guided without rotation: Δx = −3/2, ξ = 1.0606602,
// |F_t/F_n| = 1/3. Free: Δx = −2, Δy = 1, ξ = 3/√2, |F_t/F_n| = 1.
// The literal reading of Eqs. 10 and 11 gives other states. Guided without rotation: Δx = −12/7, ξ = 0.6060915. Free:
// Δx = −3.5, Δy = 2.5. Guided with rotation: aΔθ = 0.7071.
BOOST_AUTO_TEST_CASE(final_states_of_two_discs) {
  const auto check = [](Reading reading, bool literal,
                        const std::vector<std::pair<double FinalState::*, double>>& expected) {
    Case c = two_disc_case(reading, 0.05);
    if (literal) c.contact.geometric_form = GeometricForm::eq10_11_literal;
    const FinalState found = settle(c);
    for (const auto& [member, value] : expected)
      BOOST_TEST(std::abs(found.*member - value) < (literal ? 2e-5 : 1e-5),
                 "reading " << int(reading) << ": " << found.*member << " instead of " << value);
  };
  using F = FinalState;
  check(Reading::guided, false, {{&F::dx, -2}, {&F::turn, std::sqrt(2.0)}, {&F::elongation, 0}});
  check(Reading::guided_no_rotation, false, {{&F::dx, -1.5}, {&F::elongation, 1.0606602}, {&F::force_ratio, 1.0 / 3}});
  check(Reading::free_no_rotation, false,
        {{&F::dx, -2}, {&F::dy, 1}, {&F::elongation, 3 / std::sqrt(2.0)}, {&F::force_ratio, 1}});
  check(Reading::guided_no_rotation, true, {{&F::dx, -12.0 / 7}, {&F::elongation, 0.6060915}});
  check(Reading::free_no_rotation, true, {{&F::dx, -3.5}, {&F::dy, 2.5}});
  check(Reading::guided, true, {{&F::turn, std::sqrt(0.5)}});
}
