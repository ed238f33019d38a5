#ifndef PLAYGROUND_MODEL_REQUEST_JOURNAL_H
#define PLAYGROUND_MODEL_REQUEST_JOURNAL_H
/*
 * A file with one JSON line per model request: {"method","status","verdict","problems",["fault"],["body"]}.
 * body is present only with problems. A verdict "refused" with status 401 or 404 concerns the key, the URL or
 * the model name, not the request.
 */
struct error;
struct exchange;

/* Opens the file for appending; several playgrounds may share it. Returns -1 with err. */
int request_journal_open(const char *path, struct error *err);
void request_journal_add(int fd, const struct exchange *ex);

#endif
