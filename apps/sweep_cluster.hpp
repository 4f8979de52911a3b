// dem sweep with --part, --slurm, --collect, --status: a sweep on many machines.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "libdem/sweep/sweep.hpp"

namespace CLI {
class App;
}

namespace dem {

struct ClusterOptions {
  std::string part, time = "4h";
  bool slurm = false, submit = false, collect = false, status = false;
  int tasks = 200, cores = 1;
  bool is_wanted() const { return !part.empty() || slurm || collect || status; }
};

void add_cluster_options(CLI::App& command, ClusterOptions&);

/// Does what the options say; returns the exit code. `draw` is called once there is a table.
int sweep_on_cluster(const ClusterOptions&, const std::filesystem::path& sweep_file,
                     const std::filesystem::path& folder, const std::function<void(const SweepTable&)>& draw);

}  // namespace dem
