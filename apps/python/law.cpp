// Laws from Python: a numpy function, or the address of a compiled C function.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>
#include <stdexcept>

#include "apps/python/bind.hpp"
#include "libdem/case/value.hpp"
#include "libdem/laws/jaeger_contact.hpp"
#include "libdem/laws/plugin.hpp"

namespace dem::python {
namespace {

/// A column of a block; replies may be written.
py::array column(const double* first, int count, bool writable, const py::object& base) {
  py::array_t<double> array({py::ssize_t(count)}, {py::ssize_t(sizeof(double))}, first, base);
  if (!writable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// Calls a Python function with the columns of a block. Its error is kept for the thread of the run.
int call_python(const dem_law_block* b, void* user) {
  const py::gil_scoped_acquire lock;
  try {
    const py::object function = py::reinterpret_borrow<py::object>(static_cast<PyObject*>(user));
    const py::object base = py::none();
    py::list inputs, replies;
    for (const double* x : {b->normal_start, b->normal_end, b->normal_viscous, b->shift_1, b->shift_2, b->velocity_1,
                            b->velocity_2, b->stiffness, b->damping, b->friction})
      inputs.append(column(x, b->count, false, base));
    for (double* x :
         {b->elastic_1, b->elastic_2, b->viscous_1, b->viscous_2, b->stored, b->dissipated, b->work, b->sliding})
      replies.append(column(x, b->count, true, base));
    py::array_t<double> history({py::ssize_t(b->count), py::ssize_t(b->history_size)},
                                {py::ssize_t(sizeof(double)) * b->history_size, py::ssize_t(sizeof(double))},
                                b->history, base);
    function(inputs, replies, history, column(b->parameters, DEM_LAW_MOST_PARAMETERS, false, base));
    return 0;
  } catch (py::error_already_set& error) {
    error.restore();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    py::module_::import("dem.own_law").attr("note_failure")(py::reinterpret_steal<py::object>(value));
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return 1;
  }
}

void define(const std::string& name, const std::string& description, int history_size, bool has_elongation,
            const std::vector<std::string>& parameters, const std::vector<std::string>& units, std::uintptr_t address,
            const py::object& function) {
  std::vector<const char*> names, unit_names;
  for (const std::string& p : parameters) names.push_back(p.c_str());
  for (const std::string& u : units) unit_names.push_back(u.c_str());
  dem_law law{DEM_LAW_VERSION, name.c_str(),      description.c_str(), history_size, int(names.size()),
              names.data(),    unit_names.data(), has_elongation,      nullptr,      nullptr};
  if (address != 0) {
    law.pass = reinterpret_cast<dem_law_pass>(address);
  } else {
    law.pass = call_python;
    law.user = function.ptr();
  }
  laws::add_plugin(law, address != 0 ? laws::Calls::each_block : laws::Calls::few);
  function.inc_ref();  // for ever: cases keep the law, compiled code lives in the object
}

/// Defines the law of a C plugin: `address` is that of its dem_law. Returns name, history size, parameters, units and
/// whether a history begins with its elongation.
py::tuple add_law(std::uintptr_t address) {
  const auto& law = *reinterpret_cast<const dem_law*>(address);
  laws::add_plugin(law);  // judges the version before anything else is read
  std::vector<std::string> names, units;
  for (int k = 0; k < law.parameter_count; ++k) {
    names.emplace_back(law.parameter_names[k]);
    units.emplace_back(law.parameter_units[k]);
  }
  return py::make_tuple(std::string(law.name), law.history_size, names, units, law.has_elongation != 0);
}

using Value = laws::Key::Value;

void set_option(const laws::LawEntry& law, void* options, const std::string& name, Value value) {
  const laws::Key* key = law.find_key(name);
  if (!key) throw std::invalid_argument(fmt::format("{}: found no such key of the law {}", name, law.name));
  const bool is_number = key->kind == laws::KeyForm::Kind::number;
  if (is_number && std::holds_alternative<int>(value)) value = double(std::get<int>(value));
  if (value.index() != key->get(options).index())
    throw std::invalid_argument(
        fmt::format("{}: found a value of another kind; dem.help(\"{}\") explains it", name, name));
  if (const double* x = std::get_if<double>(&value); x && !key->range.contains(*x))
    throw std::invalid_argument(
        fmt::format("{}: found {:g}, allowed {}", name, *x, case_file::describe_key(*key).allowed));
  if (const std::string* word = std::get_if<std::string>(&value)) {
    std::string allowed;
    for (const auto& [one, meaning] : key->words) allowed += (allowed.empty() ? "" : ", ") + one;
    if (std::ranges::none_of(key->words, [&](const auto& w) { return w.first == *word; }))
      throw std::invalid_argument(fmt::format("{}: found \"{}\", allowed {}", name, *word, allowed));
  }
  key->set(options, value);
}

/// A law for columns of any length.
class LawBlock {
 public:
  LawBlock(const std::string& name, const std::map<std::string, Value>& options) {
    const laws::LawEntry* law = laws::find(name);
    if (!law) throw std::invalid_argument(fmt::format("law: found \"{}\", allowed one of dem.laws()", name));
    law_ = laws::LawChoice(name);
    for (const auto& [key, value] : options) set_option(*law, law_.data(), key, value);
  }
  int history_size() const { return law_->history_size; }

  /// `given`: a row for each of `inputs`. Changes the histories. Returns a row for each of `replies` and two for the
  /// elongation. The regimes and the numbers of legs follow; each is None where the law has none.
  py::tuple pass(const py::array_t<double, py::array::c_style>& given,
                 py::array_t<double, py::array::c_style> history) {
    const py::ssize_t count = given.shape(1);
    if (given.shape(0) != py::ssize_t(std::size(inputs)) || history.shape(0) != count ||
        history.shape(1) != history_size())
      throw std::invalid_argument("columns and histories of different shape");
    py::array_t<double> out({py::ssize_t(std::size(replies)) + 2, count});
    py::array_t<std::uint8_t> regime{count};
    py::array_t<int> legs{count};
    laws::Block block{};
    block.legs = &legs_;
    std::fill_n(block.lost, laws::block_size, 1.0);
    for (py::ssize_t first = 0; first < count; first += laws::block_size) {
      block.count = int(std::min<py::ssize_t>(laws::block_size, count - first));
      py::ssize_t row = 0;
      for (const Column column : inputs) std::copy_n(given.data(row++, first), block.count, block.*column);
      law_->pass(law_.data(), {}, block, history.mutable_data(first, 0));
      row = 0;
      for (const Column column : replies) std::copy_n(block.*column, block.count, out.mutable_data(row++, first));
      for (int c = 0; c < block.count; ++c) {
        const double* const of = history.data(first + c, 0);
        const laws::Hertz hertz{block.modulus[c], block.ratio[c], block.radius[c]};
        const double pressed = std::max(2 * block.indentation[c], 0.0);
        double elongation[2];
        law_->elongation(of, &legs_,
                         {block.stiffness[c], hertz.modulus, hertz.ratio, hertz.radius, hertz.tangent(pressed)},
                         elongation);
        for (py::ssize_t a = 0; a < 2; ++a) out.mutable_at(row + a, first + c) = elongation[a];
        if (law_->tells_regime) regime.mutable_at(first + c) = std::uint8_t(block.regime[c]);
        if (law_->keeps_jaeger_history)
          legs.mutable_at(first + c) = int(reinterpret_cast<const laws::JaegerHistory<laws::LegPool>*>(of)->legs());
      }
    }
    return py::make_tuple(out, law_->tells_regime ? py::object(regime) : py::none(),
                          law_->keeps_jaeger_history ? py::object(legs) : py::none());
  }

 private:
  using Block = laws::Block;
  using Column = Block::Column Block::*;
  static constexpr Column inputs[] = {
      &Block::normal_start, &Block::normal_end, &Block::normal_viscous, &Block::shift_1, &Block::shift_2,
      &Block::velocity_1,   &Block::velocity_2, &Block::stiffness,      &Block::damping, &Block::friction,
      &Block::indentation,  &Block::modulus,    &Block::ratio,          &Block::radius};
  static constexpr Column replies[] = {&Block::elastic_1, &Block::elastic_2,  &Block::viscous_1, &Block::viscous_2,
                                       &Block::stored,    &Block::dissipated, &Block::work,      &Block::sliding};
  laws::LawChoice law_;
  laws::LegPool legs_;
};

}  // namespace

void bind_law(py::module_& m) {
  py::class_<LawBlock>(m, "LawBlock")
      .def(py::init<const std::string&, const std::map<std::string, Value>&>())
      .def_property_readonly("history_size", &LawBlock::history_size)
      .def("pass_columns", &LawBlock::pass);
  m.def("define_law", &define);
  m.def("add_law", &add_law);
  m.def("hide_law", &laws::hide);
  m.attr("law_version") = DEM_LAW_VERSION;
}

}  // namespace dem::python
