// Hertz contacts in the sphere engine: closed forms of impacts, ledger, legs of contacts that end.
#include "assembly_cases.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/measure/verdict.hpp"
#include "sphere_cases.hpp"
#include "support/series_row.hpp"

namespace {

/// Two spheres of different size that meet head on at `speed` (m/s).
Case impact(const std::string& law, double speed, std::optional<double> restitution) {
  Case c = hertzian(space_case({sphere_at({0, 0, 0}, 0.6), sphere_at({1.0000001, 0, 0}, 0.4)}), law);
  c.material.shear_modulus = 1e6;
  c.material.restitution = restitution;
  if (!restitution) c.material.normal_damping = 0;
  c.assembly.bodies[1].velocity = {-speed, 0, 0};
  c.time.step = 2e-6;
  return c;
}

struct Impact {
  double restitution = 0, duration = 0, overlap = 0;
};
Impact run_impact(const Case& c) {
  Simulation run(c);
  Impact out;
  bool met = false;
  double start = 0;
  while (run.time() < 1 && !(met && run.contact_count() == 0)) {
    run.step();
    if (run.contact_count() == 0) continue;
    if (!met) start = run.time();
    met = true;
    out.overlap = std::max(out.overlap, run.contacts()[0].overlap);
  }
  out.duration = run.time() - start;
  out.restitution = (run.state().velocity(0).x - run.state().velocity(1).x) / c.assembly.bodies[1].velocity.x;
  return out;
}

double mass_of(double radius) { return 2 * 4 * pi / 3 * radius * radius * radius; }

}  // namespace

/// Hertz: δ_max = (15 m v²/(16 E* √R))^(2/5), duration 2.9432 δ_max/v, m reduced mass, R = r₁r₂/(r₁ + r₂). With
/// dashpots, γ_n ~ √(m K_n) gives one restitution for all speeds and sizes.
BOOST_AUTO_TEST_CASE(hertzian_impacts_head_on) {
  for (const char* law : {"jaeger", "hertz-mindlin"})
    for (const double speed : {0.01, 0.1}) {
      const Impact found = run_impact(impact(law, speed, std::nullopt));
      const double mass = mass_of(0.6) * mass_of(0.4) / (mass_of(0.6) + mass_of(0.4)), young = 1e6 / 0.75;
      const double largest = std::pow(15 * mass * speed * speed / (16 * young * std::sqrt(0.24)), 0.4);
      BOOST_TEST(found.overlap == largest, tolerance(1e-5));
      BOOST_TEST(found.duration == 2.943275 * largest / speed, tolerance(2e-3));
      BOOST_TEST(found.restitution == 1, tolerance(1e-6));
    }
  for (const double restitution : {0.9, 0.5})
    for (const double speed : {0.01, 0.3})
      BOOST_TEST(run_impact(impact("jaeger", speed, restitution)).restitution == restitution, tolerance(2e-3));
}

/// The ledger closes and nothing circulates. The energy that merging drops is event loss.
BOOST_AUTO_TEST_CASE(ledger_and_legs_of_jaeger_contacts) {
  for (const double merge : {0.0, 0.2}) {
    Case c = hertzian(sphere_cloud(5, 3), "jaeger");
    c.contact.law.options<laws::Jaeger>().merge_slope = merge;
    c.time.step = 1e-4;
    Simulation run(c);
    BOOST_TEST(run.law_has_potential());
    advance(run, 3000);
    const EnergyLedger e = run.ledger();
    BOOST_TEST(e.friction > 0);
    BOOST_TEST(std::abs(e.residual()) <= 2e-4 * e.absolute_work);
    BOOST_TEST(std::abs(e.circulation) <= 1e-12 * e.absolute_work);
    BOOST_TEST((e.event_loss == 0) == (merge == 0));
  }
  // Legs of contacts that end go back, with and without the ledger: when all is apart nothing is held.
  for (const bool ledger : {true, false}) {
    Case c = hertzian(sphere_cloud(5, 0), "jaeger");
    c.output.ledger = ledger;
    c.time.step = 2e-4;
    Simulation run(c);
    std::uint64_t most = 0;
    for (int k = 0; k < 4000; ++k) {
      run.step(k % 100 == 0);
      if (k % 100 != 0) continue;
      const auto memory = *run.contact_engine().history_memory();
      BOOST_TEST(memory.contacts == run.contact_count());
      most = std::max(most, memory.legs);
      // Chunks of five legs, one of them begun, and an eighth of room. Renewed lists have no gaps.
      BOOST_TEST(memory.reserved <= 120 * memory.contacts + 2 * 26 * most + 128 * (2 * memory.contacts + 64));
    }
    BOOST_TEST(most > 1000u);
  }
}

