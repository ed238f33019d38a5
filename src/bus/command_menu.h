#ifndef BUS_COMMAND_MENU_H
#define BUS_COMMAND_MENU_H
/* The commands that people can give, for platforms that show a list of them. */
#include <stdbool.h>

/* What a command takes, in the order in which people type it. */
enum channel_argument_kind {
	CHANNEL_ARGUMENT_WORD,
	CHANNEL_ARGUMENT_NUMBER, /* from 0 */
	CHANNEL_ARGUMENT_FLAG,   /* typed as --name; before all others */
	CHANNEL_ARGUMENT_TEXT    /* all that follows; after all others */
};

struct channel_argument {
	const char *name, *help; /* name: [a-z0-9_-], at most 32 characters */
	enum channel_argument_kind kind;
	bool required;              /* none may stand behind one that is not, but for flags */
	const char *const *choices; /* of a word: ends with NULL, at most 25. NULL: any word */
};

struct channel_command {
	const char *name, *help;
	bool admin; /* for admins only */
	const struct channel_argument
	    *arguments; /* ends with a row without name; NULL: one text, which may be left out */
};

#endif
