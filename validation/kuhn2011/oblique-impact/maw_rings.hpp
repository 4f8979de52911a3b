// Oblique impact of an elastic sphere without restitution losses, solved with Coulomb's law on every ring of the
// contact area: the method of N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, Wear 38
// (1976) 101. It knows neither histories nor laws of a contact and shares nothing with law `jaeger` but the half-space.
//
// The contact radius takes the values a_j = a_max sin(πj/2n), up and down again; a step goes from one to the next.
// Traction and pressure are sums of f_i(r) = √(a_i² − r²): the pressure of step j is f_j, the traction Σ q_i f_i.
// Displacements of the half-spaces under f_i are known (K. L. Johnson, Contact Mechanics, §3.4 and §7.2). The mean of
// the two tangential directions is κ times the normal one; its dependence on the polar angle and the component across,
// both of the order of ν, are left out, as by Cattaneo and Mindlin. On each ring in contact, either the surfaces move
// together or the traction is μ times the pressure and acts against the slip. The error falls with 1/n² where the
// contact slides, with 1/n where it sticks at first.
//
// Units: a_max, the radius of the sphere (so overlap = a²), the speed of approach; tangential displacement and velocity
// over κ μ, traction over μ.
#pragma once

namespace dem::validation::kuhn2011::impacts {

/// ψ_2 after an impact at ψ_1 of a sphere with 1/m* = `inertia` 1/m at the contact point (solid sphere on a heavy
/// plate: 7/2), by n rings.
double maw_rebound(double psi_1, double ratio, int rings, double inertia = 3.5);

/// The same with 2n rings; `change`: from n to 2n rings, at least twice what is left.
struct MawRebound {
  double psi_2 = 0, change = 0;
};
MawRebound refined_maw_rebound(double psi_1, double ratio, int rings, double inertia = 3.5);

/// Slides from beginning to end: ψ_2 = ψ_1 − 2·inertia/κ, for ψ_1 from 2·inertia/κ − 1 on (4χ − 1, χ = inertia/(2κ)).
double maw_sliding(double psi_1, double ratio, double inertia = 3.5);
double maw_sliding_from(double ratio, double inertia = 3.5);

}  // namespace dem::validation::kuhn2011::impacts
