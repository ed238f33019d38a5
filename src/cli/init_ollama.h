#ifndef CLI_INIT_OLLAMA_H
#define CLI_INIT_OLLAMA_H
/* A model server on this machine, for those who are asked which model they want. */

/* The first model of the Ollama that runs here ($OLLAMA_HOST, or its usual port); "" when it has none. NULL:
 * none runs. *provider: how it is named in an answer. Both malloc'd. Runs the loop; waits some seconds at
 * most for who does not answer. */
char *init_find_ollama(char **provider);

#endif
