// The contacts of a rank's part as drivers and stages see them: sums are those of the whole assembly.
//
// A contact belongs to the rank that owns the grain of the lower number, and that rank alone computes it. So each
// contact is computed once, with the bits of one process, and each work is booked once. Loads on ghosts go back to
// their owners.
#pragma once
#include "apps/lammps/decomposition.hpp"
#include "apps/lammps/exchange.hpp"
#include "apps/lammps/part_engine.hpp"

namespace dem {

class PartContacts final : public ContactEngine {
 public:
  PartContacts(std::unique_ptr<PartEngine> of_rank, const Decomposition& ranks, Exchange& exchange)
      : part(std::move(of_rank)), inner_(part->contacts()), ranks_(ranks), exchange_(exchange) {}
  std::unique_ptr<ContactEngine> clone() const override { throw std::logic_error("a part has no copy"); }

  void find_candidates(State&) override { throw std::logic_error("the part finds its candidates itself"); }
  std::uint64_t list_builds() const override { return inner_.list_builds(); }
  void make_room() override { inner_.make_room(); }
  ContactWork evaluate(State& state, const BaseLoads& loads) override { return inner_.evaluate(state, loads); }
  void damp_velocities(bool on) override { inner_.damp_velocities(on); }
  void note_start_velocities(const State& state) override { inner_.note_start_velocities(state); }
  void watch(Watch watch) override { inner_.watch(watch); }
  bool has_forces() const override { return inner_.has_forces(); }
  EvaluationTimes times() const override { return inner_.times(); }
  Tensor3 virial(const State& state) const override {
    Tensor3 sum = inner_.virial(state);
    add_other_parts({&sum.m[0][0], 9});
    return sum;
  }
  void override_friction(std::optional<double> friction) override { inner_.override_friction(friction); }
  /// The energy that the springs of this rank held; the books of the ranks are added up later.
  double set_history(std::optional<TangentialHistory> history) override { return inner_.set_history(history); }
  void resume_history(std::optional<TangentialHistory> history) override { inner_.resume_history(history); }
  std::optional<std::pair<std::size_t, std::size_t>> went_through() const override { return inner_.went_through(); }
  std::size_t size() const override { return inner_.size(); }  ///< of this rank
  std::optional<HistoryMemory> history_memory() const override { return inner_.history_memory(); }
  double stored_normal() const override { return inner_.stored_normal(); }          ///< of this rank
  double stored_tangential() const override { return inner_.stored_tangential(); }  ///< of this rank
  bool has_potential() const override { return inner_.has_potential(); }
  /// Those of this rank.
  void records(const State& state, std::vector<ContactRecord>& out) const override { inner_.records(state, out); }
  void loads(const State& state, std::vector<ContactLoad>& out) const override { inner_.loads(state, out); }
  void fields(FieldVisitor& f) override { inner_.fields(f); }
  std::size_t archive_bytes() const override { return inner_.archive_bytes(); }
  void add_other_parts(std::span<double> sums) const override { ranks_.sum(sums); }
  void add_other_parts_by_body(std::span<double> numbers) const override { exchange_.add_to_owners(numbers, body_at); }

  const std::unique_ptr<PartEngine> part;
  std::span<const std::uint32_t> body_at;  ///< numbers of the bodies, by place

 private:
  ContactEngine& inner_;
  const Decomposition& ranks_;
  Exchange& exchange_;
};

}  // namespace dem
