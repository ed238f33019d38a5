#include "playground/model/messages/messages.h"

#include <stdio.h>
#include <string.h>

void messages_sign(const char *thinking, char out[SIGNATURE_SIZE])
{
	char hash[SHA256_TEXT_SIZE];

	sha256_text(thinking, strlen(thinking), hash);
	snprintf(out, SIGNATURE_SIZE, "sig+/%s=", hash);
}
