#ifndef PLAYGROUND_EMBEDDED_H
#define PLAYGROUND_EMBEDDED_H
/* Files of this folder that the build turns into strings (embed.sh). */
struct embedded_file {
	const char *name, *text;
};

extern const char embedded_script[];               /* default-script.json */
extern const struct embedded_file embedded_page[]; /* page/; a row of NULLs ends it */

#endif
