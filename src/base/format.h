#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H
/* As snprintf and vsnprintf, with a fifth of their instructions for the usual directives: strings and whole
 * numbers without flags and widths. */
#include <stdarg.h>
#include <stddef.h>

__attribute__((format(printf, 3, 4))) int str_format(char *dst, size_t size, const char *fmt, ...);
__attribute__((format(printf, 3, 0))) int str_vformat(char *dst, size_t size, const char *fmt, va_list ap);

#endif
