// Laws that come as a C function (law_plugin.h): their row in the catalogue.
#pragma once
#include <memory>
#include <stdexcept>

#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/law_plugin.h"

namespace dem::laws {

/// The pass of a plugin answered that it failed.
struct LawFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How often a law is called. `each_block`: for each 64 contacts. `few`: for all contacts of 512 bodies, which are
/// copied for the call. The second is for languages in which a call is slow.
enum class Calls { each_block, few };

/// Adds the law. Its parameters become keys of [contact]. Texts are copied; `user` must live as long as the program. A
/// plugin of the same name is replaced, and cases that were read keep the earlier one. Throws std::invalid_argument for
/// another version, too many numbers, the name of a law of the library, or keys that add() refuses.
void add_plugin(const dem_law&, Calls = Calls::each_block);

}  // namespace dem::laws
