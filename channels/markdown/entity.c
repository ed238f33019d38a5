#include "channels/markdown/markdown_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"

static const struct {
	const char *name;
	uint32_t cp;
} names[] = {
    {"Delta", 0x394},
    {"Omega", 0x3a9},
    {"alpha", 0x3b1},
    {"amp", '&'},
    {"apos", '\''},
    {"asymp", 0x2248},
    {"beta", 0x3b2},
    {"bull", 0x2022},
    {"cent", 0xa2},
    {"check", 0x2713},
    {"copy", 0xa9},
    {"darr", 0x2193},
    {"deg", 0xb0},
    {"delta", 0x3b4},
    {"divide", 0xf7},
    {"emsp", ' '},
    {"ensp", ' '},
    {"euro", 0x20ac},
    {"frac12", 0xbd},
    {"gamma", 0x3b3},
    {"ge", 0x2265},
    {"gt", '>'},
    {"harr", 0x2194},
    {"hellip", 0x2026},
    {"infin", 0x221e},
    {"lambda", 0x3bb},
    {"laquo", 0xab},
    {"larr", 0x2190},
    {"lbrace", '{'},
    {"ldquo", 0x201c},
    {"le", 0x2264},
    {"lsquo", 0x2018},
    {"lt", '<'},
    {"mdash", 0x2014},
    {"micro", 0xb5},
    {"middot", 0xb7},
    {"minus", 0x2212},
    {"mu", 0x3bc},
    {"nbsp", 0xa0},
    {"ndash", 0x2013},
    {"ne", 0x2260},
    {"omega", 0x3c9},
    {"para", 0xb6},
    {"pi", 0x3c0},
    {"plusmn", 0xb1},
    {"pound", 0xa3},
    {"quot", '"'},
    {"rArr", 0x21d2},
    {"raquo", 0xbb},
    {"rarr", 0x2192},
    {"rbrace", '}'},
    {"rdquo", 0x201d},
    {"reg", 0xae},
    {"rsquo", 0x2019},
    {"sect", 0xa7},
    {"sigma", 0x3c3},
    {"sum", 0x2211},
    {"sup2", 0xb2},
    {"sup3", 0xb3},
    {"theta", 0x3b8},
    {"thinsp", ' '},
    {"times", 0xd7},
    {"trade", 0x2122},
    {"uarr", 0x2191},
    {"vert", '|'},
    {"yen", 0xa5},
};

/* The character of a numeric reference; 0: there is none. */
static uint32_t read_number(const char *s, size_t len)
{
	char digits[16];
	bool hex = len > 2 && (s[2] == 'x' || s[2] == 'X');
	size_t from = hex ? 3 : 2;
	unsigned long cp;

	if (len < from + 2 || len - from - 1 >= sizeof(digits))
		return 0;
	memcpy(digits, s + from, len - from - 1);
	digits[len - from - 1] = '\0';
	cp = strtoul(digits, NULL, hex ? 16 : 10);
	if (cp == 0 || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
		return 0xfffd;
	/* No line ends or other controls come in this way. */
	return cp < ' ' || cp == 0x7f ? ' ' : (uint32_t)cp;
}

static uint32_t find_name(const char *s, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strlen(names[i].name) == len - 2 && memcmp(names[i].name, s + 1, len - 2) == 0)
			return names[i].cp;
	}
	return 0;
}

void markdown_entity(struct buf *out, const char *s, size_t len)
{
	uint32_t cp = 0;

	if (len > 3 && s[0] == '&' && s[len - 1] == ';')
		cp = s[1] == '#' ? read_number(s, len) : find_name(s, len);
	if (cp != 0)
		utf8_encode(out, cp);
	else
		buf_add(out, s, len);
}
