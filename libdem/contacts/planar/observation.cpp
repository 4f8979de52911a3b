// Contacts of the plane as observers and checkpoints see them: records, saved state.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/laws/normal/area.hpp"

namespace dem {

std::size_t PlanarContacts::size() const {
  std::size_t n = 0;
  for (const Chunk& chunk : used()) n += chunk.contacts.size();
  return n;
}

Tensor3 PlanarContacts::virial(const State& state) const {
  Tensor3 sum;
  const std::span<const Vec3> positions = state.bodies.evaluated_position.stored();
  for_contacts_by_number([&](const Chunk& chunk, std::size_t c) {
    const PlanarContact& k = chunk.contacts[c];
    const Vec2 force = force_on_j(k);
    const Vec3 branch = positions[k.key.j] + state.evaluated_cell.shift(k.key.image) - positions[k.key.i];
    sum.add(-1, spatial(force), is_wall_[k.key.j] ? spatial(k.point) : branch);
  });
  return sum;
}

ContactLoad PlanarContacts::load_of(const State& state, const PlanarContact& contact) const {
  const ContactKey& key = contact.key;
  const std::span<const Vec3> positions = state.bodies.evaluated_position.stored();
  ContactLoad load;
  load.key = order_.named(key);
  load.normal = spatial(contact.normal);
  load.force = spatial(-force_on_j(contact));
  // For a wall the branch ends on its face: the position of an infinite wall has no meaning for a stress.
  load.branch = is_wall_[key.j] ? spatial(contact.point)
                                : positions[key.j] + state.evaluated_cell.shift(key.image) - positions[key.i];
  load.overlap = contact.overlap;
  const double limit = table_.friction(table_.of(key.i, key.j)) * contact.normal_elastic;
  if (limit > 0) load.mobilised = std::abs(contact.tangential_elastic) / limit;
  load.regime = contact.sliding ? Regime::slip : Regime::stick;
  return load;
}

void PlanarContacts::loads(const State& state, std::vector<ContactLoad>& out) const {
  out.clear();
  for_contacts_by_number([&](const Chunk& chunk, std::size_t k) { out.push_back(load_of(state, chunk.contacts[k])); });
}

void PlanarContacts::records(const State& state, std::vector<ContactRecord>& out) const {
  out.clear();
  if (out.capacity() < candidates_.size()) out.reserve(candidates_.capacity());
  for_contacts_by_number([&](const Chunk& chunk, std::size_t k) {
    const PlanarContact& contact = chunk.contacts[k];
    const ContactKey& key = contact.key;
    ContactRecord r;
    static_cast<ContactLoad&>(r) = load_of(state, contact);
    r.point = state.bodies.evaluated_position.stored()[key.i] + spatial(contact.point);
    r.area = contact.area;
    r.plane_angle = geometry::wrap_line_angle(std::atan2(contact.normal.x, -contact.normal.y));
    r.normal_force = contact.normal_elastic + contact.normal_viscous;
    r.tangential_force = (contact.tangential_elastic + contact.tangential_viscous) * contact.tangential_line.scale;
    const PairValues& springs = table_.of(key.i, key.j);
    const laws::ContactSprings of_law{springs.tangential_stiffness, 0, 0, 0, contact.tangent_stiffness};
    double elongation[2];
    law_->elongation(chunk.history.data() + k * std::size_t(law_->history_size), nullptr, of_law, elongation);
    r.elongation = elongation[0];
    r.normal_stiffness = contact.tangent_stiffness;
    if (!has_potential_)  // an area potential acts along the chord, discs along their branch
      r.rocking_stiffness = laws::AreaOverLength{springs.normal_stiffness, table_.length(key.i, key.j)}.rocking(
          contact.tangent_stiffness);
    r.tangential_stiffness = contact.sliding ? 0 : law_->tangent(law_.data(), of_law);
    r.normal_damping = contact.normal_damping;
    r.tangential_damping = contact.sliding && !choice_.damp_while_sliding ? 0 : contact.tangential_damping;
    r.stored_normal = contact.stored_normal;
    r.stored_tangential = contact.stored_tangential;
    out.push_back(r);
  });
}

void PlanarContacts::fields(FieldVisitor& f) {
  constexpr std::size_t record = sizeof(PlanarContact) / sizeof(std::uint64_t);
  std::vector<std::uint64_t> contacts;
  std::vector<double> history, angles;
  // First all contacts, then all histories, by numbers: the ends of the chunks and the places must not show.
  if (f.reads()) {
    const Movers all = carried();
    contacts.resize(record * all.contacts.size());
    if (!contacts.empty())
      std::memcpy(contacts.data(), all.contacts.data(), sizeof(PlanarContact) * all.contacts.size());
    history = all.history;
    if (watch_all_)
      for_contacts_by_number([&](const Chunk& chunk, std::size_t k) {
        angles.insert(angles.end(), chunk.planes[k].begin(), chunk.planes[k].end());
      });
  }
  f.list(fmt::format("records/{}", record), contacts);
  f.list(fmt::format("history/{}/{}", law_->name, law_->history_size), history);
  f.flag("evaluated", evaluated_, Hashed::no);
  f("undefined_planes", undefined_planes_, Hashed::no);
  f("plane_jumps", plane_jumps_, Hashed::no);
  f("merging_jumps", merging_jumps_, Hashed::no);
  std::uint64_t builds = finder_.builds();
  f("list_builds", builds, Hashed::no);
  if (watch_all_) {
    f.list("planes", angles, Hashed::no);
    f.words("jumps_of_each_plane", jumps_of_plane_, Hashed::no);
  }
  f("turns", turn_before_, Hashed::no);
  if (!f.loads()) return;

  const std::size_t count = contacts.size() / record;
  if (contacts.size() % record != 0 || history.size() != count * std::size_t(law_->history_size) ||
      (watch_all_ && angles.size() != count * geometry::contact_planes.size()))
    throw std::runtime_error("the checkpoint does not fit the case: contacts of another size");
  Movers all{std::vector<PlanarContact>(count), std::move(history)};
  if (count > 0) std::memcpy(static_cast<void*>(all.contacts.data()), contacts.data(), sizeof(PlanarContact) * count);
  std::vector<PlaneAngles> planes(watch_all_ ? count : 0);
  if (!planes.empty()) std::memcpy(planes.data(), angles.data(), angles.size() * sizeof(double));
  to_places(all, planes);
  for (PlanarContact& c : all.contacts) {  // the dampings of this case: that of the file may have had others
    c.normal_damping = table_.normal_damping(c.key.i, c.key.j);
    c.tangential_damping = table_.tangential_damping(c.normal_damping, table_.of(c.key.i, c.key.j));
  }
  hold(std::move(all));
  if (watch_all_) chunks_[0].planes = std::move(planes);
  finder_.set_builds(builds);
  finder_.forget();
}

std::size_t PlanarContacts::archive_bytes() const {
  std::size_t bytes = 1024 + turn_before_.size() * sizeof(Turn);
  for (const Chunk& chunk : used())
    bytes +=
        chunk.contacts.size() * (sizeof(PlanarContact) + sizeof(PlaneAngles)) + chunk.history.size() * sizeof(double);
  return bytes;
}

}  // namespace dem
