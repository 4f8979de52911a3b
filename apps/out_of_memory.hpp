// What the program says where memory runs out and nobody can catch an exception: before main, in a destructor, inside
// another library. The rest are exceptions of the kind std::bad_alloc, which main catches.
#pragma once

namespace dem {

/// Call it when main is about to return. An end of the program before that is told as one for want of memory: no
/// library may end it otherwise.
void note_that_main_returns();

}  // namespace dem
