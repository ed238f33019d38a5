#include "base/read_error.h"

#include <errno.h>

static size_t count;

bool read_error_note(int number)
{
	switch (number) {
	case EACCES:
	case EAGAIN:
	case EIO:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EPERM:
	case ESTALE:
	case ETIMEDOUT:
		count++;
		return true;
	default:
		return false;
	}
}

size_t read_error_take(void)
{
	size_t taken = count;

	count = 0;
	return taken;
}
