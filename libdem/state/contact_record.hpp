// A contact as observers and files see it, for all kinds of shapes.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <ranges>

#include "geometry/vector.hpp"

namespace dem {

struct ContactKey {
  std::uint32_t i = 0, j = 0;                  ///< i < j
  std::array<std::int16_t, 3> image{0, 0, 0};  ///< j's periodic image (see geometry::Cell)
  /// Polygons: number of the overlap component. Clusters and walls in space: which spheres and which contact.
  std::uint16_t feature = 0;
  friend constexpr auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

/// `slip`: at the friction limit during some part of the step. `dem contact` calls this slide (linear-refined: slide or
/// slip). Everything else is `stick`, also where a part of a Hertzian contact slips (slip, retrace).
enum class Regime : std::uint8_t { stick, slip };

/// The part of a record that measures of an assembly read.
struct ContactLoad {
  ContactKey key;
  Vec3 normal;            ///< unit, from i to j
  Vec3 force;             ///< on i (N); −force acts on j
  Vec3 branch;            ///< R_j + image − R_i, or point − R_i for a wall in space (m)
  double overlap = 0;     ///< ζ (m): A/l_c for polygons, δ for discs
  double mobilised = -1;  ///< elastic |f_t|/(μ f_n), 0 … 1. Negative: not known, or μ f_n = 0
  Regime regime = Regime::stick;
};

struct ContactRecord : ContactLoad {
  Vec3 point;                   ///< where the force acts (m): overlap centroid or mid-overlap point, near i
  double area = 0;              ///< overlap area (m²), polygons
  double plane_angle = 0;       ///< of the contact plane, (−π/2, π/2], rad
  double normal_force = 0;      ///< elastic + viscous, compression positive (N)
  double tangential_force = 0;  ///< along t = ẑ×n, on j (N)
  double elongation = 0;        ///< ξ (m), sign of the displacement of j relative to i along t
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< N/m, tangents at this state (for the time-step limit)
  double rocking_stiffness = 0;  ///< couple per relative turn about the point, as faces have it (N m)
  double normal_damping = 0, tangential_damping = 0;  ///< kg/s
  double stored_normal = 0, stored_tangential = 0;    ///< J
};

/// A contact for readers that look at forces only.
struct ContactForce {
  ContactKey key;
  Vec3 force;  ///< on i (N)
};

/// A view of a list of loads, or of records of which only the loads are read.
class ContactLoads {
 public:
  ContactLoads() = default;
  template <std::ranges::contiguous_range List>
  requires std::derived_from<std::ranges::range_value_t<List>, ContactLoad> ContactLoads(const List& list)
      : first_(list.data()), size_(list.size()), stride_(sizeof(std::ranges::range_value_t<List>)) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const ContactLoad& operator[](std::size_t k) const {
    return *reinterpret_cast<const ContactLoad*>(reinterpret_cast<const std::byte*>(first_) + k * stride_);
  }
  struct Iterator {
    const ContactLoads* list;
    std::size_t at;
    const ContactLoad& operator*() const { return (*list)[at]; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at == other.at; }
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  const ContactLoad* first_ = nullptr;
  std::size_t size_ = 0, stride_ = 0;
};

}  // namespace dem
