// All contacts of an assembly of spheres and rigid clusters of spheres. The layout of the data is in layout.hpp.
//
// A step goes block by block. First the spheres of the block, and those outside that they may touch, are placed side by
// side with their movements. Then, tile by tile: which pairs touch, how they moved, the law, sums of forces. Bodies get
// the sums of their spheres. At the end every block takes in the loads that others have added up for its spheres. The
// work of a block stays in the cache; from one step to the next only bodies, pairs and contacts are kept. Contacts
// refer to component spheres only. A body adds the torques of the offsets of its spheres.
//
// Order. The storage order is renewed on a schedule of steps and saved. Blocks, tiles and contacts follow it. Each
// contact is computed from its own data, and sums run over contacts in that order. Candidates that do not touch add
// nothing. So no bit depends on the number of threads, the skin or the steps at which the list was built.
//
// Ledger. The work of a contact is that of its own movement. Elastic normal work is the change of ½ k_n ζ², tangential
// work is by the law. Dashpots: trapezoid of force over the change of overlap and the tangential movement.
#pragma once
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "libdem/contacts/contact_engine.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/contacts/spheres/candidates.hpp"
#include "libdem/contacts/spheres/kernels.hpp"
#include "libdem/contacts/spheres/layout.hpp"
#include "libdem/contacts/spheres/requests.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/normal/hertz.hpp"

namespace dem {

class SphereContacts : public ContactEngine {
 public:
  /// Throws std::invalid_argument if choices do not fit together, e.g. a transport that the law does not support.
  SphereContacts(const Case&, const State&);
  std::unique_ptr<ContactEngine> clone() const override { return std::make_unique<SphereContacts>(*this); }

  void arrange(State&) override;
  void find_candidates(State&) override;
  std::uint64_t list_builds() const override { return candidates_.builds(); }
  void make_room() override;
  ContactWork evaluate(State&, const BaseLoads&) override;
  EvaluationTimes times() const override;
  void damp_velocities(bool) override;
  void note_start_velocities(const State&) override;
  Tensor3 virial(const State&) const override;
  void watch(Watch watch) override { watch_ = watch; }
  bool has_forces() const override { return ledger_ || format_.watched; }
  void override_friction(std::optional<double> friction) override { table_.override_friction(friction); }
  double set_history(std::optional<TangentialHistory>) override;
  void resume_history(std::optional<TangentialHistory> history) override { law_.set_history(history, choice_.law); }

  std::size_t size() const override;
  std::optional<std::pair<std::size_t, std::size_t>> went_through() const override { return went_through_; }
  std::optional<HistoryMemory> history_memory() const override;
  double stored_normal() const override;
  double stored_tangential() const override;
  bool has_potential() const override { return follows_frame_ && law_->has_potential; }
  void records(const State&, std::vector<ContactRecord>& out) const override;
  void loads(const State&, std::vector<ContactLoad>& out) const override;
  void forces(const State&, std::vector<ContactForce>& out) const override;
  void visit(const State&, const std::function<void(std::span<const ContactRecord>)>&) const override;

  void fields(FieldVisitor&) override;
  std::size_t archive_bytes() const override;

  /// Selects another set of kernels, for tests and benchmarks. False if this processor does not have it.
  bool use_kernels(geometry::Instructions set);
  /// From this distance of the cores on (ns) copies of the border go past the caches. For tests; 80 by default, because
  /// cores with a common cache are nearer.
  void set_far_away(double distance) { far_away_ = distance; }
  std::size_t pairs() const { return pairs_.size(); }

