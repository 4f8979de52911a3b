// All contacts of an assembly of spheres and rigid clusters of spheres. What is laid out how: sphere_layout.hpp.
//
// A step: places and movements of the component spheres in storage order; block by block, tile by tile: which pairs touch, how they moved,
// the law, forces added up within the block; then every block takes in what others added up for its spheres, and bodies get their sums.
// A contact knows component spheres only; a body adds the torque of its spheres' offsets.
//
// Order. The storage order is renewed on a schedule of steps and saved. Blocks, tiles and contacts follow it, each contact is worked out
// from its own data, and sums run over contacts in that order; candidates that do not touch add nothing. So no bit depends on the
// number of threads, the skin or the steps at which the list was built.
//
// Ledger. The work of a contact is that of its own movement: elastic normal the change of ½ k_n ζ²; tangential what the law says; dashpots
// the trapezoid of force over the change of overlap and the tangential movement.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "libdem/contacts/contact_engine.hpp"
#include "libdem/contacts/pair_coefficients.hpp"
#include "libdem/contacts/sphere_candidates.hpp"
#include "libdem/contacts/sphere_kernels.hpp"
#include "libdem/contacts/sphere_layout.hpp"
#include "libdem/contacts/sphere_materials.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {

class SphereContacts : public ContactEngine {
 public:
  /// Throws std::invalid_argument where the choices make no sense together (an unknown law, a transport the law does not know).
  SphereContacts(const Case&, const State&);
  std::unique_ptr<ContactEngine> clone() const override { return std::make_unique<SphereContacts>(*this); }

  void find_candidates(const State&) override;
  std::uint64_t list_builds() const override { return candidates_.builds(); }
  ContactWork evaluate(State&) override;
  void note_start_velocities(const State&) override;
  Tensor3 virial(const State&) const override;
  void override_friction(std::optional<double> friction) override { friction_override_ = friction; }

  std::size_t size() const override;
  double stored_normal() const override;
  double stored_tangential() const override;
  bool has_potential() const override { return follows_frame_; }
  void records(const State&, std::vector<ContactRecord>& out) const override;

  void save(ArchiveWriter&) const override;
  void load(const ArchiveReader&) override;
  void hash(StateHash&) const override;

  /// Another set of kernels ("generic", "avx2", "avx512"), for tests and benchmarks; false when the processor lacks it.
  bool use_kernels(const char* name);
  std::size_t pairs() const { return pairs_.size(); }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  struct Scratch {
    SphereColumns columns;
    laws::Block block;
  };
  struct BlockSums {
    ContactWork work, lost;
  };
  /// Contacts on their way from one list of pairs to the next, or to and from a file.
  struct Moving {
    std::uint32_t low = 0, high = 0;             // places in the storage order
    std::array<std::int16_t, 3> image{};         // of `high`
    std::uint16_t sliding = 0;
    std::size_t values = 0;                      // number of the contact in the list of values
  };
  struct Movers {
    std::vector<Moving> contacts;
    std::vector<double> values;                  // stride() a contact
  };

  // sphere_bookkeeping.cpp
  std::vector<std::uint32_t> set_order(std::vector<std::uint32_t> order);
  void renumber(Movers&, std::span<const std::uint32_t> new_place) const;
  void set_pairs(std::span<const geometry::CandidatePair>, const Movers&);
  std::size_t stride() const;
  Movers contacts_of_tiles() const;
  double* put_values(std::size_t tile, int lane, const double* from);
  template <class F> void for_each_contact(F) const;
  // sphere_contacts.cpp
  void place(State&);
  void place_images(const State&);
  void place_bodies(State&, const SphereBlock&);
  void gather_loads(Bodies&, const SphereBlock&);
  Vec3 offset_of(const State&, std::size_t sphere, Quaternion) const;
  static Vec3 force_on_q(const SphereTile& tile, int k) {
    const Vec3 n{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]}, e{tile.direction_x[k], tile.direction_y[k], tile.direction_z[k]};
    return tile.force_n[k] * n + tile.force_1[k] * e + tile.force_2[k] * cross(n, e);
  }
  // sphere_forces.cpp
  void process(const State&, const SphereBlock&, BlockSums&);
  void change_contacts(const State&, std::size_t tile, std::uint64_t touching, Scratch&, BlockSums&);
  void book_lost(const TileHead&, const SphereTile& lost, const SphereTileViscous&, std::span<const std::uint32_t> pairs,
                 double* history, BlockSums&) const;
  void start_contact(const State&, const SpherePair&, SphereTile&, int lane) const;
  void set_coefficients(SphereColumns&, laws::Block&, int count) const;
  void set_dampings(SphereColumns&, laws::Block&) const;
  void transport_histories(std::size_t tile, const SphereColumns&, laws::Block&);
  void damp_rotation(SphereColumns&, SphereLoad*, BlockSums&) const;
  SphereInput input() const;
  double* history(std::size_t tile) { return history_.data() + tile * tile_size * history_size_; }
  const double* history(std::size_t tile) const { return history_.data() + tile * tile_size * history_size_; }

  // Choices, fixed for the run.
  ContactChoice choice_;
  SphereMaterials materials_;
  double rotational_damping_ = 0;
  const laws::LawEntry* law_ = nullptr;
  std::size_t history_size_ = 0;
  laws::LawOptions law_options_;
  SphereChoices movement_;
  const SphereKernels* kernels_ = nullptr;
  bool follows_frame_ = true, ledger_ = true;
  std::uint64_t order_interval_ = 0;
  int threads_ = 1;
  std::optional<double> friction_override_;

  // Bodies and component spheres, in storage order.
  ComponentSpheres spheres_;
  std::uint64_t ordered_at_ = 0;  // step of the last renewal
  std::vector<SpherePlace> place_, opposite_;  // the latter: −position, radius
  std::vector<SphereMove> moved_, turned_, speed_, spin_;
  std::vector<Vec3> offset_;      // from the centroid, in space; clusters only (m)
  std::vector<Vec3> start_moved_, start_turned_;  // r_1 at the start of the step, for the velocity sources that need it

  // Pairs and contacts.
  SphereCandidates candidates_;
  std::vector<SpherePair> pairs_;
  std::vector<double> pair_damping_;  // γ_n (kg/s), where it depends on the masses
  std::vector<std::array<std::int16_t, 3>> images_;
  std::vector<SphereMove> shift_, shift_moved_, shift_speed_;  // by number of the image
  std::vector<Vec3> shift_before_, cell_moved_;
  bool cell_moves_ = false;
  std::vector<SphereBlock> blocks_;
  std::vector<BlockSums> sums_;
  std::vector<TileHead> heads_;
  std::vector<SphereTile> tiles_;
  std::vector<SphereTileViscous> viscous_;        // with the ledger
  std::vector<double> history_, out_of_plane_;    // the latter for transport `none`
  std::vector<SphereLoad> loads_;
  std::vector<IncomingLoad> incoming_;
  bool evaluated_ = false;  // false until the first evaluation: no movement, no work
};

}  // namespace dem
