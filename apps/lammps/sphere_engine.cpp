// Contacts of spheres on their way. In a luggage each is
// {number of the partner, image (3), sliding, count of legs, values …, legs (3 each) …}.
#include <algorithm>
#include <array>
#include <tuple>

#include "apps/lammps/decomposition.hpp"
#include "apps/lammps/part_engine.hpp"
#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/state/spatial_order.hpp"

namespace dem {
namespace {

constexpr std::size_t head = 6;  // numbers before the values

void append(Luggage& to, std::uint32_t partner, const SphereContacts::Moving& m, std::span<const double> values,
            std::span<const laws::Leg> legs) {
  to.insert(to.end(), {double(partner), double(m.image[0]), double(m.image[1]), double(m.image[2]), double(m.sliding),
                       double(legs.size())});
  to.insert(to.end(), values.begin(), values.end());
  for (const laws::Leg& leg : legs) to.insert(to.end(), {leg.z, leg.p_1, leg.p_2});
}

class SphereEngine final : public PartEngine {
 public:
  SphereEngine(const Case& given, const State& whole, const ContactEngine& of_whole) : engine_(given, whole) {
    if (const auto memory = of_whole.history_memory()) merge_error_before_ = memory->merge_error;
  }
  ContactEngine& contacts() override { return engine_; }

  void pack(const ContactEngine& from, const std::function<Luggage*(std::uint32_t)>& luggage_of,
            const std::function<std::uint32_t(std::uint32_t)>& number_of) override {
    const SphereContacts::Movers movers = dynamic_cast<const SphereContacts&>(from).carried();
    watched_ = movers.watched;
    const std::size_t stride = engine_.values_of_carried(watched_);
    for (const SphereContacts::Moving& m : movers.contacts) {
      Luggage* const luggage = luggage_of(m.low);
      if (!luggage) continue;
      const std::span values(movers.values.data() + m.values * stride, stride);
      append(*luggage, number_of(m.high), m, values,
             std::span(movers.legs).subspan(m.legs, engine_.legs_of_carried(values.data())));
    }
  }

  void for_each_partner(const Luggage& luggage, const std::function<void(std::uint32_t)>& f) const override {
    const std::size_t stride = engine_.values_of_carried(watched_);
    for (std::size_t at = 0; at < luggage.size(); at += head + stride + 3 * std::size_t(luggage[at + 5]))
      f(std::uint32_t(luggage[at]));
  }

  std::vector<std::uint32_t> order(const State& state, std::size_t own, std::size_t ghosts) const override {
    std::vector<std::uint32_t> all;
    const std::vector<Vec3> positions = state.bodies.position[0].by_number();
    for (const std::uint32_t b : spatial_order(std::span(positions).first(own), state.cell)) all.push_back(b);
    for (const std::uint32_t b : spatial_order(std::span(positions).subspan(own, ghosts), state.cell))
      all.push_back(std::uint32_t(own + b));
    return all;
  }

  void take(const Case& given, State& state, Delivery delivery,
            const std::function<std::uint32_t(std::uint32_t)>& local_of) override {
    SphereContacts::Movers movers;
    movers.watched = watched_;
    const std::size_t stride = engine_.values_of_carried(watched_);
    for (std::uint32_t b = 0; b < delivery.own; ++b) {
      Luggage& luggage = *delivery.luggage[b];
      for (const double* at = luggage.data(); at < luggage.data() + luggage.size();) {
        SphereContacts::Moving m;
        m.low = b;
        m.high = local_of(std::uint32_t(at[0]));
        m.image = {std::int16_t(at[1]), std::int16_t(at[2]), std::int16_t(at[3])};
        m.sliding = std::uint16_t(at[4]);
        m.values = movers.contacts.size();
        m.legs = movers.legs.size();
        const auto legs = std::size_t(at[5]);
        at += head;
        movers.values.insert(movers.values.end(), at, at + stride);
        at += stride;
        for (std::size_t k = 0; k < legs; ++k, at += 3) movers.legs.push_back({at[0], at[1], at[2]});
        movers.contacts.push_back(m);
      }
      luggage.clear();
    }
    engine_.take_part(given, state, std::move(delivery.order), delivery.own, std::move(delivery.pairs),
                      std::move(movers));
  }

  void share_counts(const Decomposition& ranks) override {
    const auto memory = engine_.history_memory();
    std::array error{std::max(merge_error_before_, memory ? memory->merge_error : 0.0)};
    ranks.largest(error);
    merge_error_ = error[0];
  }

  /// Contacts by places in the storage order of the archive, as a simulation saves them.
  void collect(MemoryArchive& archive, std::span<const Carried> grains, std::size_t first_wall) const override {
    const auto order = archive.integers("contacts/order");
    std::vector<std::uint64_t> place(order.size());
    for (std::size_t at = 0; at < order.size(); ++at) place[order[at]] = at;
    const std::size_t stride = engine_.values_of_carried(watched_), state = engine_.values_of_carried(false);
    struct Found {
      std::uint64_t low, high;
      Image image;
      const double* at;
      auto key() const { return std::tie(low, high, image); }
    };
    std::vector<Found> all;
    for (const auto& [number, luggage] : grains)
      for (const double* at = luggage.data(); at < luggage.data() + luggage.size();) {
        Found c{place[number], 0, {std::int16_t(at[1]), std::int16_t(at[2]), std::int16_t(at[3])}, at};
        const auto partner = std::size_t(at[0]);
        c.high = partner < first_wall ? place[partner] : partner;
        if (c.low > c.high) {
          std::swap(c.low, c.high);
          for (std::int16_t& k : c.image) k = std::int16_t(-k);
        }
        all.push_back(c);
        at += head + stride + 3 * std::size_t(at[5]);
      }
    std::ranges::sort(all, {}, &Found::key);
    std::vector<std::uint64_t> pairs;
    std::vector<double> values, observed, legs;
    for (const Found& c : all) {
      const auto half = [](std::int16_t k) { return std::uint64_t(std::uint16_t(k)); };
      pairs.push_back(c.low << 32 | c.high);
      pairs.push_back(half(c.image[0]) | half(c.image[1]) << 16 | half(c.image[2]) << 32 |
                      std::uint64_t(c.at[4]) << 48);
      const double* const first = c.at + head;
      values.insert(values.end(), first, first + state);
      observed.insert(observed.end(), first + state, first + stride);
      legs.insert(legs.end(), first + stride, first + stride + 3 * std::size_t(c.at[5]));
    }
    archive.put("contacts/pairs", pairs);
    archive.put("contacts/observed", observed);
    if (archive.has("contacts/legs")) archive.put("contacts/legs", legs);
    for (auto& [name, entry] : archive.entries)
      if (name.starts_with("contacts/values/")) entry = values;
    archive.put_word("contacts/evaluated", 1);
    archive.put_word("contacts/watched", watched_ ? 1 : 0);
    archive.put_word("contacts/list_builds", engine_.list_builds());
    if (archive.has("contacts/merge_error")) archive.put("contacts/merge_error", std::span(&merge_error_, 1));
  }

 private:
  SphereContacts engine_;
  bool watched_ = false;                             // contacts that are packed have what observers see
  double merge_error_before_ = 0, merge_error_ = 0;  // before this run; of all ranks so far
};

}  // namespace

std::unique_ptr<PartEngine> make_sphere_engine(const Case& given, const State& state, const ContactEngine& whole) {
  return std::make_unique<SphereEngine>(given, state, whole);
}

}  // namespace dem
