#include "helpers/sandbox/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, NUMBER, PATHS, SWITCH };

static const struct row {
	const char *name;
	enum kind kind;
	size_t offset, count; /* count: where the number of PATHS is */
} rows[] = {
    {"address-space", NUMBER, offsetof(struct options, address_space), 0},
    {"cpu", NUMBER, offsetof(struct options, cpu), 0},
    {"dir", TEXT, offsetof(struct options, dir), 0},
    {"file", NUMBER, offsetof(struct options, file), 0},
    {"files", NUMBER, offsetof(struct options, files), 0},
    {"grace", NUMBER, offsetof(struct options, grace_ms), 0},
    {"hide", PATHS, offsetof(struct options, hide), offsetof(struct options, hides)},
    {"level", NUMBER, 0, 0},
    {"memory", NUMBER, offsetof(struct options, memory), 0},
    {"memory-all", NUMBER, offsetof(struct options, memory_all), 0},
    {"network", SWITCH, offsetof(struct options, network), 0},
    {"no-names", SWITCH, offsetof(struct options, no_names), 0},
    {"parent", NUMBER, offsetof(struct options, parent), 0},
    {"processes", NUMBER, offsetof(struct options, processes), 0},
    {"read", PATHS, offsetof(struct options, read), offsetof(struct options, reads)},
    {"run-as", TEXT, offsetof(struct options, run_as), 0},
    {"write", PATHS, offsetof(struct options, write), offsetof(struct options, writes)},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int wrong(const char *name, const char *why)
{
	fprintf(stderr, "myna-sandbox: --%s %s\n", name, why);
	return -1;
}

static int take_number(struct options *p, const struct row *row, const char *value)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (errno || end == value || *end || n < 0)
		return wrong(row->name, "takes a number");
	if (strcmp(row->name, "level") != 0) {
		*(long long *)(void *)((char *)p + row->offset) = n;
		return 0;
	}
	if (n > OPTIONS_S3)
		return wrong(row->name, "is 0 to 3");
	p->level = (int)n;
	return 0;
}

static int take_path(struct options *p, const struct row *row, const char *value)
{
	size_t *count = (size_t *)(void *)((char *)p + row->count);

	if (value[0] != '/')
		return wrong(row->name, "takes an absolute path");
	(*(const char ***)(void *)((char *)p + row->offset))[(*count)++] = value;
	return 0;
}

static int take(struct options *p, const struct row *row, const char *value)
{
	switch (row->kind) {
	case TEXT:
		*(const char **)(void *)((char *)p + row->offset) = value;
		return 0;
	case NUMBER:
		return take_number(p, row, value);
	case PATHS:
		return take_path(p, row, value);
	case SWITCH:
		*(bool *)((char *)p + row->offset) = true;
		return 0;
	}
	return -1;
}

int options_read(struct options *p, int argc, char **argv)
{
	/* Kept until the end; each list has room for every word. */
	static const char **paths;
	struct option options[ROWS + 1] = {{0}};
	int index = 0, c;

	*p = (struct options){.level = -1, .run_as = "nobody", .dir = "/", .grace_ms = 2000};
	paths = calloc(3 * (size_t)argc + 1, sizeof(*paths));
	if (!paths) {
		fprintf(stderr, "myna-sandbox: no memory\n");
		return -1;
	}
	p->write = paths;
	p->read = paths + argc;
	p->hide = paths + 2 * argc;
	for (size_t i = 0; i < ROWS; i++)
		options[i] = (struct option){
		    rows[i].name, rows[i].kind == SWITCH ? no_argument : required_argument, NULL, 0};
	while ((c = getopt_long(argc, argv, "+", options, &index)) == 0) {
		if (take(p, &rows[index], optarg) < 0)
			return -1;
	}
	if (c >= 0)
		return -1;
	if (p->level < 0)
		return wrong("level", "is missing");
	p->argv = argv + optind;
	if (!*p->argv) {
		fprintf(stderr, "myna-sandbox: no program\n");
		return -1;
	}
	return 0;
}
