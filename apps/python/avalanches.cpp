// Events of intermittent series, the law of their sizes, and their rate after large ones.
#include "libdem/measure/avalanches.hpp"

#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "libdem/measure/power_law.hpp"

namespace dem::python {
namespace {

using Numbers = std::vector<double>;
using Events = std::vector<std::tuple<std::size_t, std::size_t, double>>;

Events listed(const std::vector<SeriesEvent>& found) {
  Events out;
  for (const SeriesEvent& e : found) out.emplace_back(e.first, e.last, e.size);
  return out;
}

py::dict power_law(const Numbers& sizes, bool cutoff, std::optional<double> lower, std::size_t smallest_tail,
                   int samples, std::uint64_t seed) {
  using namespace py::literals;
  const PowerLawChoice choice{lower, smallest_tail, samples, seed};
  const auto common = [](const TailFit& f) {
    return py::dict("exponent"_a = f.exponent, "low"_a = f.low, "high"_a = f.high, "lower"_a = f.lower,
                    "count"_a = f.count, "distance"_a = f.distance, "goodness"_a = f.goodness,
                    "standard_error"_a = f.standard_error);
  };
  if (cutoff) {
    const CutoffPowerLawFit f = fit_cutoff_power_law(sizes, choice);
    py::dict out = common(f);
    out["scale"] = f.scale;
    out["exponential_chance"] = f.exponential_chance;
    return out;
  }
  const PowerLawFit f = fit_power_law(sizes, choice);
  py::dict out = common(f);
  out["against_exponential"] = f.against_exponential;
  out["exponential_chance"] = f.against_exponential_chance;
  return out;
}

/// Starts, ends and sizes of the events of a run, and the time in which it was observed.
using RunEvents = std::tuple<Numbers, Numbers, Numbers, double, double>;

py::dict aftershocks(const Numbers& edges, const std::vector<RunEvents>& runs, double main_size) {
  using namespace py::literals;
  AftershockRate rate;
  rate.edges = edges;
  for (const auto& [starts, ends, sizes, begin, end] : runs)
    add_aftershocks(rate, starts, ends, sizes, main_size, begin, end);
  py::dict out("count"_a = rate.count, "exposure"_a = rate.exposure, "mains"_a = rate.mains,
               "background"_a = rate.background(), "decay"_a = py::none());
  if (const auto decay = fit_decay(rate)) out["decay"] = py::make_tuple(decay->exponent, decay->low, decay->high);
  return out;
}

}  // namespace

void bind_avalanches(py::module_& m) {
  m.def("drops", [](const Numbers& series, double threshold) { return listed(drops(series, threshold)); });
  m.def("bursts", [](const Numbers& series, double factor, double threshold) {
    return listed(bursts(series, factor, threshold));
  });
  m.def("power_law", &power_law);
  m.def("aftershocks", &aftershocks);
}

}  // namespace dem::python
