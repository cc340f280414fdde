/*
 * math.h - what the core uses of the C library, where there is none.
 */
#ifndef CP_WASM_MATH_H
#define CP_WASM_MATH_H

#define INFINITY __builtin_inff()
#define isnan(x) __builtin_isnan(x)

#endif /* CP_WASM_MATH_H */
