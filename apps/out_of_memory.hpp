// Messages of the program if memory ends where no exception can be caught: before main, in a destructor, inside another
// library. All other cases are std::bad_alloc, which main catches.
#pragma once

namespace dem {

/// Call just before main returns. Libraries end the program earlier only without memory, and that is reported.
void note_that_main_returns();

}  // namespace dem
