// The memory of a pair of polygons changes no contact. Polygons part tip to tip here, where round-off decides.
#include "contacts/planar/driven_pair.hpp"
#include "support/random.hpp"

using namespace dem;
using namespace dem::test;

namespace {

geometry::Outline diamond(double r) { return {{r, 0}, {0, r}, {-r, 0}, {0, -r}}; }

}  // namespace

BOOST_AUTO_TEST_CASE(tips_that_part) {
  std::mt19937_64 random(20261128);
  int touching = 0, pairs = 0;
  for (int k = 0; k < 60; ++k) {
    const double r = uniform(random, 0.5, 1), s = uniform(random, 0.5, 1);
    const Case c = driven_pair_case(diamond(r), diamond(s), {r + s, 0});
    for (int direction = 0; direction < 50; ++direction) {
      const double angle = uniform(random, 0, 1.5), far = direction % 2 ? 0 : 1000;
      const Vec2 at{far, 0.7 * far}, along = Turn::by(angle)({1, 0});
      const auto placed = [&](double distance) { return Pose{at + distance * along, angle}; };
      DrivenPair remembers(c), fresh(c);
      remembers.move({at, angle}, placed(0.99 * (r + s)));
      remembers.move({at, angle}, placed(r + s));
      fresh.move({at, angle}, placed(r + s));
      BOOST_TEST(remembers.contacts().size() == fresh.contacts().size());
      touching += int(fresh.contacts().size());
      ++pairs;
    }
  }
  BOOST_TEST(touching > pairs / 20);
  BOOST_TEST(touching < pairs);
}
