// Properties of the pass of every law of the catalogue. conformance_test.cpp has those of contacts.
#include "libdem/laws/catalogue.hpp"

#include "geometry/random.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "prelude.hpp"

using namespace dem::laws;

namespace {

constexpr double indentation = 1e-3;
const Hertz material{Hertz::modulus_of(1e6, 0.25), Hertz::ratio_of(0.25), 0.1};

struct Contacts {
  explicit Contacts(const LawEntry& given) : law(given.name), histories(std::size_t(block_size * given.history_size)) {
    b.legs = &pool;
  }
  /// The normal force is that of the indentation; the dashpot has 2 kg/s.
  void set(int row, double z, double shift_1, double shift_2, double speed) {
    b.made[row] = 0;
    b.lost[row] = 1;
    b.normal_start[row] = b.normal_end[row] = material.normal_force(z);
    b.shift_1[row] = shift_1;
    b.shift_2[row] = shift_2;
    b.velocity_1[row] = speed;
    b.velocity_2[row] = -2 * speed;
    b.stiffness[row] = 1e4;
    b.damping[row] = 2;
    b.friction[row] = 0.5;
    b.indentation[row] = z;
    b.modulus[row] = material.modulus;
    b.ratio[row] = material.ratio;
    b.radius[row] = material.radius;
  }
  void pass(int count, StepFlags flags = {}) {
    b.count = count;
    law->pass(law.data(), flags, b, histories.data());
  }

  LawChoice law;
  LegPool pool;
  Block b{};
  std::vector<double> histories;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_block_gives_the_bits_of_its_rows) {
  geometry::Random random(13);
  const auto shift = [&] { return 2e-3 * (random.uniform() - 0.5); };
  for (const LawEntry& law : catalogue()) {
    for (int count = 1; count <= block_size; ++count) {
      Contacts block(law);
      std::vector<Contacts> single(std::size_t{block_size}, Contacts{law});
      for (int step = 0; step < 12; ++step) {
        for (int row = 0; row < count; ++row) {
          block.set(row, indentation * (0.5 + random.uniform()), shift(), shift(), random.uniform());
          Contacts& s = single[std::size_t(row)];
          s.b.legs = &s.pool;
          s.set(0, block.b.indentation[row], block.b.shift_1[row], block.b.shift_2[row], block.b.velocity_1[row]);
          s.pass(1);
        }
        block.pass(count);
        const Block& b = block.b;
        for (int row = 0; row < count; ++row) {
          const Block& s = single[std::size_t(row)].b;
          for (const auto& [of_block, alone] : {std::pair{b.elastic_1, s.elastic_1},
                                                {b.elastic_2, s.elastic_2},
                                                {b.viscous_1, s.viscous_1},
                                                {b.viscous_2, s.viscous_2},
                                                {b.stored, s.stored},
                                                {b.dissipated, s.dissipated},
                                                {b.work, s.work},
                                                {b.sliding, s.sliding}})
            BOOST_TEST_REQUIRE(std::memcmp(of_block + row, alone, sizeof(double)) == 0,
                               law.name << ", row " << row << " of " << count);
        }
      }
      // Nothing behind the last row is touched.
      for (std::size_t k = std::size_t(count * law.history_size); k < block.histories.size(); ++k)
        BOOST_REQUIRE(block.histories[k] == 0);
      for (int row = count; row < block_size; ++row) BOOST_REQUIRE(block.b.elastic_1[row] == 0);
    }
  }
}

/// Laws that limit spring and dashpot together are not here.
BOOST_AUTO_TEST_CASE(the_dashpot_rests_while_a_contact_slides_unless_told) {
  for (const LawEntry& law : catalogue()) BOOST_TEST_CONTEXT(law.name) {
      if (law.limits_dashpot) continue;
      Contacts c(law);
      for (const auto& [shift, keeps, acts] : {std::tuple{1e-9, false, true}, {1.0, false, false}, {1.0, true, true}}) {
        c.set(0, indentation, shift, 0, 0.25);
        c.pass(1, {.damp_while_sliding = keeps});
        BOOST_TEST((c.b.sliding[0] != 0) == (shift == 1));
        BOOST_TEST(c.b.viscous_1[0] == (acts ? -0.5 : 0));
        BOOST_TEST(c.b.viscous_2[0] == (acts ? 1 : 0));
      }
    }
}
