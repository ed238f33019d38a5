#include "crash/talk.h"

#include "base/mem.h"

const struct talk talks[] = {
    {.name = "first start",
	.first_start = true,
	.lines = {{"77", "77", "ask alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}}},
    {.name = "question",
	.lines = {{"77", "77", "ask alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}}},
    {.name = "file",
	.lines = {{"77", "77", "read notes for alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}}},
    {.name = "files at once",
	.lines = {{"77", "77", "compare all for alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}}},
    {.name = "note",
	.note = "gamma",
	.lines = {{"77", "77", "note gamma for alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}}},
    {.name = "file in, file out",
	.file = "The plan of alpha.",
	.lines = {{"-1001", "79", "good morning", NULL}, {"77", "77", "return this for alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}, {"-1001", 1, {"Notice of alpha"}, true}}},
    {.name = "another chat",
	.lines = {{"-1001", "79", "good morning", NULL}, {"77", "77", "tell ops of alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}, {"-1001", 1, {"Notice of alpha"}, true}}},
    {.name = "two in a row",
	.lines = {{"77", "77", "ask alpha", NULL}, {"77", "77", "read notes for beta", NULL}},
	.chats = {{"77", 2, {"Answer to alpha", "Answer to beta"}, false}}},
    {.name = "long answer",
	.lines = {{"77", "77", "at length of alpha", NULL}},
	.chats = {{"77", 3, {"Answer to alpha"}, false}}},
    {.name = "new conversation",
	.lines = {{"77", "77", "ask alpha", NULL}, {"77", "77", "/new", "Answer to alpha"},
	    {"77", "77", "ask beta", "A new conversation"}},
	.chats = {{"77", 3, {"Answer to alpha", "A new conversation", "Answer to beta, message 1"}, false}}},
    {.name = "two chats",
	.lines = {{"77", "77", "read notes for alpha", NULL}, {"78", "78", "ask beta", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}, {"78", 1, {"Answer to beta"}, false}}},
    {.name = "while it works",
	.lines = {{"-1001", "79", "good morning", NULL}, {"77", "77", "read notes for alpha", NULL},
	    {"77", "77", "tell ops of beta", ""}, {"78", "78", "ask gamma", ""}},
	.chats = {{"77", 2, {"Answer to alpha", "Answer to beta"}, false}, {"78", 1, {"Answer to gamma"}, false},
	    {"-1001", 1, {"Notice of beta"}, true}}},
    {.name = "connection lost",
	/* The message arrives and its answer does not; the connection was used to show "typing" while the model
	 * thought, so that curl would send again. */
	.fault = "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1,\"kind\":\"cut\",\"at_byte\":0}",
	.lines = {{"77", "77", "think about alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}}},
    {.name = "seen in a group",
	/* Written for half a second, in which the group sees it grow. */
	.lines = {{"-1001", "77", "@myna_bot at leisure of alpha", NULL}},
	.chats = {{"-1001", 1, {"Answer to alpha"}, false}}},
    {.name = "operator",
	.lines = {{"-1001", "79", "good morning", NULL}, {"-1001", NULL, "Notice of beta.", NULL},
	    {"77", "77", "ask alpha", NULL}},
	.chats = {{"77", 1, {"Answer to alpha"}, false}, {"-1001", 1, {"Notice of beta"}, true}}},
};

const size_t talk_count = ARRAY_LEN(talks);

const struct talk_file talk_files[] = {
    {"notes.txt", "The launch is on Friday.\n"},
    {"one.txt", "first\n"},
    {"two.txt", "second\n"},
    {"three.txt", "third\n"},
};

const size_t talk_file_count = ARRAY_LEN(talk_files);
