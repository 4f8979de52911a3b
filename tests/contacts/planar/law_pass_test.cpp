// The law pass computes a contact by itself as it does beside three others, in vector lanes.
#include "cases.hpp"

namespace {

/// A pair that meets, sticks and turns, and further pairs far away that do so at nearly the same time.
std::string pairs(const std::string& shape, int count) {
  std::string text;
  for (int k = 0; k < count; ++k)
    text += fmt::format(
        "[[body]]\n{0}\nposition = [{1}, 0.3]\nangle = {2}\nvelocity = [0.4, {3}]\n"
        "[[body]]\n{0}\nposition = [{4}, 1.05]\nangle = 1.1\nvelocity = [-0.3, -0.5]\nspin = {2}\n",
        shape, 7.0 * k, 0.2 + 1e-3 * k, 1e-3 * k, 7 * k + 0.82);
  return text;
}

std::vector<Vec3> path(const std::string& keys, const std::string& bodies) {
  Simulation run(case_of(keys +
                         "[material]\ndensity = 1.0\nnormal_stiffness = 900.0\ntangential_stiffness_ratio = 0.4\n"
                         "friction = 3.0\nrestitution = 0.7\n[time]\nstep = 1e-3\n[[wall]]\nfrom = [-9.0, -0.28]\n"
                         "to = [60.0, -0.28]\n" +
                         bodies + "[[stage]]\nduration = 1.0\n"));
  std::vector<Vec3> found;
  while (!run.finished()) {
    run.step();
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t k = 0; k < 2; ++k) {
        found.push_back(run.state().bodies.position[k][b]);
        found.push_back(run.state().bodies.rotation[k][b]);
      }
    found.push_back({run.state().bodies.force[0].x, run.state().bodies.force[1].y, 0});
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_contact_alone_and_beside_others) {
  const std::string disc = "shape = \"disc\"\nradius = 0.52",
                    polygon = "shape = \"regular-polygon\"\nsides = 6\nradius = 0.58";
  const std::pair<std::string, std::string> choices[] = {
      {disc, ""},
      {disc, "[contact]\nelongation = \"velocity\"\nlever = \"radius\"\n"},
      {disc, "[contact]\nlever = \"proportional\"\n"},
      {disc, "[contact]\ngeometric_form = \"eq10-11-literal\"\n"},
      {disc, "[contact]\nlaw = \"linear-refined\"\n"},
      {polygon, ""},
      {polygon, "[contact]\nelongation = \"velocity\"\n"},
      {polygon, "[contact]\narc_correction = true\n"},
      {polygon, "[contact]\ngeometric_form = \"centroid-displacement\"\n"},
      {polygon, "[contact]\nnormal_force = \"area-potential\"\n"},
      {polygon, "[contact]\nlaw = \"linear-refined\"\nclip_tension = true\n"},
  };
  for (const auto& [shape, keys] : choices) {
    const std::vector<Vec3> alone = path(keys, pairs(shape, 1));
    double pressed = 0;
    for (const Vec3& v : alone) pressed = std::max(pressed, std::abs(v.x));
    BOOST_TEST(pressed > 1, keys);  // they met
    for (const int count : {2, 5})
      BOOST_TEST((path(keys, pairs(shape, count)) == alone), shape << " " << keys << count);
  }
}
