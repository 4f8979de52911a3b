#pragma once

namespace CLI {
class App;
}

namespace dem {

/// `dem sweep time-step`, a subcommand of `sweep`.
void add_sweep_time_step(CLI::App& sweep, int& exit_code);

}  // namespace dem
