// All contacts of a plane assembly. One evaluation finds the overlaps, measures how each contact moved, calls the law,
// and adds forces and torques to the bodies.
//
// Order. Bodies are stored by places (body_order.hpp), and inside the engine they are named so, in keys too. Candidate
// pairs are sorted and cut into chunks of constant size; a chunk owns the contacts of its pairs. Every contact is
// computed from its own data alone. Sums over contacts run in the order of the numbers, those of the ledger in the
// order of the chunks. So no bit depends on threads or on when the list of pairs was built. No bit of the motion
// depends on the places.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "geometry/convex_overlap.hpp"
#include "geometry/plane_continuity.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/contacts/planar/candidates.hpp"
#include "libdem/contacts/planar/contact.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {

/// Data of a body that its contacts read, side by side in memory. Made anew at each evaluation.
struct BodyFrame {
  Vec2 position, velocity;          ///< m, m/s
  Vec2 moved, elongation_velocity;  ///< since the last evaluation (m); what `elongation = velocity` uses (m/s)
  Turn turn, mid_turn;              ///< orientation now, and half way between the last evaluation and now
  double spin = 0, turned = 0, elongation_spin = 0;  ///< rad/s, rad, rad/s
  double radius = 0;                                 ///< disc (m)
};

/// A persistent jump of the plane of a contact during one evaluation (geometry/plane_continuity.hpp).
struct PlaneJump {
  ContactKey key;
  geometry::ContactPlane plane = geometry::ContactPlane::area_gradient;
  double size = 0;             ///< rad in (0, π/2]; π if the plane stayed, but its normal turned round
  double area = 0, chord = 0;  ///< of the overlap after the jump (m², m)
  /// Parts of the overlap merged or split, so the planes before and after are those of different parts.
  bool merged_or_split = false;
};
/// One number for each of geometry::contact_planes, in their order.
using PerPlane = std::array<std::uint64_t, geometry::contact_planes.size()>;

class PlanarContacts : public ContactEngine {
 public:
  using Pair = geometry::CandidatePair;
  PlanarContacts(const Case&, const State&);
  std::unique_ptr<ContactEngine> clone() const override { return std::make_unique<PlanarContacts>(*this); }

  void arrange(State&) override;
  void find_candidates(State&) override;
  std::uint64_t list_builds() const override { return finder_.builds(); }

  /// Hands over new candidate pairs (sorted); contacts and histories move to the chunks of their pairs.
  void set_candidates(std::span<const Pair>);

  ContactWork evaluate(State&, const BaseLoads&) override;
  EvaluationTimes times() const override;
  /// Needed by the velocity sources corrected and trapezoid.
  void note_start_velocities(const State&) override;
  Tensor3 virial(const State&) const override;
  void override_friction(std::optional<double> friction) override { table_.override_friction(friction); }
  double set_history(std::optional<TangentialHistory>) override;
  void resume_history(std::optional<TangentialHistory> history) override { law_.set_history(history, choice_.law); }

  std::size_t size() const override;
  bool has_potential() const override { return has_potential_ && tangential_conjugate_; }
  double stored_normal() const override { return sum_of(&PlanarContact::stored_normal); }
  double stored_tangential() const override { return sum_of(&PlanarContact::stored_tangential); }
  /// Evaluations of contacts so far whose plane had no direction.
  std::uint64_t undefined_planes() const { return undefined_planes_; }
  /// Persistent jumps of contact planes so far: turns that a continuous movement of the bodies does not explain.
  std::uint64_t plane_jumps() const { return plane_jumps_; }
  /// Those of the jumps at which parts of an overlap merged or split.
  std::uint64_t merging_plane_jumps() const { return merging_jumps_; }
  /// With output.plane_jumps: jumps by plane definition in this run, and those of the last evaluation by contact.
  bool watches_all_planes() const { return watch_all_; }
  const PerPlane& jumps_of_each_plane() const { return jumps_of_plane_; }
  std::span<const PlaneJump> last_jumps() const { return last_jumps_; }
  void damp_velocities(bool on) override { damps_velocities_ = on; }
  void records(const State&, std::vector<ContactRecord>& out) const override;
  void loads(const State&, std::vector<ContactLoad>& out) const override;

