// Finds the contacts of one candidate pair: overlap, plane, elastic normal force.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/contact_plane.hpp"
#include "libdem/contacts/planar/component_matching.hpp"
#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/laws/normal/area.hpp"
#include "libdem/laws/normal/spring.hpp"

namespace dem {
namespace {

/// Below this share of the perimeter the gradient of the area is round-off: the plane is undefined (containment).
constexpr double gradient_tolerance = 1e-12;

ContactKey key_of(const geometry::CandidatePair& pair, std::uint16_t feature) {
  return {pair.i, pair.j, pair.image, feature};
}

}  // namespace

/// One row per pair of planar shapes: a body and its partner.
struct PlanarContacts::ShapePair {
  ShapeKind body;
  bool wall;
  Finder find;
};

PlanarContacts::Finder PlanarContacts::finder_of(ShapeKind body, bool wall) {
  static constexpr ShapePair pairs[]{
      {ShapeKind::disc, false, &PlanarContacts::find_discs},
      {ShapeKind::disc, true, &PlanarContacts::find_disc_on_wall},
      {ShapeKind::polygon, false, &PlanarContacts::find_polygons},
      {ShapeKind::polygon, true, &PlanarContacts::find_polygon_on_wall},
  };
  for (const ShapePair& pair : pairs)
    if (pair.body == body && pair.wall == wall) return pair.find;
  throw std::invalid_argument("the plane has contacts of discs and polygons only");
}

void PlanarContacts::find(Scratch& scratch, const Pair& pair, OldContacts old) {
  if ((this->*finders_[is_wall_[pair.j]])(scratch, pair, old)) return;
  for (std::size_t o = old.first; o < old.end; ++o) book_lost(scratch, scratch.before[o]);
}

[[gnu::always_inline]] inline void PlanarContacts::add_disc_contact(Scratch& scratch, const Pair& pair, OldContacts old,
                                                                    Vec2 branch, Vec2 normal, double overlap) {
  Chunk& chunk = *scratch.chunk;
  PlanarContact& c = chunk.contacts.emplace_back();
  c.key = key_of(pair, 0);
  c.normal = normal;
  c.overlap = overlap;
  c.point = (frames_[pair.i].radius - 0.5 * overlap) * normal;  // the middle of the overlap
  const laws::Spring spring{table_.of(pair.i, pair.j).normal_stiffness};
  c.normal_elastic = spring.force(overlap);
  c.stored_normal = spring.stored(overlap);
  c.tangent_stiffness = spring.tangent(overlap);
  c.elastic_line = through_point(normal, c.point, c.point - branch);
  scratch.continued.push_back(old.end > old.first ? int(old.first) : -1);
}

bool PlanarContacts::find_discs(Scratch& scratch, const Pair& pair, OldContacts old) {
  const BodyFrame &i = frames_[pair.i], &j = frames_[pair.j];
  const Vec2 branch = j.position + image_shift(pair.image) - i.position;
  const double reach = i.radius + j.radius, squared = dot(branch, branch);
  if (!(squared < reach * reach)) return false;
  const double distance = std::sqrt(squared), overlap = reach - distance;
  if (!(overlap > 0)) return false;
  add_disc_contact(scratch, pair, old, branch, distance > 0 ? (1 / distance) * branch : Vec2{1, 0}, overlap);
  return true;
}

bool PlanarContacts::find_disc_on_wall(Scratch& scratch, const Pair& pair, OldContacts old) {
  const BodyFrame &i = frames_[pair.i], &wall = frames_[pair.j];
  const Vec2 branch = wall.position + image_shift(pair.image) - i.position, normal = -wall.turn(Vec2{1, 0});
  const double overlap = i.radius - dot(branch, normal);
  if (!(overlap > 0)) return false;
  add_disc_contact(scratch, pair, old, branch, normal, overlap);
  return true;
}

/// The overlaps of all pairs of the chunk that cross where they did before, in vector lanes.
void PlanarContacts::overlap_remembered(Scratch& scratch) {
  RememberedOverlaps& known = scratch.remembered;
  known.pairs.clear();
  const Chunk& chunk = *scratch.chunk;
  for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) {
    const std::size_t of_chunk = p - chunk.first_pair;
    known.component_of[of_chunk] = -1;
    if (memories_[p].found != geometry::ConvexMemory::Found::crossings) continue;
    const Pair& pair = candidates_[p];
    const Vec2 shift = image_shift(pair.image);
    if (!stay_convex(pair) || !reach_each_other(pair, shift)) continue;
    const geometry::PlacedPolygon &i = placed_[pair.i], &j = placed_[pair.j];
    const geometry::Box box{j.box.low + shift, j.box.high + shift};
    if (!i.box.overlaps(box)) continue;
    known.pair_of[known.pairs.size()] = std::uint8_t(of_chunk);
    known.pairs.push_back(
        {i.vertices, j.vertices, shift, geometry::centre(geometry::common_part(i.box, box)), memories_[p]});
  }
  if (known.pairs.empty()) return;
  std::uint64_t found = geometry::overlaps_at_crossings(known.pairs, want_boundary_, known.overlaps);
  for (std::size_t k = 0; found != 0; ++k, found >>= 1)
    if (found & 1) known.component_of[known.pair_of[k]] = std::int16_t(k);
}

