/* A contact law as one C function on blocks of contacts: for Python (numpy, numba) and for plugins in C.
 *
 * The law reads the movement of some contacts from columns, updates their histories and fills the reply columns. Their
 * number differs from call to call: up to 64, for a law of Python in space all contacts of 512 bodies. n points from
 * body i to body j; directions 1 and 2 span the contact plane, 2 = n x 1. In a plane case direction 2 stays zero.
 * Movement and velocity are those of j relative to i, forces those on j, so that the force of a spring opposes its
 * elongation. SI units; in the plane per metre of thickness. Reply columns start at zero.
 */
#ifndef LIBDEM_LAW_PLUGIN_H
#define LIBDEM_LAW_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEM_LAW_VERSION 1
#define DEM_LAW_MOST_PARAMETERS 8
#define DEM_LAW_MOST_HISTORY 16

/* NOLINTBEGIN(readability-identifier-naming): names as in C. */
typedef struct dem_law_block {
  int32_t version;      /* DEM_LAW_VERSION of the engine */
  int32_t count;        /* contacts in this call */
  int32_t history_size; /* numbers of a contact */
  int32_t energies;     /* 0: stored, dissipated and work are not read */
  const double* parameters;
  double* history; /* contact k has history[k history_size] and the next ones; zeros where a contact begins */
  /* Elastic normal force at the start and the end of the step, and that of the dashpot at the end (N, pushing > 0). */
  const double *normal_start, *normal_end, *normal_viscous;
  const double *shift_1, *shift_2;       /* movement during the step (m) */
  const double *velocity_1, *velocity_2; /* at the end (m/s) */
  const double* stiffness;               /* k_t of the pair (N/m) */
  const double* damping;                 /* gamma_t of the pair (kg/s) */
  const double* friction;                /* mu of the pair */
  /* Reply. */
  double *elastic_1, *elastic_2; /* elastic force on j (N) */
  double *viscous_1, *viscous_2; /* dashpot force on j (N) */
  double* stored;                /* elastic energy at the end (J) */
  double* dissipated;            /* by friction during the step (J) */
  double* work;                  /* supplied by the movement: change of stored + dissipated (J) */
  double* sliding;               /* > 0: at the friction limit */
} dem_law_block;

/* Returns 0. Any other number ends the run: the law has failed. */
typedef int (*dem_law_pass)(const dem_law_block* block, void* user);

typedef struct dem_law {
  int32_t version; /* DEM_LAW_VERSION for which the law was written */
  const char *name, *description;
  int32_t history_size;
  int32_t parameter_count;
  const char* const* parameter_names; /* keys of [contact]; required numbers */
  const char* const* parameter_units; /* "" without a unit */
  int32_t has_elongation; /* the first two numbers of a history are its elongation in directions 1 and 2 (m) */
  dem_law_pass pass;
  void* user; /* handed to pass */
} dem_law;
/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
#endif
