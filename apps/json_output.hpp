// Output of commands as JSON for other programs: one object on standard output.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "libdem/results/folder.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

using Json = nlohmann::ordered_json;

/// Amount of output: everything, only errors, or one JSON object instead.
struct Loudness {
  bool quiet = false, json = false;
};

/// Does the work. `quiet` drops its standard output. With `json`, standard output is its JSON object at the end. An
/// error becomes {"errors": [{"message", "file", "line", "key", "found", "allowed"}, …]} and is thrown on.
void with_loudness(const Loudness&, const std::function<Json()>& work);

/// Makes trial steps, so the state is useless afterwards. `picture` is the drawn file, or empty.
Json json_of_check(Simulation&, const std::string& file, const std::string& picture);
Json json_of_run(const Simulation&, const ResultsFolder&);
Json json_of_case(const std::filesystem::path&);
/// Object of a results folder or one of its files.
Json json_of_results(const std::filesystem::path&);

}  // namespace dem
