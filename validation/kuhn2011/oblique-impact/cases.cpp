#include "validation/kuhn2011/oblique-impact/cases.hpp"

#include <algorithm>
#include <cmath>

#include "validation/kuhn2011/oblique-impact/maw_rings.hpp"

namespace dem::validation::kuhn2011::impacts {

Impact impact_of(const Law& law, const ElasticBody& sphere, const ElasticBody& plate, Dashpots dashpots, double steps) {
  Impact i;
  i.law = law.name;
  i.memory = law.memory;
  i.dashpots = dashpots;
  i.sphere = sphere;
  i.plate = plate;
  i.friction = friction;
  i.restitution = restitution;
  i.speed = speed;
  i.steps = steps;
  return i;
}
Impact kharaz_impact(const Law& law, Dashpots dashpots, double steps) {
  return impact_of(law, aluminium_oxide, glass, dashpots, steps);
}

Impact benchmark_impact(const Law& law, Dashpots dashpots, double steps) {
  ElasticBody plane = aluminium_oxide;
  plane.young *= 1000;
  return impact_of(law, aluminium_oxide, plane, dashpots, steps);
}

Rebound at_angle(Impact i, double degrees) {
  i.angle = degrees * degree;
  return rebound_of(i);
}

Rebound elastic_at(Impact i, double psi_1) {
  i.dashpots = Dashpots::none;
  i.angle = std::atan(psi_1 * ratio_of(i) * i.friction);
  return rebound_of(i);
}

bool slides(const Impact& i, double degrees) {
  return std::tan(degrees * degree) / (ratio_of(i) * i.friction) >= maw_sliding_from(ratio_of(i));
}

ElasticCurves elastic_curves(const Impact& base, const std::vector<double>& psi_1, int rings, double steps) {
  ElasticCurves out;
  out.psi_1 = psi_1;
  for (const double p : psi_1) {
    const MawRebound r = refined_maw_rebound(p, ratio_of(base), rings);
    out.rings.push_back(r.psi_2);
    out.change = std::max(out.change, std::abs(r.change));
    for (std::size_t k = 0; k < laws.size(); ++k) {
      Impact i = base;
      i.law = laws[k].name;
      i.memory = laws[k].memory;
      i.steps = steps;
      out.by_law[k].push_back(elastic_at(i, p).psi_2);
    }
  }
  return out;
}

}  // namespace dem::validation::kuhn2011::impacts
