"""The random numbers of the engine: uniform in [0, 1), 53 bits of the 64-bit Mersenne twister."""

WORD = (1 << 64) - 1


def uniform(seed):
    """An endless generator."""
    state = [seed & WORD]
    for k in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + k) & WORD)
    while True:
        for k in range(312):
            x = (state[k] & 0xFFFFFFFF80000000) | (state[(k + 1) % 312] & 0x7FFFFFFF)
            state[k] = state[(k + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 * (x & 1))
        for x in state:
            x ^= (x >> 29) & 0x5555555555555555
            x ^= (x << 17) & 0x71D67FFFEDA60000
            x ^= (x << 37) & 0xFFF7EEE000000000
            yield ((x ^ (x >> 43)) >> 11) * 2.0**-53


def between(numbers, low, high):
    return low + (high - low) * next(numbers)
