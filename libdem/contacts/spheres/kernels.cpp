#include "libdem/contacts/spheres/kernels.hpp"

#include "libdem/contacts/spheres/kernels/forces.hpp"
#include "libdem/contacts/spheres/kernels/gather.hpp"
#include "libdem/contacts/spheres/kernels/movement.hpp"

namespace dem {
namespace {

using namespace sphere_loops;

#if defined(__x86_64__) && defined(__GNUC__)
#define LIBDEM_SETS 1
#endif

// One set of functions per instruction set. The loops of the headers are inlined into each.
#define LIBDEM_KERNEL_SET(set, lanes, attributes)                                                                    \
  attributes std::uint64_t find_##set(const SphereInput& in, const TileHead& t, SphereColumns& c) {                  \
    return find_body<lanes>(in, t, c);                                                                               \
  }                                                                                                                  \
  attributes void gather_##set(const SphereInput& in, const TileHead& t, const SphereChoices& h, SphereColumns& c) { \
    gather_body<lanes>(in, t, h, c);                                                                                 \
  }                                                                                                                  \
  attributes std::uint64_t bits_##set(const double* values, int count) { return bits_body<lanes>(values, count); }   \
  attributes void move_##set(const SphereChoices& h, const SphereTile& t, SphereColumns& c, laws::Block& b) {        \
    move_body<lanes>(h, t, c, b);                                                                                    \
  }                                                                                                                  \
  attributes void normals_##set(SphereColumns& c) { normals_body<lanes>(c); }                                        \
  attributes void hertz_##set(const SphereTile& t, SphereColumns& c, laws::Block& b) { hertz_body<lanes>(t, c, b); } \
  attributes bool follow_##set(const SphereInput& in, const TileHead& t, const SphereChoices& h, SphereColumns& c) { \
    return follow_body<lanes>(in, t, h, c);                                                                          \
  }                                                                                                                  \
  attributes void force_##set(const laws::Block& b, const SphereTile& t, SphereColumns& c, SphereLoad* l) {          \
    force_body<lanes>(b, t, c, l);                                                                                   \
  }                                                                                                                  \
  attributes void book_##set(const laws::Block& b, const SphereTile& t, const SphereColumns& c, bool forgets,        \
                             WorkLanes& s) {                                                                         \
    book_body<lanes>(b, t, c, forgets, s);                                                                           \
  }                                                                                                                  \
  constexpr SphereKernels set{#set,        follow_##set, find_##set,  gather_##set, normals_##set,                   \
                              hertz_##set, move_##set,   force_##set, book_##set,   bits_##set};

LIBDEM_KERNEL_SET(generic, 2, )
#ifdef LIBDEM_SETS
LIBDEM_KERNEL_SET(avx2, 4, [[gnu::target("avx2")]])
LIBDEM_KERNEL_SET(avx512, 8, [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]])
#endif

}  // namespace

const SphereKernels* sphere_kernels(geometry::Instructions set) {
  if (!geometry::is_available(set)) return nullptr;
#ifdef LIBDEM_SETS
  if (set == geometry::Instructions::avx512) return &avx512;
  if (set == geometry::Instructions::avx2) return &avx2;
#endif
  return &generic;
}

}  // namespace dem