  /// Contacts on their way from one list of pairs to the next, to and from a file, or to another engine.
  struct Moving {
    /// Places in the storage order, or numbers of bodies (carried()). Walls are numbered behind the spheres.
    std::uint32_t low = 0, high = 0;
    std::array<std::int16_t, 3> image{};  // of `high`; of a wall the slot, {slot, 0, 0}
    std::uint16_t sliding = 0;
    std::size_t values = 0;  // number of the contact in the list of values
    std::size_t legs = 0;    // where its legs begin, from the bottom up; its history has their number
    auto key() const { return std::tie(low, high, image); }
  };
  struct Movers {
    std::vector<Moving> contacts;
    std::vector<double> values;  // state (TileFormat::stride()) and what observers see of it, where that is kept
    std::vector<laws::Leg> legs;
    bool watched = false;  // values have what observers see
  };
  // For the engine of a part of an assembly, between whose bodies others come and go. Only where every body is one
  // sphere. The owner of the part finds the candidates; find_candidates() is not called.
  /// The contacts with numbers of bodies.
  Movers carried() const;
  std::size_t values_of_carried(bool watched) const {
    return format_.stride() + (watched ? TileFormat::for_observers : 0);
  }
  /// Numbers of the legs in the values of a carried contact.
  std::size_t legs_of_carried(const double* values) const;
  /// Takes the bodies of the state, stored in this order, the candidates among their places, and the contacts of these
  /// bodies by their numbers. Only the first `owned` places meet walls.
  void take_part(const Case&, State&, std::vector<std::uint32_t> order, std::size_t owned,
                 std::vector<geometry::CandidatePair>, Movers);
  const SphereCandidates& candidates() const { return candidates_; }
  std::uint32_t body_at(std::size_t place) const { return spheres_.order[place]; }

