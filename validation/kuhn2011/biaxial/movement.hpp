// How the contacts of an assembly move, step by step (Fig. 1 of the paper): paths in the frame of each contact, what
// the exact law makes of every step, how often the movement turns.
#pragma once
#include <array>
#include <vector>

#include "libdem/laws/jaeger_contact.hpp"
#include "validation/kuhn2011/packing.hpp"

namespace dem::validation::kuhn2011 {

/// Number of steps of each kind: the contact sticks; slips in an annulus; slides; goes back along its last leg; rests.
struct StepKinds {
  double stick = 0, slip = 0, slide = 0, retrace = 0;
  double sum() const { return stick + slip + slide + retrace; }
};

struct PathPoint {
  double strain = 0, normal = 0, along_1 = 0, along_2 = 0;  ///< ζ, ξ_1, ξ_2 (m)
};

/// A contact that is followed. Its history is worked out here once more from its movement.
struct FollowedContact {
  ContactKey key;
  Vec3 normal, direction, branch;
  double overlap = 0;
  laws::Hertz hertz;
  laws::JaegerHistory<laws::LegPool> history;
  std::array<double, 2> shift{}, last{};  ///< Σ 2Δξ and the last 2Δξ in the frame of the contact (m)
  double last_overlap_change = 0;
  bool from_start = false;
  StepKinds kinds;
  double reversals = 0;         ///< steps whose tangential movement has a component against that of the step before
  double corners = 0;           ///< steps that turn by more than 45° from the step before, reversals among them
  double normal_reversals = 0;  ///< changes between growing and shrinking overlap
  std::vector<PathPoint> path, zoom;
};

/// Watches a run with law `jaeger` and elongation `geometric`: observe() after every step.
class MovementWatch {
 public:
  struct Choice {
    std::uint64_t path_every = 40;      ///< steps between points of a path
    double zoom_from = 0, zoom_to = 0;  ///< strains between which paths are kept step by step
  };
  MovementWatch(const Simulation&, const Choice&);
  ~MovementWatch();
  MovementWatch(const MovementWatch&) = delete;
  void observe(const Simulation&);

  const std::vector<FollowedContact>& contacts() const { return followed_; }
  const StepKinds& kinds() const { return kinds_; }  ///< of all contacts since the last call of reset_kinds()
  void reset_kinds() { kinds_ = {}; }
  /// Largest difference between the force of a contact here and in the run, over f F_n, of the contacts that were there
  /// from the start.
  double largest_difference(const Simulation&) const;

 private:
  FollowedContact begin(const Simulation&, const ContactRecord&, bool from_start);
  void move(const Simulation&, FollowedContact&, const ContactRecord&);
  laws::JaegerCoefficients coefficients(const FollowedContact&) const;
  void keep_point(const Simulation&, FollowedContact&) const;

  Choice choice_;
  laws::LegPool pool_;
  std::vector<FollowedContact> followed_;  // in the order of their keys
  std::vector<Vec3> turned_;               // rotation vectors of the bodies up to the last step
  StepKinds kinds_;
};

struct Movement {
  struct Row {
    double strain = 0;
    StepKinds kinds;
  };
  std::vector<Row> rows;     ///< kinds of the steps since the row before
  std::vector<double> legs;  ///< of all contacts at the end
  /// Of the contacts that lived from the start to the end: per contact stick, slip, slide, retrace, reversals, corners,
  /// normal reversals.
  std::vector<std::array<double, 7>> survivors;
  double steps = 0, difference = 0, contacts_at_start = 0;
  FollowedContact shown;  ///< of the survivors the one with the median number of reversals
  std::vector<double> pack() const;
  static Movement unpack(const std::vector<double>&);
};
Movement watch_movement(const Case&, std::size_t rows, double zoom_width, TaskProgress&);

}  // namespace dem::validation::kuhn2011
