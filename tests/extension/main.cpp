// A program outside libdem: `dem run` with a law and a driver of its own. Each is one header and one row.
#include <cstdio>
#include <cstring>
#include <string>

#include "libdem/case/case_file.hpp"
#include "libdem/case/topics.hpp"
#include "libdem/run/run_case.hpp"
#include "vibrating_wall.hpp"
#include "worn.hpp"

namespace {

int tell(const dem::RunResult& result) {
  std::printf("%s%s\nhash %016llx at step %llu\n", result.verdict.text().c_str(), result.failure.c_str(),
              static_cast<unsigned long long>(result.hash), static_cast<unsigned long long>(result.step));
  return result.end == dem::RunEnd::failed ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  dem::laws::add(dem::laws::row<outside::Worn>());
  dem::add_driver(dem::driver_row<outside::VibratingWall>());

  const auto is = [&](const char* verb, int least) { return count >= least && std::strcmp(words[1], verb) == 0; };
  try {
    if (is("run", 4)) {
      dem::RunHooks hooks;
      if (count > 4)
        hooks.stop = [step = std::stoull(words[4])](const dem::Simulation& run) { return run.step_count() >= step; };
      return tell(dem::run_case(dem::read_case(words[2]), words[3], hooks));
    }
    if (is("resume", 3)) return tell(dem::resume_case(words[2]));
    if (is("resolved", 3)) {
      std::fputs(dem::resolved_case(dem::read_case(words[2])).c_str(), stdout);
      return 0;
    }
    if (is("help", 3)) {
      for (const dem::CaseKey& key : dem::find_case_keys(words[2]))
        std::printf("%s: %s\n", key.path.c_str(), key.description.c_str());
      return 0;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::fputs("extension run CASE DIR [STEP] | resume DIR | resolved CASE | help WORD\n", stderr);
  return 2;
}
