// The probes of the study: groups of them, the runs without slip and without strain that each group needs, and all of
// them as tasks.
#pragma once
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "validation/kuhn2020/probes/probe.hpp"
#include "validation/study.hpp"

namespace dem::validation::kuhn2020 {

inline constexpr double magnitude = 6e-6;  ///< of a probe's strain (reference, §15)

/// Probes that are looked at together: directions of the Rendulic plane (or of the deviatoric plane) at one schedule.
struct Group {
  std::string name;
  double ratio;  ///< q/p of the state
  ProbeModel model;
  std::size_t directions;
  int steps, relaxation;
  double size = magnitude;
  bool no_slip = false, deviatoric = false;
  std::vector<Rendulic> strain{}, stress{};  ///< stress: less that of the null probe
  std::vector<ProbeResult> result{};
};

class Probes {
 public:
  explicit Probes(StudyRun& run) : run_(run), quick_(run.quick()), source_(cluster_source(run.sources(), quick_)) {}

  /// Evenly spread directions, unless the group brings its strains.
  void add(Group g) {
    if (!g.strain.empty())
      g.directions = g.strain.size();
    else
      for (std::size_t k = 0; k < g.directions; ++k) {
        const double angle = 2 * std::numbers::pi * double(k) / double(g.directions);
        g.strain.push_back(g.size * (g.deviatoric ? Rendulic{0, std::cos(angle), std::sin(angle)}
                                                  : Rendulic{std::cos(angle), std::sin(angle), 0}));
      }
    groups_.push_back(std::move(g));
  }
  /// Probes without slip and a null probe for every schedule, size and state in use.
  void add_companions() {
    std::vector<Group> more;
    for (const Group& g : groups_) {
      const auto same = [&](const Group& c) {
        return c.ratio == g.ratio && c.steps == g.steps && c.relaxation == g.relaxation;
      };
      if (g.size > 0 &&
          std::ranges::none_of(more, [&](const Group& c) { return same(c) && c.no_slip && c.size == g.size; })) {
        Group c = g;
        c.name = "no slip";
        c.model = ProbeModel::refined;
        c.no_slip = true;
        c.deviatoric = false;
        // Both signs of each axis of the Rendulic plane and what lies between them; one across it.
        c.strain.clear();
        for (int k = 0; k<8; k += g.directions> 20 && !quick_ ? 1 : 2)
          c.strain.push_back(g.size *
                             Rendulic{std::cos(k * std::numbers::pi / 4), std::sin(k * std::numbers::pi / 4), 0});
        c.strain.push_back({0, 0, g.size});
        more.push_back(c);
      }
      if (std::ranges::none_of(more, [&](const Group& c) { return same(c) && c.size == 0; })) {
        Group c = g;
        c.name = "null";
        c.model = ProbeModel::refined;
        c.size = 0;
        c.directions = 1;
        c.strain.clear();
        more.push_back(c);
      }
    }
    for (Group& c : more)
      if (std::ranges::none_of(groups_, [&](const Group& g) {
            return g.name == c.name && g.ratio == c.ratio && g.steps == c.steps && g.relaxation == c.relaxation &&
                   g.size == c.size && g.deviatoric == c.deviatoric;
          }))
        add(std::move(c));
  }

  /// All groups that are not computed yet, as one set of tasks.
  void compute(const std::string& set);
  const Group& operator[](std::string_view name) const {
    for (const Group& g : groups_)
      if (g.name == name) return g;
    throw std::out_of_range("no probes called " + std::string(name));
  }
  const Group& null_of(const Group& g) const {
    for (const Group& c : groups_)
      if (c.size == 0 && c.ratio == g.ratio && c.steps == g.steps && c.relaxation == g.relaxation) return c;
    throw std::out_of_range("no null probe");
  }
  Stiffness stiffness_of(const Group& g) const {
    std::vector<Rendulic> strain, stress;
    for (const Group& c : groups_)
      if (c.no_slip && c.size == g.size && c.ratio == g.ratio && c.steps == g.steps && c.relaxation == g.relaxation) {
        strain.insert(strain.end(), c.strain.begin(), c.strain.end());
        stress.insert(stress.end(), c.stress.begin(), c.stress.end());
      }
    return reversible_stiffness(strain, stress);
  }
  std::vector<Response> responses(const Group& g) const {
    const Stiffness k = stiffness_of(g);
    std::vector<Response> out;
    for (std::size_t n = 0; n < g.strain.size(); ++n) out.push_back(response(k, g.strain[n], g.stress[n]));
    return out;
  }
  /// rms difference of the irreversible strains of two groups with equal strains, over the rms of the first.
  double irreversible_difference(const Group& a, const Group& b) const {
    const Eigen::Matrix3d inverse = stiffness_of(a).k.inverse();
    double off = 0, size = 0;
    for (std::size_t n = 0; n < a.stress.size(); ++n) {
      off += (inverse * (a.stress[n] - b.stress[n])).squaredNorm();
      size += (a.strain[n] - inverse * a.stress[n]).squaredNorm();
    }
    return std::sqrt(off / size);
  }
  const ClusterSource& source() const { return source_; }
  const PathRow& start(double ratio) const { return starts_.at(ratio); }

 private:
  Case path(double ratio) const {
    Case c = cluster_case(source_, quick_);
    add_path(c, source_, quick_, {ratio, quick_ ? 4e-7 : 5e-8, true});
    return c;
  }

  StudyRun& run_;
  bool quick_;
  ClusterSource source_;
  std::vector<Group> groups_;
  std::map<double, PathRow> starts_;
};

}  // namespace dem::validation::kuhn2020
