#ifndef BASE_TEXT_HEX_H
#define BASE_TEXT_HEX_H
#include <stddef.h>
#include <stdint.h>

/* Returns the value of a digit of either case; -1 for any other character. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the value of the first count digits, at most seven; -1 when there are fewer. */
static inline int32_t hex_number(const char *text, size_t len, size_t count)
{
	int32_t value = 0;

	if (len < count)
		return -1;
	for (size_t i = 0; i < count; i++) {
		int digit = hex_digit(text[i]);

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

#endif
