#ifndef PLAYGROUND_SLACK_SLACK_H
#define PLAYGROUND_SLACK_SLACK_H
/* Slack's Web API and Socket Mode (docs.slack.dev, May 2026), as far as methods.table lists them. */
#include "playground/platform.h"

extern const struct platform slack_platform;

#endif
