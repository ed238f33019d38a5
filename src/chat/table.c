#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "chat/text.h"

#define COLUMNS_MAX 32
#define GAP         2 /* blanks between columns */
#define RESET       "\033[0m"
#define RULE        "\u2500"

struct cell {
	const char *text;
	size_t len;
};

/* Splits the next line at its bars; "\|" is no bar. Returns the number of cells, and moves *lines on. */
static size_t next_row(const char **lines, struct cell cells[COLUMNS_MAX])
{
	const char *at = *lines + strspn(*lines, " |"), *end = *lines + strcspn(*lines, "\n");
	size_t count = 0;

	while (at < end && count < COLUMNS_MAX) {
		const char *stop = at;
		while (stop < end && (*stop != '|' || stop[-1] == '\\'))
			stop++;
		const char *last = stop;
		while (last > at && last[-1] == ' ')
			last--;
		cells[count++] = (struct cell){at, (size_t)(last - at)};
		at = stop < end ? stop + 1 : end;
		at += strspn(at, " ");
	}
	*lines = *end == '\n' ? end + 1 : end;
	return count;
}

/* Returns whether the line is that below the head: |---|:-:| */
static bool is_below_head(const char *line)
{
	size_t len = strspn(line, "|-: ");

	return len > 0 && (line[len] == '\n' || line[len] == '\0') && memchr(line, '-', len);
}

static size_t measure(const struct cell *c)
{
	struct buf text = BUF_INIT;
	size_t columns = chat_text_line(&text, c->text, c->len);

	buf_clear(&text);
	return columns;
}

/* Fills the widths of columns. Returns how wide the table is. */
static size_t measure_all(const char *lines, size_t widths[COLUMNS_MAX])
{
	struct cell cells[COLUMNS_MAX];
	size_t most = 0, whole = 0;

	while (*lines) {
		bool skip = is_below_head(lines);
		size_t count = next_row(&lines, cells);
		for (size_t i = 0; i < count && !skip; i++) {
			size_t columns = measure(&cells[i]);
			widths[i] = columns > widths[i] ? columns : widths[i];
			most = i + 1 > most ? i + 1 : most;
		}
	}
	for (size_t i = 0; i < most; i++)
		whole += widths[i] + (i > 0 ? GAP : 0);
	return whole;
}

static void add_cell(struct buf *rows, const struct cell *c, bool head, size_t width)
{
	if (head)
		chat_text_sgr(rows, CHAT_BOLD);
	size_t columns = chat_text_line(rows, c->text, c->len);
	if (head)
		buf_addstr(rows, RESET);
	buf_addf(rows, "%*s", columns < width ? (int)(width - columns) : 0, "");
}

static void add_rule(struct buf *rows, size_t width)
{
	chat_text_sgr(rows, CHAT_DIM);
	while (width-- > 0)
		buf_addstr(rows, RULE);
	buf_addstr(rows, RESET "\n");
}

/* Where it is too wide: a line for each cell, with the name of its column. */
static void add_list(struct buf *rows, const char *lines, size_t width)
{
	struct cell names[COLUMNS_MAX], cells[COLUMNS_MAX];
	size_t named = next_row(&lines, names), count;
	struct chat_text x;

	chat_text_init(&x, width, true);
	while (*lines) {
		bool skip = is_below_head(lines);
		count = next_row(&lines, cells);
		for (size_t i = 0; i < count && !skip; i++) {
			chat_text_add(&x, i == 0 ? "- " : "  ", 2);
			if (i < named && names[i].len > 0) {
				chat_text_add(&x, names[i].text, names[i].len);
				chat_text_add(&x, ": ", 2);
			}
			chat_text_add(&x, cells[i].text, cells[i].len);
			chat_text_end(&x);
		}
	}
	buf_add(rows, x.rows.data, x.rows.len);
	chat_text_clear(&x);
}

void chat_table_add(struct buf *rows, const char *lines, size_t width)
{
	struct cell cells[COLUMNS_MAX];
	size_t widths[COLUMNS_MAX] = {0}, whole = measure_all(lines, widths), row = 0;

	if (whole > width) {
		add_list(rows, lines, width);
		return;
	}
	for (; *lines; row++) {
		bool rule = is_below_head(lines), head = false;
		size_t count = next_row(&lines, cells);
		if (rule) {
			add_rule(rows, whole);
			continue;
		}
		head = row == 0 && is_below_head(lines);
		for (size_t i = 0; i < count; i++) {
			buf_addf(rows, "%*s", i > 0 ? GAP : 0, "");
			add_cell(rows, &cells[i], head, i + 1 < count ? widths[i] : 0);
		}
		buf_addch(rows, '\n');
	}
}
