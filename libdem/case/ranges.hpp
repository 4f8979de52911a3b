// Ranges of numbers of a case, by quantity (SI; in the plane per metre of thickness). They suffice for grains of
// nanometres, for asteroids, and for cases without a scale. Beyond them products of a few numbers leave the range of a
// double, or a run never ends.
#pragma once
#include "libdem/case/value.hpp"

namespace dem::case_file {

namespace within {

inline constexpr Range length{1e-12, 1e9};         // m; from below an atom to the size of the sun
inline constexpr Range coordinate{-1e9, 1e9};      // m
inline constexpr Range speed{1e-15, 3e8};          // m/s; up to the speed of light
inline constexpr Range velocity{-3e8, 3e8};        // m/s
inline constexpr Range acceleration{-1e12, 1e12};  // m/s²; as at the surface of a neutron star
inline constexpr Range angle{-1e6, 1e6};           // rad
inline constexpr Range spin{-1e15, 1e15};          // rad/s; a molecule turns slower
inline constexpr Range duration{1e-18, 1e15};      // s; up to 30 million years
inline constexpr Range wall_clock{1e-3, 1e9};      // s
inline constexpr Range rate{-1e12, 1e12};          // 1/s
inline constexpr Range largest_rate{1e-18, 1e12};  // 1/s
inline constexpr Range strain{1e-15, 1e6};
inline constexpr Range mass{1e-36, 1e33};           // kg
inline constexpr Range density{1e-12, 1e12};        // kg/m³, kg/m²
inline constexpr Range force{-1e24, 1e24};          // N, N m
inline constexpr Range stiffness{1e-12, 1e18};      // N/m
inline constexpr Range modulus{1e-6, 1e18};         // Pa (diamond 1e12)
inline constexpr Range pressure{1e-15, 1e18};       // Pa, N/m
inline constexpr Range stress{-1e18, 1e18};         // Pa, N/m
inline constexpr Range energy{1e-60, 1e45};         // J
inline constexpr Range stiffness_ratio{1e-9, 1e3};  // k_t/k_n; below 1 for elastic bodies
inline constexpr Range friction{0, 1e6};
inline constexpr Range damping{0, 1e18};  // kg/s, 1/s, 1/(m s), N m s
inline constexpr Range damping_ratio{0, 1e6};
inline constexpr Range mass_damping{0, 1e12};                // 1/s
inline constexpr Range poisson_ratio{-1, 0.5, true, false};  // stability of an elastic solid
// Stretch of a polygon. The overlap of thinner ones cannot be distinguished from round-off.
inline constexpr Range stretch{0.01, 100};
inline constexpr Range tolerance{1e-12, 10};  // relative
inline constexpr Range ratio{1e-12, 1e6};
inline constexpr Range whole_steps{1, 1e12};            // a month of a million steps per second
inline constexpr Range seed{0, 9223372036854775807.0};  // largest integer of TOML

}  // namespace within
}  // namespace dem::case_file
