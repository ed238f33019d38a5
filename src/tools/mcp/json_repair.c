#include "tools/mcp/json_repair.h"

#include <string.h>

#include "base/buf.h"

#define LEVELS_MAX 40
/* Any number with this many digits fits into 64 bits. */
#define DIGITS_MAX 18

struct mending {
	struct buf *out;
	const char *text;
	size_t len, at, depth;
};

static void copy(struct mending *m, size_t n)
{
	if (m->depth <= LEVELS_MAX)
		buf_add(m->out, m->text + m->at, n);
	m->at += n;
}

static void repair_string(struct mending *m)
{
	size_t end = m->at + 1;

	while (end < m->len && m->text[end] != '"')
		end += m->text[end] == '\\' && end + 1 < m->len ? 2 : 1;
	copy(m, end < m->len ? end + 1 - m->at : m->len - m->at);
}

static void repair_number(struct mending *m)
{
	size_t n = 0;

	while (m->at + n < m->len && m->text[m->at + n] >= '0' && m->text[m->at + n] <= '9')
		n++;
	char next = m->at + n < m->len ? m->text[m->at + n] : '\0';
	copy(m, n);
	if (n > DIGITS_MAX && next != '.' && next != 'e' && next != 'E' && m->depth <= LEVELS_MAX)
		buf_addstr(m->out, "e0");
	/* The characters that follow belong to this number. */
	for (n = 0; m->at + n < m->len && m->text[m->at + n] && strchr("0123456789.eE+-", m->text[m->at + n]);
	     n++)
		;
	copy(m, n);
}

static void repair_begin(struct mending *m)
{
	if (++m->depth == LEVELS_MAX + 1)
		buf_addstr(m->out, "\"" MCP_JSON_REPAIR_DEEP "\"");
	copy(m, 1);
}

static void repair_end(struct mending *m)
{
	copy(m, 1);
	m->depth -= m->depth > 0;
}

void mcp_json_repair(struct buf *out, const char *text, size_t len)
{
	struct mending m = {.out = out, .text = text, .len = len};

	while (m.at < len) {
		char c = text[m.at];
		if (c == '"')
			repair_string(&m);
		else if (c >= '0' && c <= '9')
			repair_number(&m);
		else if (c == '{' || c == '[')
			repair_begin(&m);
		else if (c == '}' || c == ']')
			repair_end(&m);
		else
			copy(&m, 1);
	}
}
