// The impacts that the study compares: published values, laws, cases.
#pragma once
#include <array>
#include <numbers>
#include <vector>

#include "libdem/laws/hertz_mindlin.hpp"
#include "validation/kuhn2011/oblique-impact/impact.hpp"
#include "validation/study.hpp"

namespace dem::validation::kuhn2011::impacts {

inline constexpr double degree = std::numbers::pi / 180;

struct Point {
  double angle, value;  // degrees from the normal
};
using Points = std::vector<Point>;

inline constexpr const char* kharaz = "A. H. Kharaz, D. A. Gorham, A. D. Salman, Powder Technology 120 (2001) 281";
inline const Points kharaz_restitution{{1.84, 0.793}, {3.70, 0.745}, {9.50, 0.673}, {20.0, 0.597},
                                       {30.1, 0.688}, {39.4, 0.771}, {49.7, 0.848}, {60.0, 0.901}};

inline constexpr const char* benchmark = "Y. C. Chung, J. Y. Ooi, Granular Matter 13 (2011) 643, test 4";
inline const Points benchmark_restitution{{5.2, 0.948}, {10.2, 0.687}, {20, 0.616}, {30, 0.684},
                                          {40, 0.781},  {50, 0.845},   {60, 0.893}, {80, 0.966}};
// Spins (rad/s) of its figure as digitised for benchmark 4 of Kratos Multiphysics, to whole numbers: aluminium oxide,
// and the experiment shown there.
inline const Points benchmark_spin{{5.0, 19},   {10.1, 213}, {15.0, 378}, {19.9, 511}, {24.9, 599},
                                   {30.0, 617}, {34.9, 582}, {40.0, 545}, {50.0, 457}, {60.0, 357},
                                   {70.0, 246}, {80.1, 126}, {85.0, 63}};
inline const Points experiment_spin{{5.9, 135},  {10.9, 261}, {21.1, 574}, {31.1, 612}, {39.0, 595},
                                    {50.2, 450}, {60.1, 376}, {70.0, 243}, {78.6, 142}, {84.3, 71}};

inline constexpr double friction = 0.092, restitution = 0.98, speed = 3.9;
inline constexpr ElasticBody aluminium_oxide{3.8e11, 0.23, 4000}, glass{7e10, 0.25, 2500};

struct Law {
  const char* name;
  const char* label;
  MindlinMemory memory;
};
inline constexpr std::array<Law, 5> laws{
    {{"jaeger", "jaeger", MindlinMemory::none},
     {"hertz-mindlin", "hertz-mindlin, no memory", MindlinMemory::none},
     {"hertz-mindlin", "hertz-mindlin, single reversal", MindlinMemory::single_reversal},
     {"hertz-mindlin", "hertz-mindlin, turning points", MindlinMemory::turning_points},
     {"hertz-history", "hertz-history", MindlinMemory::none}}};
inline constexpr const Law& spring_law = laws[4];

Impact impact_of(const Law&, const ElasticBody& sphere, const ElasticBody& plate, Dashpots, double steps);
Impact kharaz_impact(const Law&, Dashpots, double steps);
/// The rigid plane as programs have it that run the benchmark: a thousand times stiffer.
Impact benchmark_impact(const Law&, Dashpots, double steps);
Rebound at_angle(Impact, double degrees);
/// Without dashpots, at ψ_1.
Rebound elastic_at(Impact, double psi_1);
/// The contact slides from beginning to end.
bool slides(const Impact&, double degrees);

/// ψ_2 at each ψ_1 by each law, and by rings; `change`: the largest of MawRebound.
struct ElasticCurves {
  std::vector<double> psi_1, rings;
  std::array<std::vector<double>, laws.size()> by_law;
  double change = 0;
};
ElasticCurves elastic_curves(const Impact&, const std::vector<double>& psi_1, int rings, double steps);

void claim_measurements(StudyRun&, double steps);
void claim_maw(StudyRun&, double steps, int rings);
void claim_benchmark(StudyRun&, double steps);

}  // namespace dem::validation::kuhn2011::impacts
