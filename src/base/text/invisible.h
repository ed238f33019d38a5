#ifndef BASE_TEXT_INVISIBLE_H
#define BASE_TEXT_INVISIBLE_H
#include <stdbool.h>
#include <stdint.h>

/* Returns true for a code point beyond ASCII that a reader does not see: Default_Ignorable_Code_Point, format
 * characters (Cf), blanks (Zs) and controls, of Unicode 15.0, and U+2800, the empty Braille pattern. */
bool invisible(uint32_t cp);

#endif