/// jaeger-checked moves the bodies as jaeger with the same merging does, to the bit. It measures how much merging
/// changed the force: with an error asked for no more than that, without merging nothing.
BOOST_AUTO_TEST_CASE(merging_beside_the_exact_histories) {
  const auto slow_cloud = [](const char* law, double slope, double error) {
    Case c = hertzian(sphere_cloud(9, 4), law);
    c.contact.law.options<laws::Jaeger>() = {.merge_slope = slope, .merge_error = error};
    for (BodySpec& body : c.assembly.bodies) body.velocity = 0.3 * body.velocity;
    c.cell_size = 0.97 * c.cell_size;
    return Simulation(c);
  };
  for (const auto& [slope, error] : {std::pair{0.0, 0.0}, {0.0, 0.02}, {0.2, 0.0}})
    BOOST_TEST_CONTEXT("merge_slope " << slope << ", merge_error " << error) {
      Simulation plain = slow_cloud("jaeger", slope, error), checked = slow_cloud("jaeger-checked", slope, error);
      double during = 0;
      for (int k = 0; k < 400; ++k) {
        plain.step(), checked.step();
        const double now = checked.contact_engine().history_memory()->merge_error;
        BOOST_TEST_REQUIRE(now >= during);
        during = now;
      }
      BOOST_TEST((plain.state().bodies.position == checked.state().bodies.position));
      const auto merged = *plain.contact_engine().history_memory(), both = *checked.contact_engine().history_memory();
      BOOST_TEST((!merged.checked && both.checked));
      BOOST_TEST(both.legs == merged.legs);
      BOOST_TEST(both.contacts == merged.contacts);
      const bool merges = slope + error > 0;
      BOOST_TEST((merges ? both.exact_legs > both.legs : both.exact_legs == both.legs));
      BOOST_TEST((merges ? both.merge_error > 0 : both.merge_error == 0));
      if (error > 0) BOOST_TEST(both.merge_error <= error);
      RunObserver observer(checked);
      const std::string verdict = judge(observer.numbers(checked)).text();
      BOOST_TEST(verdict.find("histories of the contacts held") != std::string::npos);
      const std::string sentence = merges
                                       ? fmt::format("no tangential force by more than {:.3g} f F_n", both.merge_error)
                                       : "Nothing was merged";
      BOOST_TEST(verdict.find(sentence) != std::string::npos, verdict);
      const SeriesRow row = row_of(observer, checked);
      BOOST_TEST(row.at("history_merge_error") == both.merge_error);
      BOOST_TEST(row.at("history_exact_legs") == both.exact_length());
      BOOST_TEST(!row_of(plain).contains("history_merge_error"));
    }
}

/// Equivalent constants of two materials (reference, §3). They are those of one where both are the same. They are
/// refused unless the case asks for them.
BOOST_AUTO_TEST_CASE(hertzian_pairs_of_dissimilar_materials) {
  Case c = impact("jaeger", 0.1, 0.9);
  c.materials = {{"glass", 2, 0, 0, 0, 1e6, 0.25}};
  c.assembly.bodies[1].material = "glass";
  const ElasticPair same = elastic_pair(c, 0, 1);
  BOOST_TEST(same.modulus == laws::Hertz::modulus_of(1e6, 0.25));
  BOOST_TEST(same.ratio == laws::Hertz::ratio_of(0.25));
  // Aluminium oxide on glass (Kharaz, Gorham, Salman 2001): κ = 1.164.
  c.material.shear_modulus = 3.8e11 / (2 * 1.23);
  c.material.poisson_ratio = 0.23;
  c.materials[0].shear_modulus = 7e10 / (2 * 1.25);
  BOOST_CHECK_THROW(elastic_pair(c, 0, 1), std::invalid_argument);
  BOOST_CHECK_THROW(Simulation{c}, std::invalid_argument);
  c.contact.dissimilar_materials = DissimilarMaterials::equivalent;
  BOOST_TEST(std::abs(elastic_pair(c, 0, 1).ratio - 1.164) < 5e-4);
  BOOST_TEST(elastic_pair(c, 0, 1).ratio == elastic_pair(c, 1, 0).ratio);
  c.assembly.bodies[1].position.x = 0.999;
  c.time.override_limit = true;
  const ContactRecord record = Simulation(c).contacts()[0];
  const laws::Hertz hertz{elastic_pair(c, 0, 1).modulus, 0, laws::Hertz::radius_of(0.6, 0.4)};
  BOOST_TEST(record.normal_stiffness == hertz.stiffness(0.5 * record.overlap), tolerance(1e-12));
  // Histories of discs and polygons have no legs to hold them.
  BOOST_CHECK_THROW(Simulation{hertzian(cloud(Grain::disc, 1, 0), "jaeger")}, std::invalid_argument);
}
