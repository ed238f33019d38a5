/* The gateway, measured from outside with the playground around it; tests/bench/run says with what. */
#include <getopt.h>

#include "base/mem.h"
#include "bench/bench.h"

static const struct measure *const measures[] = {
    &measure_acks,
    &measure_burst,
    &measure_disk,
    &measure_first,
    &measure_growth,
    &measure_idle,
    &measure_latency,
    &measure_limits,
    &measure_playground,
    &measure_start,
    &measure_streams,
};

static const struct option rows[] = {
    {"around", required_argument, NULL, 'a'},
    {"bot", required_argument, NULL, 'b'},
    {"chats", required_argument, NULL, 'c'},
    {"dir", required_argument, NULL, 'd'},
    {"everywhere", no_argument, NULL, 'e'},
    {"messages", required_argument, NULL, 'm'},
    {"name", required_argument, NULL, 'n'},
    {"peer", required_argument, NULL, 'v'},
    {"platform", required_argument, NULL, 'f'},
    {"poll", required_argument, NULL, 'p'},
    {"preload", required_argument, NULL, 'l'},
    {"runs", required_argument, NULL, 'r'},
    {"script", required_argument, NULL, 's'},
    {"seconds", required_argument, NULL, 'w'},
    {"text", required_argument, NULL, 't'},
    {"under", required_argument, NULL, 'u'},
    {NULL, 0, NULL, 0},
};

static size_t read_count(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (n == 0 || *end != '\0')
		bench_die("\"%s\" is not a positive number", text);
	return n;
}

static void read_option(struct bench_options *o, int option, const char *value)
{
	switch (option) {
	case 'a':
		o->around = value;
		break;
	case 'b':
		o->bot = value;
		break;
	case 'c':
		o->chats = read_count(value);
		break;
	case 'd':
		o->dir = value;
		break;
	case 'e':
		o->everywhere = true;
		break;
	case 'f':
		o->platform = value;
		break;
	case 'l':
		o->preload = value;
		break;
	case 'm':
		o->messages = read_count(value);
		break;
	case 'n':
		o->name = value;
		break;
	case 'p':
		o->poll_s = (unsigned)read_count(value);
		break;
	case 'r':
		o->runs = read_count(value);
		break;
	case 's':
		o->script = value;
		break;
	case 't':
		o->text = value;
		break;
	case 'u':
		o->under = value;
		break;
	case 'v':
		if (o->peer_count == BENCH_PEERS_MAX)
			bench_die("there are more than %d peers", BENCH_PEERS_MAX);
		o->peers[o->peer_count++] = value;
		break;
	case 'w':
		o->seconds = (unsigned)read_count(value);
		break;
	default:
		bench_die("usage: bench_gateway MEASURE --dir DIR --script FILE [--OPTION VALUE]...");
	}
}

int main(int argc, char **argv)
{
	struct bench_options o = {
	    .text = "Hello", .chats = 1, .messages = 1, .runs = 1, .seconds = 10, .poll_s = 30};
	int option;

	while ((option = getopt_long(argc, argv, "", rows, NULL)) >= 0)
		read_option(&o, option, optarg);
	if (optind + 1 != argc || !o.dir || !o.script)
		read_option(&o, 0, NULL);
	if (!o.name)
		o.name = argv[optind];
	for (size_t i = 0; i < ARRAY_LEN(measures); i++)
		if (strcmp(measures[i]->name, argv[optind]) == 0) {
			measures[i]->run(&o);
			return 0;
		}
	bench_die("there is no measure \"%s\"", argv[optind]);
}
