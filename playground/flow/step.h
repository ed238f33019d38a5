#ifndef PLAYGROUND_FLOW_STEP_H
#define PLAYGROUND_FLOW_STEP_H
/* The parsed steps of a flow file. */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct flow_run;
struct flow_step;
struct json_object;
struct task;

/* The arguments of a step. */
enum flow_shape {
	FLOW_NOTHING,
	FLOW_TEXT,        /* the rest of the line */
	FLOW_WANTED,      /* the same, or /pattern/ */
	FLOW_SECONDS,     /* seconds above 0, converted to ms */
	FLOW_PERSON_TEXT, /* a name and the rest of the line */
	FLOW_CHAT         /* a platform, a kind of chat and the rest of the line */
};

struct flow_verb {
	const char *name;
	const char *usage; /* the arguments, for messages */
	enum flow_shape shape;
	bool in_chat;  /* needs a chat before it */
	bool with_bot; /* needs a bot before it */
	/* May suspend. Returns -1 with err when the step fails. */
	int (*run)(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
};

/* Sorted by name; a row of NULLs ends it. */
extern const struct flow_verb flow_verbs[];

struct flow_step {
	const struct flow_verb *verb; /* NULL: a call of the control interface */
	size_t line;
	char *name;               /* of the step or call */
	char *person;             /* FLOW_PERSON_TEXT; the platform of FLOW_CHAT */
	char *kind;               /* FLOW_CHAT */
	char *text;               /* the rest of the line; \n is a line break */
	struct json_object *body; /* of a call */
	bool is_pattern;          /* text is a pattern, compiled below */
	regex_t pattern;
	uint64_t ms;
};

struct flow {
	char *path;
	struct flow_step *steps;
	size_t count;
};

/* Reads one line that is not a comment into a zeroed step. Returns -1 with err. */
int flow_step_read(struct flow_step *step, const char *line, struct error *err);
void flow_step_clear(struct flow_step *step);

#endif
