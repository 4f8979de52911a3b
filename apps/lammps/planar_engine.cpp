// Contacts of discs and polygons on their way. In a luggage each is {number of the partner, record …, history …}. The
// words of the record stand in places of doubles, and are only copied. Parts of one overlap are contacts of their own.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "apps/lammps/decomposition.hpp"
#include "apps/lammps/part_engine.hpp"
#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/state/groups.hpp"

namespace dem {
namespace {

constexpr std::size_t record = sizeof(PlanarContact) / sizeof(double);

/// Names of the counts of contact planes, in the order of PlanarEngine::counts_.
constexpr std::array count_names{"contacts/undefined_planes", "contacts/plane_jumps", "contacts/merging_jumps"};
using Counts = std::array<double, count_names.size()>;

Counts counts_of(const PlanarContacts& engine) {
  return {double(engine.undefined_planes()), double(engine.plane_jumps()), double(engine.merging_plane_jumps())};
}

class PlanarEngine final : public PartEngine {
 public:
  PlanarEngine(const Case& given, const State& state, const ContactEngine& whole, int rank)
      : engine_(given, state), builds_before_(whole.list_builds()) {
    if (rank == 0) before_ = counts_of(dynamic_cast<const PlanarContacts&>(whole));
  }
  ContactEngine& contacts() override { return engine_; }

  void pack(const ContactEngine& from, const std::function<Luggage*(std::uint32_t)>& luggage_of,
            const std::function<std::uint32_t(std::uint32_t)>& number_of) override {
    const PlanarContacts::Movers movers = dynamic_cast<const PlanarContacts&>(from).carried();
    const std::size_t h = engine_.history_size();
    for (std::size_t k = 0; k < movers.contacts.size(); ++k) {
      const PlanarContact& contact = movers.contacts[k];
      Luggage* const luggage = luggage_of(contact.key.i);
      if (!luggage) continue;
      luggage->push_back(number_of(contact.key.j));
      luggage->resize(luggage->size() + record);
      std::memcpy(luggage->data() + luggage->size() - record, &contact, sizeof contact);
      luggage->insert(luggage->end(), movers.history.begin() + std::ptrdiff_t(k * h),
                      movers.history.begin() + std::ptrdiff_t((k + 1) * h));
    }
  }

  void for_each_partner(const Luggage& luggage, const std::function<void(std::uint32_t)>& f) const override {
    for (std::size_t at = 0; at < luggage.size(); at += 1 + record + engine_.history_size())
      f(std::uint32_t(luggage[at]));
  }

  /// In the plane places are numbers.
  std::vector<std::uint32_t> order(const State&, std::size_t own, std::size_t ghosts) const override {
    std::vector<std::uint32_t> all(own + ghosts);
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }

  void take(const Case& given, State& state, Delivery delivery,
            const std::function<std::uint32_t(std::uint32_t)>& local_of) override {
    Sorted sorted(engine_.history_size());
    for (std::uint32_t b = 0; b < delivery.own; ++b) {
      sorted.add(b, *delivery.luggage[b], local_of);
      delivery.luggage[b]->clear();
    }
    // Walls have the highest numbers: each body is paired with them behind its other partners.
    std::vector<geometry::CandidatePair> pairs;
    auto pair = delivery.pairs.begin();
    for (std::uint32_t b = 0; b < delivery.own; ++b) {
      for (; pair != delivery.pairs.end() && pair->i == b; ++pair) pairs.push_back(*pair);
      if (is_boundary(state, b)) continue;
      for (std::size_t wall = delivery.order.size(); wall < state.bodies.size(); ++wall)
        pairs.push_back({b, std::uint32_t(wall), {}});
    }
    engine_.take_part(given, state, pairs, sorted.movers());
  }

  void share_counts(const Decomposition& ranks) override {
    counts_ = counts_of(engine_);
    for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += before_[k];
    ranks.sum(counts_);
  }

  void collect(MemoryArchive& archive, std::span<const Carried> grains, std::size_t) const override {
    Sorted sorted(engine_.history_size());
    for (const auto& [number, luggage] : grains)
      sorted.add(std::uint32_t(number), luggage, [](std::uint32_t partner) { return partner; });
    const PlanarContacts::Movers all = sorted.movers();
    std::vector<std::uint64_t> words(record * all.contacts.size());
    if (!words.empty()) std::memcpy(words.data(), all.contacts.data(), sizeof(std::uint64_t) * words.size());
    for (auto& [name, entry] : archive.entries) {
      if (name.starts_with("contacts/records/")) entry = words;
      if (name.starts_with("contacts/history/")) entry = all.history;
    }
    for (std::size_t k = 0; k < counts_.size(); ++k) archive.put_word(count_names[k], std::uint64_t(counts_[k]));
    archive.put_word("contacts/evaluated", 1);
    archive.put_word("contacts/list_builds", builds_before_ + engine_.list_builds());
    std::vector<double>& turns = archive.numbers("contacts/turns");  // cosine and sine at the last evaluation
    const std::vector<double>& rotations = archive.numbers("bodies/evaluated_rotation");
    for (std::size_t b = 0; 2 * b < turns.size(); ++b) {
      const Turn turn = Turn::by(rotations[3 * b + 2]);
      turns[2 * b] = turn.c;
      turns[2 * b + 1] = turn.s;
    }
  }

 private:
  /// Contacts in the order of their keys.
  class Sorted {
   public:
    explicit Sorted(std::size_t history) : history_(history) {}
    template <class F>
    void add(std::uint32_t low, std::span<const double> luggage, F&& partner_of) {
      for (std::size_t at = 0; at < luggage.size(); at += 1 + record + history_) {
        PlanarContact& contact = all_.emplace_back();
        std::memcpy(static_cast<void*>(&contact), &luggage[at + 1], sizeof contact);
        contact.key.i = low;
        contact.key.j = partner_of(std::uint32_t(luggage[at]));
        const double* const history = luggage.data() + at + 1 + record;
        histories_.insert(histories_.end(), history, history + history_);
      }
    }
    PlanarContacts::Movers movers() const {
      std::vector<std::size_t> order(all_.size());
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return all_[a].key < all_[b].key; });
      PlanarContacts::Movers out;
      for (const std::size_t k : order) {
        out.contacts.push_back(all_[k]);
        const auto first = histories_.begin() + std::ptrdiff_t(k * history_);
        out.history.insert(out.history.end(), first, first + std::ptrdiff_t(history_));
      }
      return out;
    }

   private:
    std::vector<PlanarContact> all_;
    std::size_t history_;
    std::vector<double> histories_;
  };

  PlanarContacts engine_;
  std::uint64_t builds_before_;
  Counts before_{}, counts_{};  // before this run, on rank 0; of all ranks
};

}  // namespace

std::unique_ptr<PartEngine> make_planar_engine(const Case& given, const State& state, const ContactEngine& whole,
                                               int rank) {
  return std::make_unique<PlanarEngine>(given, state, whole, rank);
}

}  // namespace dem