 private:
  /// Contacts that take more memory than this (bytes) lie beyond the cache of a core: they are fetched a tile ahead.
  static constexpr std::size_t cached_store = std::size_t{1} << 20;
  struct Scratch {
    SphereColumns columns;
    laws::Block block;
    std::uint32_t facet[tile_size];  // contacts with walls: the facet that the point is on, by pair of the tile
    bool changed = false;            // pairs of the tile came or went, or may have
    double left_before[tile_size];   // SphereTile::out_of_plane at the start of the step
  };
  struct BlockSums {
    ContactWork work, lost;
    WorkLanes lanes;
    double merge_error = 0;  // Block::merge_error
    std::optional<std::pair<std::size_t, std::size_t>> went_through;
    // Parts of by_cell, with forces before and after the step. Each is summed in the order of the contacts.
    double cell_before = 0, cell_after = 0;
    EvaluationTimes times;
  };
  // bookkeeping.cpp, tiles.cpp and, for the view from outside, observation.cpp
  bool dashpots_have_velocities(bool asked_for) const;
  std::vector<std::uint32_t> set_order(std::vector<std::uint32_t> order);
  void set_places();
  void set_shares();
  void set_border();
  void note_size();
  void renumber(Movers&, std::span<const std::uint32_t> new_place) const;
  void set_pairs(std::span<const geometry::CandidatePair>, std::span<const NearWall>,
                 std::span<const std::uint32_t> facets, const Movers&);
  void add_wall_pairs(SphereBlock&, std::span<const NearWall>& listed, const Movers&,
                      std::span<const std::size_t>& held, std::vector<std::size_t>& arrivals);
  void place_contacts(const Movers&, std::span<const std::size_t> arrivals);
  void place_contacts_of(SphereBlock&, const Movers&, std::span<const std::size_t> arrivals);
  Movers contacts_of_tiles() const;
  void take_legs(const std::vector<double>& numbers, Movers&) const;
  void take(const std::vector<std::uint64_t>& order, const std::vector<std::uint64_t>& pairs,
            const std::vector<double>& values, const std::vector<double>& observed, const std::vector<double>& legs);
  /// Where a contact is.
  struct Site {
    const SphereBlock& block;
    const TileHead& head;
    const SphereTile& tile;
    int lane;
    const SpherePair& pair;
  };
  template <class F>
  void for_each_contact(F) const;
  template <class F>
  void for_contacts_of(const SphereBlock&, F&&) const;
  template <class F>
  void for_keys_of(const State&, const SphereBlock&, F&&) const;
  /// f(k) for all blocks, on several threads.
  template <class F>
  void for_blocks(F&& f) const {
    parallel_for(threads_, blocks_.size(), f, share_begins_);
  }
  ContactKey key_of(const State&, const Site&) const;
  /// Position of the body of a sphere, found by its place where that is possible.
  Vec3 body_position(const State& state, std::uint32_t sphere) const {
    const ByBody<Vec3>& positions = state.bodies.evaluated_position;
    return spheres_.single ? positions.stored()[sphere] : positions[spheres_.body[sphere]];
  }
  Vec3 point_of(const State&, const Site&) const;
  Vec3 force_on_p(const Site&) const;
  void see(const State&, const Site&, const ContactKey&, ContactLoad&) const;
  void see(const State&, const Site&, const ContactKey&, ContactRecord&) const;
  template <class T>
  void see_all(const State&, std::vector<T>& out) const;
  // placing.cpp
  void place(State&);
  void place_share(State&, std::size_t first, std::size_t last, std::span<const SphereBlock>);
  void place_images(const State&);
  struct Movement {
    Vec3 moved, turned, speed, spin;  // of the body in this step; the last two times Δt
    double chord = 1;
  };
  Movement movement_of(const State&, std::size_t place) const;
  template <class Use>
  void with_writer(const State&, Use&&) const;
  void place_clusters(const State&, const SphereBlock&);
  void place_block(const State&, const SphereBlock&, SphereRows&) const;
  // contacts.cpp
  void hand_over_loads(Bodies&, const BaseLoads&, const SphereBlock&, SphereLoad*);
  /// Loads of earlier blocks are taken in early if one thread need not wait for others.
  bool takes_in_early() const { return threads_ <= 1 && spheres_.single; }
  void take_in_loads(Bodies&, const SphereBlock&) const;
  std::uint32_t sphere_at(const SphereBlock& block, std::uint32_t number) const {
    return number < block.own_spheres() ? block.first_sphere + number
                                        : outside_[block.first_outside + (number - block.own_spheres())];
  }
  Vec3 offset_of(const State&, std::size_t sphere, Quaternion) const;
  // Walls are the last bodies. walls.cpp has their functions, except for their pairs.
  const NearWall& wall_of(const SphereBlock& block, const SpherePair& pair) const {
    return walls_[wall_of_slot_[block.first_slot + (pair.q - block.spheres())]];
  }
  /// Place among the slots of its sphere and wall.
  std::uint32_t slot_of(const SphereBlock& block, const SpherePair& pair) const;
  std::size_t wall_body(const NearWall& near) const { return spheres_.order.size() + near.wall; }
  /// Numbers of the bodies of a pair.
  std::pair<std::size_t, std::size_t> bodies_of(const SphereBlock& block, const SpherePair& pair) const {
    const std::size_t p = spheres_.body[sphere_at(block, pair.p)];
    return {p, block.is_wall(pair) ? wall_body(wall_of(block, pair)) : spheres_.body[sphere_at(block, pair.q)]};
  }
  laws::Hertz hertz_of(const SphereBlock&, const SpherePair&) const;
  Vec3 branch_to_wall(const State&, std::size_t sphere, const SphereTile&, int lane) const;
  void meet_walls(const State&, const SphereBlock&, TileHead&, SphereRows&, Scratch&, BlockSums&) const;
  void place_on_wall(const State&, const SphereBlock&, const SpherePair&, Vec3 point, SphereRows&) const;
  void hand_over_wall_loads(const State&, const SphereBlock&, const SphereRows&, const SphereLoad*);
  void add_wall_loads(Bodies&, const BaseLoads&) const;
  double* history_of(const SphereTile& tile, int lane) const {
    return tile.history + std::size_t(lane) * format_.history;
  }
  std::size_t moving_stride() const { return values_of_carried(format_.watched); }
  double normal_stiffness(const SphereTile& tile, int lane, const PairValues& m) const {
    return format_.stiffness ? tile.stiffness[lane] : m.normal_stiffness;
  }
  // forces.cpp
  void process(State&, const BaseLoads&, SphereBlock&, BlockSums&);
  void ask_for_next(const SphereBlock&, const TileHead& next, TileRequests&) const;
  void begin_scratch(SphereBlock&, Scratch&) const;
  void process_tiles(const State&, SphereBlock&, SphereRows&, SphereLoad*, BlockSums&);
  void change_contacts(const State&, const SphereRows&, SphereBlock&, TileHead&, std::uint64_t touching, Scratch&,
                       BlockSums&);
  void book_lost(const SphereRows&, SphereBlock&, const TileHead&, const SphereTile& lost,
                 std::span<const std::uint32_t> pairs, BlockSums&) const;
  void book_cell_work(const TileHead&, const SphereTile&, double& sum) const;
  void start_contact(const State&, const SphereBlock&, const SpherePair&, std::uint32_t facet, const SphereTile&,
                     int lane) const;
  void set_coefficients(SphereColumns&, laws::Block&, int count) const;
  void set_damping(const SphereBlock&, const SpherePair&, const SphereTile&, int lane) const;
  void set_damping_form(SphereColumns&) const;
  void move(const SphereTile&, SphereColumns&, laws::Block&) const;
  void transport_histories(const SphereTile&, const SphereColumns&) const;
  double push_along_normal(double left, const SphereColumns&, const laws::Block&, int k) const;
  void push_along_normals(const SphereTile&, const SphereColumns&, laws::Block&, const double* left_before,
                          ContactWork&) const;
  void damp_rotation(const SphereBlock&, const SphereTile&, SphereColumns&, Vec3* couples, BlockSums&) const;
  bool books_couples() const { return ledger_ && table_.rotational_damping != 0; }
  Vec3 couple_at_start(const SphereBlock&, const SphereColumns&, int k) const;
  SphereInput input(const SphereRows&) const;

