#ifndef BUS_COMMAND_MENU_H
#define BUS_COMMAND_MENU_H
/* The commands that people can use, for platforms that show a command menu. */
#include <stdbool.h>

struct buf;

/* The type of an argument; arguments are listed in typing order. */
enum channel_argument_kind {
	CHANNEL_ARGUMENT_WORD,
	CHANNEL_ARGUMENT_NUMBER, /* from 0 */
	CHANNEL_ARGUMENT_FLAG,   /* typed as --name; stands before all others */
	CHANNEL_ARGUMENT_TEXT    /* the rest of the line; stands after all others */
};

struct channel_argument {
	const char *name, *help; /* name: [a-z0-9_-], at most 32 characters */
	enum channel_argument_kind kind;
	bool required;              /* no required argument may follow an optional one, except after flags */
	const char *const *choices; /* allowed words, NULL-terminated, at most 25. NULL: any word */
	/* Names a person: adapters pass on a mention as command_menu_add_person writes it. */
	bool person;
};

struct channel_command {
	const char *name, *help;
	bool admin; /* for admins only */
	/* Ends with a row without a name. NULL: one optional text. */
	const struct channel_argument *arguments;
};

/* Does the text begin with a command that may name a person? menu may be NULL. */
bool command_menu_names_person(const struct channel_command *menu, const char *text);
/* Appends a mention of a person as commands read it, "<@ID|NAME>"; name may be NULL. */
void command_menu_add_person(struct buf *out, const char *id, const char *name);

#endif
