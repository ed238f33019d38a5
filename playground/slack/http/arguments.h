#ifndef PLAYGROUND_SLACK_HTTP_ARGUMENTS_H
#define PLAYGROUND_SLACK_HTTP_ARGUMENTS_H
/* Reads the arguments of a call: query, form or JSON, by Content-Type (docs.slack.dev/apis/web-api). */
struct slk_call;

/* Fills call->params. Returns -1 after slk_refuse. */
int slk_arguments_read(struct slk_call *call);

#endif
