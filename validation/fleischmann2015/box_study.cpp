#include "validation/fleischmann2015/box_study.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "libdem/case/case_file.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

const std::vector<double>& numbers_of(const TaskResult& r) {
  if (!r.done) throw std::runtime_error("a task of the shear box failed: " + r.message);
  return r.numbers;
}

/// Steps of a sheared packing, by which tasks are handed out.
double steps(const BoxSetup& s, const ShearTest& t) {
  return (t.travel / t.speed + s.rest + s.compaction) / s.step * double(s.count());
}

}  // namespace

std::string Spread::text(int digits) const {
  const std::string a = fmt::format("{:.{}f}", low, digits), b = fmt::format("{:.{}f}", high, digits);
  return a == b ? a : fmt::format("{} to {}", a, b);
}

std::filesystem::path packing_file(const StudyRun& run, std::size_t k) {
  return run.folder() / fmt::format("packing-{}.h5", k + 1);
}

BoxResults run_boxes(StudyRun& run, const std::vector<BoxSetup>& packings, const std::vector<BoxRun>& runs) {
  const auto file = [&](std::size_t k) { return packing_file(run, k); };
  std::string what = "plate by servo; profile";  // what the numbers of a packing are
  for (const BoxSetup& s : packings) what += resolved_case(packing_case(s));
  BoxResults out;
  for (const TaskResult& r : run.tasks(
           "packings", packings.size(),
           [&](std::size_t k, TaskProgress&p) { return make_packing(packings[k], file(k), p).pack(); }, what))
    out.packings.push_back(PackingReport::unpack(numbers_of(r)));
  std::vector<double> cost;
  for (const BoxRun& r : runs) {
    what += resolved_case(shear_case(packings[r.packing], r.test));
    cost.push_back(steps(packings[r.packing], r.test));
  }
  for (const TaskResult& r : run.tasks(
           "shear", runs.size(),
           [&](std::size_t k, TaskProgress&p) {
             return shear(packings[runs[k].packing], runs[k].test, file(runs[k].packing), p).pack();
           },
           what, cost))
    out.curves.push_back(BoxCurve::unpack(numbers_of(r)));
  return out;
}

Spread cost_of(const BoxResults& results) {
  Spread cost;
  for (const BoxCurve& c : results.curves) cost.add(1e9 * c.seconds / c.particle_steps);
  return cost;
}

Curve box_curve(std::string label, const BoxCurve& box, double x_unit,
                const std::function<double(const BoxCurve&, const BoxRow&)>& value) {
  Curve c;
  c.label = std::move(label);
  c.style = Curve::Style::line;
  for (const BoxRow& row : box.rows) {
    c.x.push_back(row.displacement / x_unit);
    c.y.push_back(value(box, row));
  }
  return c;
}

Curve mean_curve(std::string label, const std::vector<BoxCurve>& boxes, double x_unit,
                 const std::function<double(const BoxCurve&, const BoxRow&)>& value) {
  Curve c = box_curve(std::move(label), boxes.front(), x_unit, value);
  c.y_low = c.y_high = c.y;
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    double sum = 0;
    for (const BoxCurve& box : boxes) {
      const double v = value(box, box.rows.at(k));
      sum += v;
      c.y_low[k] = std::min(c.y_low[k], v);
      c.y_high[k] = std::max(c.y_high[k], v);
    }
    c.y[k] = sum / double(boxes.size());
  }
  return c;
}

}  // namespace dem::validation::fleischmann2015
