/* Stand-in for Windows' bcryptprimitives.dll, which Wine has from version 9 on: Rust's standard library takes the seeds of its hash maps
 * from it. Every sequence of numbers serves that purpose. */
#include <stddef.h>

__declspec(dllexport) int ProcessPrng(unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(31 * i + 7);
    return 1;
}
