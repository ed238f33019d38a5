#ifndef PLAYGROUND_FLOW_STEP_H
#define PLAYGROUND_FLOW_STEP_H
/* The steps of a flow file, as they were read. */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct flow_run;
struct flow_step;
struct json_object;
struct task;

/* What stands behind the word. */
enum flow_shape {
	FLOW_NOTHING,
	FLOW_TEXT,        /* the rest of the line */
	FLOW_WANTED,      /* the same, or /a pattern/ */
	FLOW_SECONDS,     /* seconds above 0, into ms */
	FLOW_PERSON_TEXT, /* a name, and the rest of the line */
	FLOW_CHAT         /* a platform, a kind of chat, and the rest of the line */
};

struct flow_verb {
	const char *name;
	const char *usage; /* what stands behind the name */
	enum flow_shape shape;
	bool in_chat;  /* it wants a chat before it */
	bool with_bot; /* it wants a bot before it */
	/* May suspend. -1 with a sentence when the step fails. */
	int (*run)(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err);
};

/* By name; a row of NULLs ends it. */
extern const struct flow_verb flow_verbs[];

struct flow_step {
	const struct flow_verb *verb; /* NULL: a call of the control interface */
	size_t line;
	char *name;               /* of the step, or of the call */
	char *person;             /* FLOW_PERSON_TEXT; the platform of FLOW_CHAT */
	char *kind;               /* FLOW_CHAT */
	char *text;               /* the rest, \n being a new line */
	struct json_object *body; /* of a call */
	bool is_pattern;          /* then text is one, compiled */
	regex_t pattern;
	uint64_t ms;
};

struct flow {
	char *path;
	struct flow_step *steps;
	size_t count;
};

/* Reads one line, which is no comment; step is zeroed. -1 with a sentence. */
int flow_step_read(struct flow_step *step, const char *line, struct error *err);
void flow_step_clear(struct flow_step *step);

#endif