  void fields(FieldVisitor&) override;
  std::size_t archive_bytes() const override;

  // For the engine of a part of an assembly, between whose bodies others come and go. The owner of the part finds the
  // candidates; find_candidates() is not called.
  /// Contacts with their histories, by numbers in the order of the keys.
  struct Movers {
    std::vector<PlanarContact> contacts;
    std::vector<double> history;  ///< history_size() numbers each
  };
  std::size_t history_size() const { return std::size_t(law_->history_size); }
  Movers carried() const;
  /// Takes the bodies of the state, candidates (sorted) and contacts among them.
  void take_part(const Case&, const State&, std::span<const Pair>, Movers);

 private:
  static constexpr std::size_t chunk_pairs = 64;
  using PlaneAngles = std::array<double, geometry::contact_planes.size()>;  // rad, NaN if undefined
  /// Force and torques of a contact. They lie apart from it, so that their sum reads 40 bytes of each contact, not 304.
  struct Load {
    Vec2 force;                 // on j (N)
    double torque_i, torque_j;  // N m
    std::uint32_t i, j;
  };
  struct Chunk {
    std::size_t first_pair = 0, end_pair = 0;     // of candidates_
    std::uint32_t first_body = 0, last_body = 0;  // its pairs are among these and those between
    std::vector<PlanarContact> contacts;
    std::vector<Load> loads;
    std::vector<double> history;
    std::vector<ContactWork> work, lost_work;  // of contacts, and of those that ended, both in the order of keys
    std::uint64_t undefined_planes = 0, plane_jumps = 0, merging_jumps = 0;
    std::vector<PlaneAngles> planes;  // of contacts; empty unless all definitions are watched
    std::vector<PlaneJump> jumps;     // the same
    std::array<std::uint16_t, chunk_pairs + 1> first_contact{};  // of each pair, and the end of the last one
  };
  struct Sums {
    ContactWork work, lost;
    std::uint64_t undefined_planes = 0, plane_jumps = 0, merging_jumps = 0;
    void add(std::span<const Chunk>);
  };
  /// Overlaps of the pairs of a chunk that cross where they did before.
  struct RememberedOverlaps {
    std::vector<geometry::RememberedPair> pairs;
    std::array<std::uint8_t, chunk_pairs> pair_of{};       // in the chunk
    geometry::Overlap overlaps;                            // a component for each of them
    std::array<std::int16_t, chunk_pairs> component_of{};  // of a pair of the chunk: in overlaps, −1 if unknown
  };
  /// Data of a thread for the present chunk. The contacts before the step change places with those of the chunk,
  /// so that a thread writes new ones where it has just read. Caches fetch 128 bytes together.
  struct alignas(128) Scratch {
    Chunk* chunk = nullptr;
    std::vector<PlanarContact> before;
    std::vector<double> history_before;
    std::vector<PlaneAngles> planes_before;
    std::vector<int> continued;  // contacts[k] continues before[continued[k]], −1 if it is new
    geometry::PlaneFollower follower;
    geometry::Overlap overlap;
    RememberedOverlaps remembered;
    std::vector<Vec2> image_vertices, old_points, new_points;
    std::vector<int> match;
    EvaluationTimes times;
  };

