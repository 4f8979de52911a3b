// What commands say as JSON, for other programs: one object on standard output.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "libdem/results/folder.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

using Json = nlohmann::ordered_json;

/// How much a command says: everything, nothing but errors, or one JSON object instead.
struct Loudness {
  bool quiet = false, json = false;
};

/// Does the work. Quietly: what it prints on standard output is lost. With json, the object that it gives is printed
/// there at the end. An error becomes {"errors": [{"message", "file", "line", "key", "found", "allowed"}, …]}, and goes
/// on to the caller.
void with_loudness(const Loudness&, const std::function<Json()>& work);

/// Makes a trial of steps: the state is of no use afterwards. `picture`: file that was drawn; empty: none.
Json json_of_check(Simulation&, const std::string& file, const std::string& picture);
Json json_of_run(const Simulation&, const ResultsFolder&);
Json json_of_case(const std::filesystem::path&);
/// Of a results folder or one of its files.
Json json_of_results(const std::filesystem::path&);

}  // namespace dem
