#ifndef TOOLS_SCOPE_H
#define TOOLS_SCOPE_H
/*
 * What a turn shares with others: the folders of a chat and of a person, under the memory and under the
 * workspace. A thread has its chat's.
 */

struct address;
struct targets;

/* tools.workspace_scope */
enum workspace_scope { WORKSPACE_CHAT, WORKSPACE_PERSON, WORKSPACE_SHARED };
extern const char *const workspace_scope_choices[];

/* Returns the folder's relative path, malloc'd: "chat/telegram%3A77". Different chats have different ones. */
char *scope_chat_folder(const char *channel, const char *chat);
/* The same for a person: "person/telegram%3A77". A person with several accounts (people in the configuration)
 * has one folder. */
char *scope_person_folder(const struct targets *targets, const char *channel, const char *person);
/* Returns the folder below the workspace for a turn in that chat, malloc'd; NULL: the workspace itself.
 * person: a platform id; NULL or "" for nobody known or several people. */
char *scope_workspace_folder(enum workspace_scope scope, const struct targets *targets,
    const struct address *chat, const char *person);

#endif
