// An HTTP/2 server that takes every request and answers none: streams.mjs COUNT. Says its port, and "held" once COUNT
// requests wait. Its certificate and key are the files that BENCH_CERT and BENCH_KEY name.
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";

const count = Number(process.argv[2]);
let held = 0;

const server = createSecureServer({ cert: readFileSync(process.env.BENCH_CERT), key: readFileSync(process.env.BENCH_KEY) });
server.on("stream", (stream) => {
	stream.on("error", () => {});
	stream.resume().on("end", () => {
		if (++held === count)
			console.log("held");
	});
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
