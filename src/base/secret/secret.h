#ifndef BASE_SECRET_SECRET_H
#define BASE_SECRET_SECRET_H
/*
 * The registry of secrets (tokens, keys) and their exact-match redaction. Every output (log, chat,
 * model, database) passes its text through secret_redact: after steps that drop bytes (utf8_sanitize)
 * and before steps that cut, because half a secret is not recognised. Callable on any thread.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;

/* Resolves a setting: "file:PATH" (a regular file, owned by us or root, without access for anyone else, but
 * root's may be 0640 with a group of ours; one trailing newline dropped), "cred:NAME" (under
 * $CREDENTIALS_DIRECTORY; the group may read it, others may not) or the literal. One line, at most 4 KiB;
 * "env:" is refused. Registers the value for redaction. Returns NULL with err set on
 * failure; the string lives until secret_forget_all. Reads a small file: at startup and reload only. */
const char *secret_resolve(const char *setting, struct error *err);
/* Calls fn with the path of each "file:" that a setting named; on the loop's thread. */
void secret_each_file(void (*fn)(void *arg, const char *path), void *arg);
/* Registers a value (at least 6 bytes; shorter ones are not redacted). */
void secret_register(const char *value);
/* Appends the text with every registered secret replaced. */
void secret_redact(struct buf *out, const char *text, size_t len);
/* Redacts a malloc'd string in place; *text may be NULL. Returns whether it had a secret. */
bool secret_redact_in_place(char **text);
/* Returns true when secret_redact would change the text. */
bool secret_in(const char *text, size_t len);
/* Wipes the registry and frees the strings of secret_resolve. */
void secret_forget_all(void);

#endif
