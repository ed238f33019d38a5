#ifndef PLAYGROUND_MODEL_MESSAGES_SIGNATURE_H
#define PLAYGROUND_MODEL_MESSAGES_SIGNATURE_H
/* The signature of a thinking block, which reveals changes to the thinking. */
#include "base/sha256.h"

#define SIGNATURE_SIZE (SHA256_TEXT_SIZE + 8)

void messages_sign(const char *thinking, char out[SIGNATURE_SIZE]);

#endif
