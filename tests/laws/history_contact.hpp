// One contact of laws hooke-history and hertz-history, as the studies have it.
#pragma once
#include "validation/fleischmann2015/one_contact.hpp"

namespace history_test {

using namespace dem::laws;
using namespace dem::validation::fleischmann2015;
using dem::FrictionLimit;
using dem::HertzVariant;
using dem::TangentialHistory;

}  // namespace history_test
