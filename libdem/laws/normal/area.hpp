// Normal forces of polygons, from the area of their overlap. Source: polygon-dem reference, §6.
#pragma once
#include <algorithm>
#include <cmath>

namespace dem::laws {

/// Data of one connected part of an overlap that the forces read.
struct OverlapPart {
  double area = 0, pair_area = 0;  ///< of the part, and of all parts of the pair (m²)
  double chord = 0;                ///< |∇A|: its length along the contact plane (m)
  bool has_gradient = true;        ///< false: the chord is round-off (containment)
};

/// k_n A/l_c, as published (Peña, Lind, Herrmann). It has no potential.
struct AreaOverLength {
  double stiffness = 0, length = 0;  ///< k_n (N/m), l_c (m)

  double force(const OverlapPart& part) const { return stiffness * (part.area / length); }  ///< N
  /// Stated stored energy (J): that of a face contact of width `chord` pressed in by A/chord, which is exact for faces.
  /// Bounded where the chord vanishes although the overlap does not (containment).
  double stored(const OverlapPart& part) const {
    const double depth = part.has_gradient ? std::min(part.area / part.chord, length) : length;
    return 0.5 * force(part) * depth;
  }
  double tangent(const OverlapPart& part) const { return stiffness * part.chord / length; }  ///< N/m
  /// Couple per relative turn (N m) of a contact of this tangent. The turn moves the centroid of the overlap along the
  /// face. k_n w³/(12 l_c), w the chord; exact where the centroid is above its middle.
  double rocking(double tangent) const {
    const double chord = tangent * length / stiffness;
    return tangent * chord * chord / 12;
  }
};

/// Φ = k_n l_c²/m (A/l_c²)^m of the pair's whole overlap; each part gets −Φ′∇A of its own area.
struct AreaPotential {
  double stiffness = 0, length = 0, exponent = 2;  ///< k_n (N/m), l_c (m), m

  /// N.
  double force(const OverlapPart& part) const {
    return part.has_gradient ? stiffness * std::pow(ratio(part), exponent - 1) * part.chord : 0;
  }
  double stored(const OverlapPart& part) const {  ///< J
    return stiffness * length * length / exponent * std::pow(ratio(part), exponent) * (part.area / part.pair_area);
  }
  double tangent(const OverlapPart& part) const {  ///< N/m
    return stiffness * (exponent - 1) * std::pow(ratio(part), exponent - 2) * part.chord * part.chord /
           (length * length);
  }

 private:
  double ratio(const OverlapPart& part) const { return part.pair_area / (length * length); }
};

}  // namespace dem::laws
