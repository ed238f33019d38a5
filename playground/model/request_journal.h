#ifndef PLAYGROUND_MODEL_REQUEST_JOURNAL_H
#define PLAYGROUND_MODEL_REQUEST_JOURNAL_H
/*
 * A file with a line for each request to the model, as JSON:
 * {"method","status","verdict","problems",["fault"],["body"]}. The body is there when there is a problem with
 * it. A verdict of "refused" with status 401 or 404 is about the key, the URL or the model's name, and not
 * about the request.
 */
struct error;
struct exchange;

/* Appends to that file, which several playgrounds may have; -1 with err. */
int request_journal_open(const char *path, struct error *err);
void request_journal_add(int fd, const struct exchange *ex);

#endif
