// Output of commands as JSON for other programs: one object on standard output.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "libdem/results/folder.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

using Json = nlohmann::ordered_json;

/// Amount of output: everything, only errors, or one JSON object instead.
struct Loudness {
  bool quiet = false, json = false;
};

/// Prints {"errors": [{"message", "file", "line", "key", "found", "allowed"}, …]}, each with the parts that its message
/// has.
void print_errors(const std::vector<std::string>& messages);

/// Does the work. `quiet` drops its standard output. With `json`, standard output is its JSON object at the end. An
/// error becomes the object of print_errors() and is thrown on.
void with_loudness(const Loudness&, const std::function<Json()>& work);

/// Makes trial steps, so the state is useless afterwards. `picture` is the drawn file, or empty.
Json json_of_check(Simulation&, const std::string& file, const std::string& picture);
Json json_of_run(const Simulation&, const ResultsFolder&);
Json json_of_case(const std::filesystem::path&);
/// Object of a results folder or one of its files.
Json json_of_results(const std::filesystem::path&);

}  // namespace dem
