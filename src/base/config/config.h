#ifndef BASE_CONFIG_CONFIG_H
#define BASE_CONFIG_CONFIG_H
/*
 * Reads the configuration file (libconfig) through tables. A row parses, checks, prints and documents
 * one setting. Reading continues after an error, so that all are reported at once, each as FILE:LINE:
 * message. An unknown key is an error that suggests the nearest name. Integers beyond 32 bits are
 * refused (libconfig 1.5 would truncate them silently): ids are quoted strings.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct config;
struct config_setting_t; /* libconfig's */
struct error;
struct json_object;

enum config_type {
	CONFIG_STRING,   /* char *, NULL when absent and no default; owned by the settings */
	CONFIG_INT,      /* int64_t; in unit as the help says */
	CONFIG_BOOL,     /* bool */
	CONFIG_SIZE,     /* int64_t bytes: 4096 or "64 KiB", "1 MiB" */
	CONFIG_DURATION, /* int64_t milliseconds: "250 ms", "30 s", "5 min", "1 h", "30 d", or 30 (seconds) */
	CONFIG_ENUM,     /* int: index into choices */
	CONFIG_MONEY,    /* int64_t millionths of an amount: 3, 0.25 or "0.25" */
	/* struct config_strings: array or list of quoted strings; a number in it is an error */
	CONFIG_STRINGS,
	CONFIG_SECRET /* const char *: resolved through base/secret; owned there */
};

enum config_flag {
	CONFIG_REQUIRED = 1,
	CONFIG_RESTART = 2 /* a change needs a restart; all others need a reload only */
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
	const char *fallback; /* default as in the file, without quotes; a list: "a, b"; NULL for none */
	int64_t min, max; /* of a number, in the field's unit; both 0: no limits; max < min: a minimum only */
	const char *const *choices; /* CONFIG_ENUM, NULL-terminated */
	const char *help;           /* one or two sentences; starts with a capital, ends with a full stop */
};

/* One group of the file: its path ("", "llm", "channels.*"), its rows, its purpose. "*" stands for names
 * that the user chooses. */
struct config_section {
	const char *path;
	const struct config_key *keys;
	size_t key_count;
	const char *help;
	/* Names of groups and values in this group that other sections or code read; "*" for any.
	 * NULL-terminated, may be NULL. */
	const char *const *children;
	bool restart; /* all its rows are CONFIG_RESTART */
};

/* Returns NULL when the file cannot be read or is not libconfig syntax; the error is then FILE:LINE:
 * message. Reads at most 1 MiB of UTF-8 with all includes; an @include path is relative to its file. May
 * block. */
struct config *config_load(const char *file, struct error *err);
/* Like config_load from text, for tests and defaults; messages use name as the file's name. */
struct config *config_parse(const char *name, const char *text, struct error *err);
void config_free(struct config *cfg);

/* Reads the group at path (dotted; "" is the top) into settings, which must be zeroed. An absent group
 * gives defaults, and errors for required keys; a wrong value gives an error and the default. Strings are
 * copied. The symbol is hidden because libconfig has a function of this name. */
__attribute__((visibility("hidden"))) void config_read(
    struct config *cfg, const char *path, const struct config_section *section, void *settings);
void config_settings_clear(const struct config_key *keys, size_t count, void *settings);
/* Copies old values of CONFIG_RESTART rows that differ into now, and calls changed for each. */
void config_settings_keep_restart_only(const struct config_section *section, const void *old, void *now,
    void (*changed)(void *arg, const struct config_key *key), void *arg);

/* Returns the number of names in a group and sets *names to them in file order. The caller frees the array;
 * the names are borrowed from cfg. 0 and NULL if the group is empty, absent, or not a group (then
 * reported). */
size_t config_names(struct config *cfg, const char *path, const char ***names);
bool config_has(struct config *cfg, const char *path);
/* Returns the number of groups in the list at path; its members are path[0] and on. 0 when it is absent or
 * not a list (then reported). */
size_t config_groups(struct config *cfg, const char *path);
/* Reads a list of strings under a free name (targets). Returns false when absent or wrong (then reported). */
bool config_read_strings(struct config *cfg, const char *path, struct config_strings *out);
void config_strings_clear(struct config_strings *s);
bool config_strings_have(const struct config_strings *s, const char *value);
/* Returns a borrowed string under a free name; NULL if absent or not a string. */
const char *config_string(struct config *cfg, const char *path);

/* Reports an error at the line of path ("channels.main.allow[0]"), or of its nearest existing parent. The
 * sentence is printed unchanged, so it must name the key. Repeats at the same line are dropped. */
__attribute__((format(printf, 3, 4))) void config_error(
    struct config *cfg, const char *path, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void config_warning(
    struct config *cfg, const char *path, const char *fmt, ...);
size_t config_error_count(const struct config *cfg);
/* Append the errors (warnings), one FILE:LINE: message a line, sorted by line. */
void config_errors(const struct config *cfg, struct buf *out);
void config_warnings(const struct config *cfg, struct buf *out);
/* Returns the file (0) and those that it includes; NULL behind the last. */
const char *config_file(const struct config *cfg, size_t i);
/* Appends the text that was read, with its includes expanded. */
void config_text(const struct config *cfg, struct buf *out);
/* Returns a malloc'd top-level string of a file that may be broken further down; NULL when not found. May
 * block. */
char *config_peek(const char *file, const char *name);
/* The revision of a configuration, 12 digits: the same for files that differ in comments, order and layout
 * alone, or in the settings and groups with these paths (NULL-terminated). */
#define CONFIG_REVISION_SIZE 13
void config_revision(const struct config *cfg, const char *const *without, char out[CONFIG_REVISION_SIZE]);
/* Appends FILE:LINE of path, or of its nearest existing parent. */
void config_where(const struct config *cfg, const char *path, struct buf *out);

/* Appends Markdown documentation of the sections: for each a table of key, type, default, meaning. */
void config_document(struct buf *out, const struct config_section *const *sections, size_t count);
/* Returns the same as an array, owned by the caller: an object for each setting, with its "name"
 * ("channels.NAME.token"), "type", "range" or "choices" if any, "default" (null for none), "required",
 * "restart" and "meaning". */
struct json_object *config_describe(const struct config_section *const *sections, size_t count);

#endif