/// False if the bounding circles of two bodies do not meet.
bool PlanarContacts::reach_each_other(const Pair& pair, const Vec2& shift) const {
  const Vec2 branch = frames_[pair.j].position + shift - frames_[pair.i].position;
  const double reach = bounding_radius_[pair.i] + bounding_radius_[pair.j];
  return dot(branch, branch) <= reach * reach;
}

/// True if both polygons are strictly convex as placed.
bool PlanarContacts::stay_convex(const Pair& pair) const {
  const Convexity &i = convexity_[pair.i], &j = convexity_[pair.j];
  return geometry::stays_convex(std::min(i.margin, j.margin), i.coordinates + j.coordinates);
}

bool PlanarContacts::find_polygons(Scratch& scratch, const Pair& pair, OldContacts old) {
  const Vec2 shift = image_shift(pair.image);
  const Vec2 branch = frames_[pair.j].position + shift - frames_[pair.i].position;
  if (batches_) {
    const RememberedOverlaps& known = scratch.remembered;
    const int at = known.component_of[std::size_t(&pair - candidates_.data()) - scratch.chunk->first_pair];
    if (at >= 0)
      return add_components(scratch, pair, old, branch, known.overlaps,
                            {&known.overlaps.components[std::size_t(at)], 1});
  }
  if (!reach_each_other(pair, shift)) return false;
  geometry::PlacedPolygon image = placed_[pair.j];
  image.box.low += shift;
  image.box.high += shift;
  if (!placed_[pair.i].box.overlaps(image.box)) return false;
  if (shift != Vec2{}) {
    scratch.image_vertices.assign(image.vertices.begin(), image.vertices.end());
    for (Vec2& v : scratch.image_vertices) v += shift;
    image.vertices = scratch.image_vertices;
  }
  overlap_bodies(scratch, pair, image);
  return add_components(scratch, pair, old, branch, scratch.overlap, scratch.overlap.components);
}

/// Overlap of two polygons; the image is that of j. Convex ones start from what the pair remembers.
void PlanarContacts::overlap_bodies(Scratch& scratch, const Pair& pair, const geometry::PlacedPolygon& image) {
  if (overlap_ == geometry::overlap_fast && stay_convex(pair)) {
    geometry::ConvexMemory& memory = memories_[std::size_t(&pair - candidates_.data())];
    if (memory.found == geometry::ConvexMemory::Found::crossings)
      memory = {};  // no longer there: tried with the others
    geometry::overlap_convex(placed_[pair.i], image, memory, want_boundary_, scratch.overlap);
  } else {
    overlap_(placed_[pair.i], image, scratch.overlap);
  }
}

bool PlanarContacts::find_polygon_on_wall(Scratch& scratch, const Pair& pair, OldContacts old) {
  // The part of the half-plane that the body can reach: a rectangle behind the wall's line, beside the body.
  const BodyFrame &i = frames_[pair.i], &wall = frames_[pair.j];
  const Vec2 outward = wall.turn(Vec2{1, 0}), along = turned_left(outward);
  const double reach = 2 * bounding_radius_[pair.i];
  const Vec2 foot = wall.position + dot(i.position - wall.position, along) * along;
  if (dot(i.position - foot, outward) > bounding_radius_[pair.i]) return false;
  // Counter-clockwise. If the outward normal points up: left end of the face, down, right, up to its right end.
  scratch.image_vertices = {foot + reach * along, foot + reach * along - (2 * reach) * outward,
                            foot - reach * along - (2 * reach) * outward, foot - reach * along};
  const geometry::PlacedPolygon rectangle{scratch.image_vertices, geometry::bounding_box(scratch.image_vertices), true};
  if (!placed_[pair.i].box.overlaps(rectangle.box)) return false;
  scratch.overlap.clear();
  overlap_(placed_[pair.i], rectangle, scratch.overlap);
  // The branch goes to the nearest point of the face.
  return add_components(scratch, pair, old, -dot(i.position - wall.position, outward) * outward, scratch.overlap,
                        scratch.overlap.components);
}