  // Choices, fixed for the run.
  ContactChoice choice_;
  PairTable table_;
  laws::LawChoice law_;  // with the history of the stage
  TileFormat format_;
  laws::StepFlags step_flags_;
  SphereChoices movement_;
  const SphereKernels* kernels_ = nullptr;
  bool follows_frame_ = true, ledger_ = true;
  Watch watch_ = Watch::energies;
  std::uint64_t order_interval_ = 0;
  int threads_ = 1;
  double far_away_ = 80;  // ns

  // Bodies and component spheres, in storage order.
  ComponentSpheres spheres_;
  Places places_;                            // the same order; null if it is that of the numbers
  std::uint64_t ordered_at_ = 0;             // step of the last renewal
  std::vector<double> radius_;               // m
  SphereRows cluster_rows_;                  // clusters only, like the offsets
  std::vector<Vec3> offset_;                 // from the centroid, in space, at the last evaluation (m)
  bool offsets_known_ = false;               // offset_ holds in the present storage order
  ByBody<Vec3> start_moved_, start_turned_;  // r_1 at the start of the step, where something needs it

  // Pairs and contacts.
  SphereCandidates candidates_;
  std::vector<SpherePair> pairs_;
  std::vector<std::array<std::int16_t, 3>> images_;
  std::vector<ImageRow> image_rows_;  // by number of the image
  std::vector<Vec3> shift_before_, cell_moved_;
  bool cell_moves_ = false;
  std::vector<SphereBlock> blocks_;
  std::vector<BlockSums> sums_;
  std::vector<std::size_t> share_begins_;  // first block of each thread's share
  std::vector<TileHead> heads_;
  std::vector<std::uint32_t> outside_;  // spheres, block by block
  std::vector<OutsideLoad> outside_loads_;
  SphereBorder border_;
  std::vector<IncomingLoad> incoming_;
  std::vector<NearWall> walls_;              // block by block
  std::vector<std::uint32_t> facets_;        // of walls_
  std::vector<std::uint32_t> wall_of_slot_;  // in walls_
  std::vector<OutsideLoad> wall_loads_;      // sum of each block for each wall
  std::size_t wall_count_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> went_through_;
  bool fetches_ahead_ = false;
  double merge_error_ = 0;  // HistoryMemory
  bool evaluated_ = false;  // false until the first evaluation: no movement, no work
};

/// Calls f(Site) for the contacts of a block in their order.
template <class F>
void SphereContacts::for_contacts_of(const SphereBlock& block, F&& f) const {
  for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) {
    const TileHead& head = heads_[t];
    const SphereTile tile = block.tile(format_, head);
    int lane = 0;
    for (std::uint64_t left = head.touching; left != 0; left &= left - 1)
      f(Site{block, head, tile, lane++, pairs_[head.first_pair + std::uint32_t(std::countr_zero(left))]});
  }
}

/// Calls f(Site) for all contacts in their order.
template <class F>
void SphereContacts::for_each_contact(F f) const {
  for (const SphereBlock& block : blocks_) for_contacts_of(block, f);
}

}  // namespace dem
