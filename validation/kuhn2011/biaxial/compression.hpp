// Plane-strain biaxial compression of a packing with one law: what it carries, how long its histories are, what it
// costs.
#pragma once
#include <vector>

#include "validation/kuhn2011/packing.hpp"

namespace dem::validation::kuhn2011 {

struct CompressionChoice {
  double strain = 0.04;
  std::uint64_t rows_every = 100;  ///< steps
  double strain_per_step = 1e-6;   ///< of zz, as in the paper
};

/// Compression along z at a constant rate, no strain along y, the confining pressure held along x. `law`: of
/// law_variants().
Case compression_case(const Packing&, const LawVariant& law, const CompressionChoice&);
/// Places moved by less than a millionth of the overlaps: what a run has of its own chance.
void shift_start(Packing&, std::uint64_t seed);

struct CompressionRow {
  double strain = 0, volume = 0;     ///< of zz, compression positive; volumetric, dilation positive
  double p = 0, q = 0;               ///< Pa; q = √3 J2
  double contacts = 0, sliding = 0;  ///< number; share at the friction limit in this step
  double legs = 0, bytes = 0;        ///< mean length of the histories; memory of all of them; 0: the law has none
  double unbalanced = 0, inertial = 0, servo = 0;
  double exact_legs = 0, merge_error = 0;  ///< law jaeger-checked: HistoryMemory
  static constexpr std::size_t numbers = 13;
  double ratio() const { return q / p; }
};

struct Compression {
  std::vector<CompressionRow> rows;     ///< the first at the start
  double steps = 0, cpu = 0, wall = 0;  ///< of the steps alone, rows left out (s)
  double margin = 0;                    ///< largest step over the measured limit, seen at the rows
  double residual = 0;                  ///< of the ledger, relative
  double contact_steps = 0;             ///< steps times contacts

  std::vector<double> pack() const;
  static Compression unpack(const std::vector<double>&);
  const CompressionRow& at(double strain) const;  ///< the row nearest to it
  double peak_ratio() const;
  double mean_ratio(double from, double to) const;
  double peak_bytes() const;
};
Compression compress(const Case&, const CompressionChoice&, TaskProgress&);

}  // namespace dem::validation::kuhn2011
