#ifndef BASE_SECRET_SECRET_H
#define BASE_SECRET_SECRET_H
/*
 * The one table of secrets (tokens, keys), and their exact-match redaction. Every
 * sink (log, chat, model, database) runs its text through secret_redact: after what
 * drops bytes (utf8_sanitize) and before what cuts, because half a secret is not found.
 * All of this may be called on any thread.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;

/* Resolves a setting: "file:PATH" (a regular file, ours or root's, mode & 077 == 0,
 * one trailing newline dropped), "cred:NAME" (under $CREDENTIALS_DIRECTORY; others may
 * have no access) or the literal. One line, at most 4 KiB; "env:" is refused. The value
 * is registered for redaction. NULL with err set on failure; the string lives until
 * secret_forget_all. Reads a small file: at start and reload only. */
const char *secret_resolve(const char *setting, struct error *err);
/* Registers a value (at least 6 bytes; shorter ones are not redacted). */
void secret_register(const char *value);
/* Appends text with every registered secret, also as URL-, base64- and JSON-escaped,
 * and everything shaped like a bot token (base/secret/token_shape.h) as [redacted]. */
void secret_redact(struct buf *out, const char *text, size_t len);
/* The same in place, for a malloc'd string; *text may be NULL. */
void secret_redact_in_place(char **text);
/* Would secret_redact change text? */
bool secret_in(const char *text, size_t len);
/* Wipes the table; strings from secret_resolve end here. */
void secret_forget_all(void);

#endif
