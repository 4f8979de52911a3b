// Loops over flat arrays that are worth the widest vectors of the processor.
#pragma once
#include <cstddef>  // for __GLIBC__

/// Attribute of a function (no template, no lambda): compiled for several instruction sets, chosen when the program
/// starts. Contraction is off and no sum is reordered, so the choice changes no bit. Sanitizers cannot run the choice.
#if defined(__x86_64__) && defined(__GLIBC__) && __GNUC__ >= 12 && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LIBDEM_VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define LIBDEM_VECTOR_CLONES
#endif