  void take_bodies(const State&);
  void to_places(Movers&, std::vector<PlaneAngles>& planes) const;
  void hold(Movers);
  void reserve_room();
  void take_candidates(std::span<const Pair>);
  void note_bodies(Chunk&) const;
  void place_cell(State&);
  void place(State&, const BaseLoads&);
  std::span<const Chunk> used() const { return std::span(chunks_).first(chunks_used_); }
  void add_loads(Bodies&, std::size_t first, std::size_t last) const;
  void gather_loads(Bodies&, std::size_t first, std::size_t last) const;
  void note_pairs_by_number();
  template <class F>
  void for_contacts_by_number(F&&) const;
  void note_jumps();
  double sum_of(double PlanarContact::*energy) const;
  /// `next` is the chunk that the same thread takes next; null if there is none.
  void process(Scratch&, const Chunk* next);
  static void ask_for(const Chunk& next, std::size_t k);
  /// Contacts of a pair before the step: before[first … end).
  struct OldContacts {
    std::size_t first, end;
  };
  struct ShapePair;
  /// Adds the contacts of a pair to the chunk. Returns false if it has none; the old ones are then not booked.
  using Finder = bool (PlanarContacts::*)(Scratch&, const Pair&, OldContacts);
  static Finder finder_of(ShapeKind body, bool wall);
  void find(Scratch&, const Pair&, OldContacts);
  bool find_discs(Scratch&, const Pair&, OldContacts);
  bool find_disc_on_wall(Scratch&, const Pair&, OldContacts);
  bool find_polygons(Scratch&, const Pair&, OldContacts);
  void overlap_remembered(Scratch&);
  bool reach_each_other(const Pair&, const Vec2& shift) const;
  bool stay_convex(const Pair&) const;
  void overlap_bodies(Scratch&, const Pair&, const geometry::PlacedPolygon& image);
  bool find_polygon_on_wall(Scratch&, const Pair&, OldContacts);
  void add_disc_contact(Scratch&, const Pair&, OldContacts, Vec2 branch, Vec2 normal, double overlap);
  /// Makes contacts of the components of the overlap.
  bool add_components(Scratch&, const Pair&, OldContacts, const Vec2& branch, const geometry::Overlap&,
                      std::span<const geometry::OverlapComponent>);
  void watch_plane(Scratch&, const PlanarContact&, const PlanarContact& old, const Vec2& branch);
  void watch_all_planes(Scratch&, const PlanarContact&, const PlanarContact* old, std::size_t old_index, Vec2 branch,
                        const geometry::Overlap&, const geometry::OverlapComponent&);
  ContactLoad load_of(const State&, const PlanarContact&) const;
  bool follow_plane(Scratch&, const PlanarContact&, const PlanarContact& old, Vec2 branch, geometry::ContactPlane,
                    PlaneJump&);
  template <class N>
  struct Movement;
  struct LawPass;
  void apply_law(Scratch&);
  /// True if the law damps the movement over Δt (linear-refined: linear-frictional reference, §6). The other laws damp
  /// the velocity at the end.
  bool damps_movement() const {
    return law_->sees_lost_contacts && evaluated_ && elongation_dt_ > 0 && !damps_velocities_;
  }
  /// Tangential movement of two discs from one state to another (m), by the elongation of the case.
  double shift_of_discs(const PlanarContact& now, const PlanarContact& before) const;
  /// `opened`: the bodies parted. Otherwise the contact merged with another one of the pair.
  void book_lost(Scratch&, const PlanarContact& old, bool opened = true) const;
  PlanarContact discs_at(const ContactKey&, Vec2 branch) const;
  double friction_of_lost(Scratch&, const PlanarContact& old) const;
  /// R_j − R_i, of the image of j (m).
  Vec2 branch_of(const ContactKey& key) const {
    return frames_[key.j].position + image_shift(key.image) - frames_[key.i].position;
  }
  Vec2 image_shift(const std::array<std::int16_t, 3>& image) const {
    return (image[0] | image[1] | image[2]) == 0 ? Vec2{} : planar(cell_.shift(image));
  }
  /// Movement of j relative to i since the last evaluation (m). The cell moves j's image.
  Vec2 relative_movement(const ContactKey& key) const {
    const Vec2 moved = frames_[key.j].moved - frames_[key.i].moved;
    return cell_moves_ ? moved + image_movement(key) : moved;
  }
  Vec2 image_movement(const ContactKey& key) const {
    return planar(cell_.shift(key.image) - cell_before_.shift(key.image));
  }
  Vec2 image_velocity(const ContactKey& key) const {
    return double(key.image[0]) * cell_rate_[0] + double(key.image[1]) * cell_rate_[1];
  }