bool PlanarContacts::add_components(Scratch& scratch, const Pair& pair, OldContacts was, const Vec2& branch,
                                    const geometry::Overlap& overlap,
                                    std::span<const geometry::OverlapComponent> components) {
  Chunk& chunk = *scratch.chunk;
  const std::size_t first_old = was.first, end_old = was.end;
  const BodyFrame &i = frames_[pair.i], &j = frames_[pair.j];
  const std::size_t count = components.size(), old_count = end_old - first_old;
  if (count == 0) return false;

  // Which component continues which contact; the usual pair has one of each.
  const bool is_usual = count == 1 && old_count == 1;
  scratch.match.resize(count);
  for (int& match : scratch.match) match = is_usual ? 0 : -1;
  if (!is_usual && old_count > 0) {
    scratch.old_points.clear();
    scratch.new_points.clear();
    for (std::size_t o = first_old; o < end_old; ++o) scratch.old_points.push_back(scratch.before[o].point_in_i);
    for (const auto& component : components) scratch.new_points.push_back(i.turn.back(component.centroid - i.position));
    match_components(scratch.old_points, scratch.new_points, scratch.match);
    for (std::size_t o = 0; o < old_count; ++o)
      if (std::find(scratch.match.begin(), scratch.match.end(), int(o)) == scratch.match.end())
        book_lost(scratch, scratch.before[first_old + o], false);
  }

  const Vec2 shift = image_shift(pair.image);
  const double length = table_.length(pair.i, pair.j), k_n = table_.of(pair.i, pair.j).normal_stiffness;
  double pair_area = 0;
  for (const auto& component : components) pair_area += component.area;
  const std::size_t first_new = chunk.contacts.size();
  std::uint16_t unused = 0;
  for (std::size_t m = 0; m < count; ++m) {
    const geometry::OverlapComponent& component = components[m];
    const PlanarContact* old =
        scratch.match[m] >= 0 ? &scratch.before[first_old + std::size_t(scratch.match[m])] : nullptr;
    PlanarContact& c = chunk.contacts.emplace_back();
    scratch.continued.push_back(old ? int(first_old) + scratch.match[m] : -1);
    if (old) {
      c.key = old->key;
    } else {  // the smallest number that no contact of the pair has, old ones included
      const auto taken = [&](std::uint16_t f) {
        const auto old_ones = std::span(scratch.before).subspan(first_old, old_count);
        return std::ranges::any_of(old_ones, [f](const auto& o) { return o.key.feature == f; });
      };
      while (taken(unused)) ++unused;
      c.key = key_of(pair, unused++);
    }
    c.area = component.area;
    c.overlap = component.area / length;
    c.point = component.centroid - i.position;

    const double chord = component.gradient_length;
    const bool has_gradient = component.crossings > 0 && chord > gradient_tolerance * component.perimeter;
    if (choice_.plane == geometry::ContactPlane::area_gradient)
      c.normal = has_gradient ? (1 / chord) * turned_left(component.gradient) : Vec2{};
    else
      c.normal = geometry::contact_normal(choice_.plane, overlap, component, branch);
    if (c.normal == Vec2{}) {  // undefined: an old contact turns its last plane by the mean spin
      ++chunk.undefined_planes;
      const double distance = norm(branch);
      c.normal = old            ? Turn::by(0.5 * (i.turned + j.turned))(old->normal)
                 : distance > 0 ? (1 / distance) * branch
                                : Vec2{1, 0};
    }

    if (old) watch_plane(scratch, c, *old, branch);
    if (watch_all_)
      watch_all_planes(scratch, c, old, first_old + std::size_t(scratch.match[m]), branch, overlap, component);

    // At a wall the arm is about its position, not about the foot of the branch.
    const Vec2 from_i = c.point,
               from_j = is_wall_[pair.j] ? i.position + c.point - j.position - shift : c.point - branch;
    c.elastic_line = through_point(c.normal, from_i, from_j);
    const laws::OverlapPart part{component.area, pair_area, chord, has_gradient};
    const auto press = [&](const auto& law) {
      c.normal_elastic = law.force(part);
      c.stored_normal = law.stored(part);
      c.tangent_stiffness = law.tangent(part);
    };
    if (choice_.normal_force == NormalForce::area_potential) {
      press(laws::AreaPotential{k_n, length, choice_.potential_exponent});
      if (has_gradient) {  // along its own line of action
        c.elastic_line.arm_i -= component.gradient_moment / chord;
        c.elastic_line.arm_j += component.gradient_moment / chord;
      }
    } else {
      press(laws::AreaOverLength{k_n, length});
    }
  }
  if (count > 1) {  // sorted by feature number, with what they continue
    for (std::size_t a = first_new + 1; a < chunk.contacts.size(); ++a)
      for (std::size_t b = a; b > first_new && chunk.contacts[b].key < chunk.contacts[b - 1].key; --b) {
        std::swap(chunk.contacts[b], chunk.contacts[b - 1]);
        std::swap(scratch.continued[b], scratch.continued[b - 1]);
        if (watch_all_) std::swap(chunk.planes[b], chunk.planes[b - 1]);
      }
  }
  return true;
}

}  // namespace dem
