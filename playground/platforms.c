#include <stddef.h>

#include "playground/platform.h"
#include "playground/telegram/telegram.h"

const struct platform *const platforms[] = {
    &telegram_platform,
    NULL,
};