  // Choices, fixed for the run.
  ContactChoice choice_;
  BodyOrder order_;
  PairTable table_;      // by places
  laws::LawChoice law_;  // with the history of the stage
  laws::StepFlags step_flags_;
  geometry::OverlapFunction overlap_ = nullptr;
  geometry::WantBoundary want_boundary_ = geometry::WantBoundary::yes;
  bool batches_ = false;  // overlap_remembered() is used
  ShapeKind kind_ = ShapeKind::disc;
  std::array<Finder, 2> finders_{};            // of pairs of bodies; of a body and a wall
  bool discs_ = true, through_chord_ = false;  // kind_ is disc; normal_force is area_potential
  Lever lever_ = Lever::contact_point;
  bool has_potential_ = false;         // the normal force is the gradient of its stored energy
  bool tangential_conjugate_ = false;  // the tangential force acts along the virtual movement of its elongation
  int threads_ = 1;
  geometry::Cell cell_, cell_before_;
  bool is_periodic_ = false;
  std::array<Vec2, 2> cell_rate_;
  bool cell_moves_ = false;  // moved since the last evaluation, or moves now

  // Bodies as contacts see them, by places.
  std::vector<std::uint8_t> is_wall_;
  std::vector<double> bounding_radius_;
  struct Convexity {
    double margin = 0, coordinates = 0;  // see geometry::stays_convex (m)
  };
  std::vector<Convexity> convexity_;
  ByBody<Turn> turn_before_;
  std::vector<BodyFrame> frames_;
  std::vector<Vec2> body_vertices_, placed_vertices_;
  std::vector<std::uint32_t> first_vertex_;
  std::size_t most_vertices_ = 4;  // of one polygon; a wall is a rectangle
  std::vector<geometry::PlacedPolygon> placed_;
  std::vector<Vec2> start_velocity_;
  std::vector<double> start_spin_;

  PlanarCandidates finder_;
  std::vector<Pair> candidates_;
  // Only if places are not numbers. Candidates in the order of their numbers, and for each place 2 × candidate, plus 1
  // where the body is j, in that order.
  std::vector<std::uint32_t> pairs_by_number_, pairs_of_place_, first_of_place_;
  bool chunks_are_current_ = false;  // first_contact has the contacts: an evaluation was made with these candidates
  // Findings of the last overlap of each candidate pair. They steer the search and change no bit: they are not saved.
  std::vector<geometry::ConvexMemory> memories_;
  std::vector<Chunk> chunks_;
  std::size_t chunks_used_ = 0;
  std::vector<Scratch> scratch_;                // one per thread
  std::vector<PlanarContact> moving_contacts_;  // scratch of set_candidates
  std::vector<double> moving_history_;
  std::vector<geometry::ConvexMemory> moving_memories_;
  bool evaluated_ = false;  // false until the first evaluation: no movement, no work
  bool damps_velocities_ = false;
  std::uint64_t undefined_planes_ = 0, plane_jumps_ = 0, merging_jumps_ = 0;
  bool watch_all_ = false;  // every definition of the plane, for output.plane_jumps
  PerPlane jumps_of_plane_{};
  std::vector<PlaneJump> last_jumps_;
  std::vector<PlaneAngles> moving_planes_;  // scratch of set_candidates
  double elongation_dt_ = 0;                // s
};

/// Calls f(chunk, number of the contact in it) for all contacts in the order of their keys by numbers.
template <class F>
void PlanarContacts::for_contacts_by_number(F&& f) const {
  if (order_.is_by_number()) {
    for (const Chunk& chunk : used())
      for (std::size_t k = 0; k < chunk.contacts.size(); ++k) f(chunk, k);
  } else if (chunks_are_current_) {
    for (const std::uint32_t p : pairs_by_number_) {
      const Chunk& chunk = chunks_[p / chunk_pairs];
      for (std::size_t k = chunk.first_contact[p % chunk_pairs]; k < chunk.first_contact[p % chunk_pairs + 1]; ++k)
        f(chunk, k);
    }
  } else {
    std::vector<std::pair<ContactKey, std::pair<const Chunk*, std::size_t>>> all;
    for (const Chunk& chunk : used())
      for (std::size_t k = 0; k < chunk.contacts.size(); ++k)
        all.push_back({order_.named(chunk.contacts[k].key), {&chunk, k}});
    std::ranges::sort(all, {}, [](const auto& one) { return one.first; });
    for (const auto& one : all) f(*one.second.first, one.second.second);
  }
}

}  // namespace dem
