#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "libdem/run/start_from.hpp"
#include "libdem/sweep/expression.hpp"
#include "libdem/sweep/point_run.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/quantities.hpp"
#include "libdem/sweep/sweep_folder.hpp"
#include "libdem/sweep/sweep_rows.hpp"

namespace dem {
namespace {

using case_file::Problems;

/// Adds a sentence "found, allowed …" of an exception.
void add(Problems& problems, const std::string& path, std::string_view sentence) {
  const auto at = sentence.find(", allowed ");
  problems.add(path, sentence.substr(0, at), at == sentence.npos ? "another value" : sentence.substr(at + 10));
}

/// Calls `look`, and adds the sentence that it throws.
template <class Look>
void add_thrown(Problems& problems, const std::string& path, const Look& look) {
  try {
    look();
  } catch (const std::invalid_argument& error) {
    add(problems, path, error.what());
  }
}

std::string axis_path(std::size_t a, std::string_view key) { return fmt::format("axis[{}].{}", a + 1, key); }

/// Place in the file of a name or key of an axis.
std::string place_of(const Problems& problems, std::size_t a, std::string_view what) {
  const std::string one = axis_path(a, what), several = axis_path(a, fmt::format("{}s", what));
  return problems.is_given(several) ? several : one;
}

void inspect_names(const SweepSpec& spec, Problems& problems) {
  std::map<std::string, std::size_t> names, keys;
  for (std::size_t a = 0; a < spec.axes.size(); ++a) {
    const SweepAxis& axis = spec.axes[a];
    for (std::size_t k = 0; k < axis.names.size(); ++k) {
      if (axis.names[k].empty()) problems.add(place_of(problems, a, "name"), "\"\"", "a name");
      if (const auto [at, fresh] = names.emplace(axis.names[k], a); !fresh)
        problems.add(place_of(problems, a, axis.keys.empty() || axis.keys[k] != axis.names[k] ? "name" : "key"),
                     fmt::format("\"{}\", which axis[{}] has too", axis.names[k], at->second + 1),
                     "each name and key once");
      for (const char* own : {"t_c", "replicate", "seed", "steps", "message"})
        if (axis.names[k] == own)
          problems.add(place_of(problems, a, "name"), fmt::format("\"{}\"", own), "another name: this one is taken");
      if (k >= axis.keys.size() || axis.keys[k].empty()) continue;
      if (const auto [at, fresh] = keys.emplace(axis.keys[k], a); !fresh)
        problems.add(place_of(problems, a, "key"),
                     fmt::format("\"{}\", which axis[{}] has too", axis.keys[k], at->second + 1), "each key once");
    }
  }
  for (const auto& [key, expression] : spec.set)
    if (const auto at = keys.find(key); at != keys.end())
      problems.add("set." + key, fmt::format("a key that axis[{}] gives", at->second + 1), "keys that no axis gives");
  std::map<std::string, int> quantities;
  for (std::size_t q = 0; q < spec.quantities.size(); ++q)
    if (quantities[spec.quantities[q].name]++ > 0 || names.contains(spec.quantities[q].name))
      problems.add(fmt::format("quantity[{}].name", q + 1), fmt::format("\"{}\" again", spec.quantities[q].name),
                   "another name: each column of the table has one of its own");
  if (spec.quantities.empty() && !spec.keep_series)
    problems.add("quantity", "nothing", "at least one [[quantity]], or keep = \"series\"");
  const auto uses_seed = [&](const auto& entry) {
    try {
      const auto used = expression_names(entry.second);
      return std::ranges::find(used, "seed") != used.end() || std::ranges::find(used, "replicate") != used.end();
    } catch (const std::invalid_argument&) {
      return true;  // reported elsewhere
    }
  };
  const bool is_packed_by_seed = spec.packing && spec.packing->by == "seed";
  if (spec.replicates > 1 && spec.seed_key.empty() && !is_packed_by_seed && std::ranges::none_of(spec.set, uses_seed))
    problems.add(
        "replicates.key", "nothing",
        "a key of the case that gets the seed, or seed in an expression of [set]: else all replicates are the same");
}

/// Points in which one axis after the other has each of its values, the others their first; and one of another seed.
std::vector<std::size_t> point_of_each_value(const SweepSpec& spec) {
  std::vector<std::size_t> points{0};
  if (spec.replicates > 1) points.push_back(1);
  std::size_t stride = std::size_t(spec.replicates);
  for (auto axis = spec.axes.rbegin(); axis != spec.axes.rend(); stride *= axis->values.size(), ++axis)
    for (std::size_t v = 1; v < axis->values.size(); ++v) points.push_back(v * stride);
  return points;
}

/// The sentence that says why a point cannot start from its packing, as far as the cases alone tell. Else "".
std::string misfit_of(const SweepSpec& spec, std::size_t point, const Case& packing) {
  try {
    Case c = parse_case(point_document(spec, point, 1.0).text(), spec.case_file);
    if (!spec.set.empty()) c.time.step = 0;  // it may depend on the contact time, which is not known yet
    c.start_from = std::filesystem::path(sweep_folder::packings) / packing_folder(spec, point).filename();
    check_start_fits(c, packing);
  } catch (const StartFromError& error) {
    const std::string_view message = error.what();
    return fmt::format("point {} with {}", point + 1, message.substr(message.find(": found ") + 8));
  } catch (const std::exception&) {  // inspect_values shows it
  }
  return "";
}

/// Checks the axis or seed that has the value of a packing, and the key that gets it.
void inspect_packing(const SweepSpec& spec, Problems& problems) {
  std::vector<std::string> allowed;
  for (const SweepAxis& axis : spec.axes) allowed.insert(allowed.end(), axis.names.begin(), axis.names.end());
  allowed.emplace_back("seed");
  const std::string &by = spec.packing->by, &key = spec.packing->key;
  if (!by.empty() && std::ranges::find(allowed, by) == allowed.end())
    problems.add("start_from.by", fmt::format("\"{}\"", by), fmt::format("{}", fmt::join(allowed, ", ")));
  for (const char* own : {"threads", "format", "start_from"})
    if (key == own) problems.add("start_from.key", fmt::format("\"{}\"", own), "another key");
  if (problems.any()) return;
  for (const std::size_t point : point_of_each_value(spec)) {
    try {
      const Case packing = parse_case(packing_document(spec, point).text(), spec.packing->case_file);
      if (const std::string misfit = misfit_of(spec, point, packing); !misfit.empty())
        return add(problems, "start_from", misfit);
    } catch (const CaseErrors& errors) {
      const std::string text = without_lines(errors, spec.packing->case_file);
      problems.add("start_from", fmt::format("a packing in which: {}", text), "packings that dem run takes");
    } catch (const std::invalid_argument& error) {
      add(problems, "start_from.key", error.what());
    }
  }
}

void inspect_keys(const SweepSpec& spec, Problems& problems) {
  const CaseDocument document(spec.case_text, spec.case_file.string());
  const auto check = [&](const std::string& key, const std::string& path) {
    add_thrown(problems, path, [&] {
      const std::string known = document.key(key);
      if (known == "threads") problems.add(path, "\"threads\"", "another key: every point runs on one core");
      if (known == "format") problems.add(path, "\"format\"", "another key");
      if (known == "start_from" && spec.packing)
        problems.add(path, "\"start_from\" beside start_from of the sweep", "one of the two");
    });
  };
  for (std::size_t a = 0; a < spec.axes.size(); ++a)
    for (const std::string& key : spec.axes[a].keys)
      if (!key.empty()) check(key, place_of(problems, a, "key"));
  for (const auto& [key, expression] : spec.set) check(key, "set." + key);
  if (!spec.seed_key.empty()) check(spec.seed_key, "replicates.key");
  const auto words = expression_words(spec);
  for (const auto& entry : spec.set)
    add_thrown(problems, "set." + entry.first, [&] {
      for (const std::string& name : expression_names(entry.second)) {
        if (std::ranges::find(words, name) != words.end() || document.number(name)) continue;
        const std::string_view nearest = case_file::nearest(name, case_file::Names(words.begin(), words.end()));
        problems.add("set." + entry.first, fmt::format("\"{}\" with the unknown name {}", entry.second, name),
                     fmt::format("{} and keys of the case that hold a number{}{}", fmt::join(words, ", "),
                                 nearest.empty() ? "" : "; nearest known: ", nearest));
      }
    });
}

/// "body[2].force: found 1, allowed …" is about the key "body.force".
std::string key_of_message(const std::string& message) {
  std::string key = case_file::parts_of(message).key;
  if (const auto open = key.find('['), close = key.find(']'); open < close && close != key.npos)
    key.erase(open, close - open + 1);
  return key;
}

/// Adds values that the case refuses for every choice of the other values: the schema's message on the key of the axis.
void inspect_values(const SweepSpec& spec, Problems& problems) {
  const CaseDocument base(spec.case_text, spec.case_file.string());
  std::size_t stride = std::size_t(spec.replicates);
  for (std::size_t a = spec.axes.size(); a-- > 0;) {
    const SweepAxis& axis = spec.axes[a];
    const std::string path = axis_path(a, problems.is_given(axis_path(a, "values")) ? "values" : "range");
    for (std::size_t v = 0; v < axis.values.size(); ++v) {
      try {
        parse_case(point_document(spec, v * stride, 1.0).text(), spec.case_file);
      } catch (const CaseErrors& errors) {
        for (const std::string& message : errors.messages)
          for (const std::string& place : axis.keys)
            if (const std::string key = key_of_message(message); !place.empty() && key == base.key(place))
              for (const CaseKey& known : find_case_keys(key))
                if (message.find(", allowed " + known.allowed) != message.npos)
                  add(problems, path, message.substr(message.find(": found ") + 8));
      } catch (const SetError& error) {
        if (const std::string place = "set." + error.key; !problems.has(place)) add(problems, place, error.sentence);
      } catch (const std::invalid_argument& error) {
        add(problems, path, error.what());
      }
    }
    stride *= axis.values.size();
  }
}

/// Checks columns and stages of the quantities in the first point that can be built.
void inspect_quantities(const SweepSpec& spec, Problems& problems) {
  std::string first_error;
  for (std::size_t tries = 0, n = spec.points(); tries < std::min<std::size_t>(n, 20); ++tries) {
    const std::size_t point = tries * (n - 1) / std::max<std::size_t>(1, std::min<std::size_t>(n, 20) - 1);
    try {
      Case c = parse_case(point_case_text(spec, point), spec.case_file);
      c.threads = 1;
      c.time.override_limit = true;
      if (spec.packing) c.start_from.clear();  // it may not be made yet
      take_step_of_start(c);
      Simulation run(c);
      if (!c.start_from.empty()) start_from_results(run, c);
      add_thrown(problems, "columns", [&] { KeptSeries::places_of(spec, RunObserver(run).columns().series); });
      for (std::size_t q = 0; q < spec.quantities.size(); ++q) {
        try {
          QuantityMeter({spec.quantities[q]}, run);
        } catch (const std::invalid_argument& error) {
          const bool stage = std::string_view(error.what()).starts_with("stage ");
          add(problems, fmt::format("quantity[{}].{}", q + 1, stage ? "stage" : "column"), error.what());
        }
      }
      return;
    } catch (const CaseErrors& errors) {
      if (first_error.empty()) first_error = without_lines(errors, spec.case_file);
    } catch (const std::exception& error) {
      if (first_error.empty()) first_error = error.what();
    }
  }
  problems.add("case", fmt::format("no point that can be run among those tried (the first says: {})", first_error),
               "a grid that can be run");
}

}  // namespace

void inspect_sweep(const SweepSpec& spec, Problems& problems) {
  inspect_names(spec, problems);
  inspect_keys(spec, problems);
  if (problems.any()) return;  // no grid without keys and names
  double points = spec.replicates;
  for (const SweepAxis& axis : spec.axes) points *= double(axis.values.size());
  if (points > sweep_file::most_points) {
    problems.add("axis", fmt::format("{:.3g} points", points), fmt::format("at most {}", sweep_file::most_points));
    return;
  }
  if (spec.packing) inspect_packing(spec, problems);
  if (problems.any()) return;
  inspect_values(spec, problems);
  if (!problems.any()) inspect_quantities(spec, problems);
}

}  // namespace dem
