// The case file's own view of a case: what the keys say, before defaults that depend on other keys are filled in.
#pragma once
#include "libdem/case.hpp"
#include "libdem/files/case_words.hpp"

namespace dem::case_file {

struct RootDraft {
  int format = 0;
  std::string title;
  Vec3 gravity;
  double skin = 0;
  int threads = 1;
};

struct CellDraft {
  std::optional<std::vector<std::string>> periodic;
  std::optional<Vec3> origin, size;
};

struct MaterialDraft : Material {
  std::optional<double> stiffness_ratio;           ///< k_t/k_n
  std::optional<double> own_tangential_stiffness;  ///< k_t
  std::optional<double> own_tangential_damping_ratio;
};

struct ContactDraft : ContactChoice {
  std::optional<NormalForce> own_normal_force;
};

struct AssemblyDraft {
  Generator generator = Generator::bodies;
  geometry::VoronoiInput voronoi;
  GrainsSpec grains;
  LatticeSpec lattice;
  double largest_start_overlap = Assembly{}.largest_start_overlap;
};

struct BodyDraft : BodySpec {
  BodyShape how = BodyShape::disc;
  std::optional<Vec3> own_position;
  std::vector<std::string> fixed;
  int sides = 6;
  double stretch = 1;            ///< `elongation` of a regular polygon
  double width = 0, height = 0;  ///< rectangle
};

struct PlatesDraft : PlatesSpec {
  std::optional<bool> own_from_rows;
};

struct CaseDraft {
  RootDraft root;
  CellDraft cell;
  MaterialDraft material;
  ContactDraft contact;
  TimeChoice time;
  AssemblyDraft assembly;
  std::vector<BodyDraft> bodies;
  std::vector<WallSpec> walls;
  std::optional<PlatesDraft> plates;
  std::vector<Stage> stages;
  OutputChoice output;
};

}  // namespace dem::case_file
