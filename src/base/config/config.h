#ifndef BASE_CONFIG_CONFIG_H
#define BASE_CONFIG_CONFIG_H
/*
 * The configuration file (libconfig) read through rows. A row parses, checks, prints
 * and documents one setting. A reader goes on after an error, so that all are reported
 * at once, each as FILE:LINE: message. A key that no row names is an error that
 * suggests the nearest one. Integers beyond 32 bits are found in the text and
 * refused (libconfig 1.5 would cut them silently): ids are quoted strings.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct config;
struct config_setting_t; /* libconfig's */
struct error;

enum config_type {
	CONFIG_STRING,   /* char *, NULL when absent and no default; owned by the settings */
	CONFIG_INT,      /* int64_t; in unit as the help says */
	CONFIG_BOOL,     /* bool */
	CONFIG_SIZE,     /* int64_t bytes: 4096 or "64 KiB", "1 MiB" */
	CONFIG_DURATION, /* int64_t milliseconds: "250 ms", "30 s", "5 min", "1 h", "30 d", or 30 (seconds) */
	CONFIG_ENUM,     /* int: index into choices */
	CONFIG_MONEY,    /* int64_t millionths of an amount: 3, 0.25 or "0.25" */
	CONFIG_STRINGS,  /* struct config_strings: array or list of quoted strings; a number in it is an error
			  */
	CONFIG_SECRET    /* const char *: resolved through base/secret; owned there */
};

enum config_flag {
	CONFIG_REQUIRED = 1,
	CONFIG_RESTART = 2 /* a change takes effect with a restart only; others with a reload */
};

struct config_strings {
	char **items;
	size_t count;
};

struct config_key {
	const char *name;
	enum config_type type;
	unsigned flags;
	size_t offset;        /* offsetof in the settings struct */
	const char *fallback; /* default as in the file, but without quotes; a list: "a, b"; NULL = none */
	int64_t min, max;     /* numbers, in the field's unit; both 0 = no limits, max < min = a lower one */
	const char *const *choices; /* CONFIG_ENUM, NULL-terminated */
	const char *help;           /* one or two sentences; starts with a capital, ends with a full stop */
};

/* One group of the file: its path ("", "llm", "channels.*"), its rows, what it is for.
 * "*" stands for names that the user chooses. */
struct config_section {
	const char *path;
	const struct config_key *keys;
	size_t key_count;
	const char *help;
	/* Names of groups and values in this group that other sections or code read, "*" for any.
	 * NULL-terminated, may be NULL. */
	const char *const *children;
	bool restart; /* all its rows are CONFIG_RESTART */
};

/* NULL with err set when the file cannot be read or is not libconfig syntax; the
 * error text is then FILE:LINE: message. At most 1 MiB of UTF-8, includes and all; a path
 * in @include is seen from the file in which it stands. Reads files, so it may block. */
struct config *config_load(const char *file, struct error *err);
/* The same from text, for tests and defaults; name stands for the file in messages. */
struct config *config_parse(const char *name, const char *text, struct error *err);
void config_free(struct config *cfg);

/* Reads the group at path (dotted; "" is the top) into settings, which must be zeroed.
 * An absent group gives defaults, and errors for required keys; a wrong value an error and
 * the default. Strings are copied. Hidden, because libconfig has a function of this name. */
__attribute__((visibility("hidden"))) void config_read(
    struct config *cfg, const char *path, const struct config_section *section, void *settings);
void config_settings_clear(const struct config_key *keys, size_t count, void *settings);
/* Where a row that needs a restart differs between two settings of a section: now gets a copy of what old
 * has, and changed is told. */
void config_settings_keep_restart_only(const struct config_section *section, const void *old, void *now,
    void (*changed)(void *arg, const struct config_key *key), void *arg);

/* The names in a group, in file order: returns how many. The array is the caller's to free(), the names
 * are borrowed from cfg. 0 and NULL if the group is empty, absent, or no group (then reported). */
size_t config_names(struct config *cfg, const char *path, const char ***names);
bool config_has(struct config *cfg, const char *path);
/* How many groups the list at path has, whose members are path[0] and on; 0 when it is absent or no list
 * (then reported). */
size_t config_groups(struct config *cfg, const char *path);
/* A list of strings that stands under a free name (targets). False when absent or wrong (then reported). */
bool config_read_strings(struct config *cfg, const char *path, struct config_strings *out);
void config_strings_clear(struct config_strings *s);
bool config_strings_have(const struct config_strings *s, const char *value);
/* A string under a free name, NULL if absent or not a string; borrowed. */
const char *config_string(struct config *cfg, const char *path);

/* Reports an error at the place of path ("channels.main.allow[0]"), or of its nearest parent that exists.
 * The sentence is printed as it is: it names the key itself. The same one at the same place is kept once. */
__attribute__((format(printf, 3, 4))) void config_error(
    struct config *cfg, const char *path, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void config_warning(
    struct config *cfg, const char *path, const char *fmt, ...);
size_t config_error_count(const struct config *cfg);
/* All errors, one FILE:LINE: message a line, sorted by line; then likewise the warnings. */
void config_errors(const struct config *cfg, struct buf *out);
void config_warnings(const struct config *cfg, struct buf *out);
const char *config_file(const struct config *cfg);
/* The text that was read, appended, with what it includes in place. */
void config_text(const struct config *cfg, struct buf *out);
/* A string at the top of a file that may be broken further down, malloc'd; NULL: none was found. Reads the
 * file. */
char *config_peek(const char *file, const char *name);
/* FILE:LINE of path, or of its nearest parent that exists, appended. */
void config_where(const struct config *cfg, const char *path, struct buf *out);

/* Markdown documentation of sections: a table of key, type, default, meaning for each. */
void config_document(struct buf *out, const struct config_section *const *sections, size_t count);

#endif
