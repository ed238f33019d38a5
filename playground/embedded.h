#ifndef PLAYGROUND_EMBEDDED_H
#define PLAYGROUND_EMBEDDED_H
/* Files that the build embeds as strings (embed.sh). */
struct embedded_file {
	const char *name, *text;
};

extern const char embedded_script[];                 /* default-script.json */
extern const struct embedded_file embedded_page[];   /* page/, ended by a row of NULLs */
extern const struct embedded_file embedded_tables[]; /* *.table, as "telegram/methods.table"; likewise */

#endif
