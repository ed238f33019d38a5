#ifndef CLI_INIT_OLLAMA_H
#define CLI_INIT_OLLAMA_H
/* Detects a model server on this machine, for `myna init`. */

/* Returns the first model of a local Ollama ($OLLAMA_HOST, or its default port); "" when it has none, NULL
 * when none runs. *provider: its name in an answer. Both malloc'd. Runs the loop; waits a few seconds at
 * most. */
char *init_find_ollama(char **provider);

#endif
