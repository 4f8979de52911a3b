// Messages of the program if memory ends where no exception can be caught: before main, in a destructor, inside another
// library. All other cases are std::bad_alloc, which main catches.
#pragma once

namespace dem {

/// Call it just before main returns. An earlier end of the program is reported as lack of memory, because libraries end
/// it only then.
void note_that_main_returns();

}  // namespace dem
