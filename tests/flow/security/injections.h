#ifndef TESTS_FLOW_SECURITY_INJECTIONS_H
#define TESTS_FLOW_SECURITY_INJECTIONS_H
/* Prompt injections: texts, placed where a model reads them, that order forbidden actions. */
#include <stddef.h>

enum writer { GUEST, GUEST_IN_GROUP, USER, USER_IN_GROUP, ADMIN, ADMIN_IN_GROUP };

/* Where the order stands. The writer has the model look there; words are the writer's own, and so is a
 * command. */
enum place {
	WORDS,
	COMMAND,
	FILE_TEXT,
	MATCH,
	FILE_NAME,
	PAGE,
	NOTE,
	SAID_BEFORE,
	QUOTED,
	FORWARDED,
	VOICE,
	TITLE,
	DESCRIPTION
};

struct injection {
	enum writer writer;
	enum place place;
	/* In it ' means ", @DIR the folder of the test, @PORT the forbidden port, @SITE the site's port.
	 * An order is CALL NAME {JSON}. */
	const char *text;
};

extern const struct injection injections[];
extern const size_t injection_count;

#endif
