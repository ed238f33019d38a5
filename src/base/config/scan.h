#ifndef BASE_CONFIG_SCAN_H
#define BASE_CONFIG_SCAN_H
/*
 * A tokenizer of libconfig's language, with the patterns of libconfig 1.5. It reads the text before
 * libconfig does, because libconfig 1.5 takes 4294967297 for 1, "x\x00y" for "xy" and ("x" "y") for one
 * string, and says no more than "syntax error" of an unclosed bracket or quote, on the last line.
 */
#include <stddef.h>

enum config_token {
	CONFIG_TOKEN_END,
	CONFIG_TOKEN_NAME, /* also true and false */
	CONFIG_TOKEN_NUMBER,
	CONFIG_TOKEN_STRING,
	CONFIG_TOKEN_MARK,    /* one byte: = : , ; a bracket, or a byte that libconfig refuses */
	CONFIG_TOKEN_INCLUDE, /* the directive; its path is path_len bytes at text + path */
	CONFIG_TOKEN_BAD      /* invalid: why is a sentence about line */
};

#define CONFIG_DEPTH 32

struct config_scan {
	const char *text; /* borrowed; terminated, without NUL inside */
	size_t at;        /* after the token */
	unsigned at_line; /* the first line is 1 */
	size_t start;     /* of the token */
	unsigned line;    /* where the token starts */
	size_t path, path_len;
	enum config_token last; /* what config_scan_next returned last */
	unsigned wrapped;       /* line of the first string that spans lines; 0 for none */
	size_t depth;
	struct {
		char close;
		unsigned line;
	} open[CONFIG_DEPTH];
	char why[256];
};

void config_scan_init(struct config_scan *s, const char *text);
enum config_token config_scan_next(struct config_scan *s);
/* Returns the closing character of the innermost open bracket; '}' at the top too. */
char config_scan_within(const struct config_scan *s);

#endif
