// A server built on version 2 of the MCP SDK, which speaks both eras: node mcp_server.mjs stdio|http
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const legacy = process.argv[3] === "modern" ? "reject" : undefined;

const object = (properties, required = []) => fromJsonSchema({ type: "object", properties, required });
const text = value => ({ content: [{ type: "text", text: value }] });

function build() {
	const server = new McpServer({ name: "sdk-v2", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
	server.registerTool("add", { description: "Adds two numbers.", inputSchema: object({ a: { type: "number" }, b: { type: "number" } }, ["a", "b"]) },
		({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));
	server.registerTool("where", { description: "Tells the region.", inputSchema: object({ region: { type: "string", "x-mcp-header": "Region" } }, ["region"]) },
		({ region }) => text(`in ${region}`));
	server.registerTool("grow", { description: "Adds a tool.", inputSchema: object({}) }, () => {
		server.registerTool("grown", { description: "Was added.", inputSchema: object({}) }, () => text("here"));
		return text("grown");
	});
	server.registerTool("wait", { description: "Waits until it is cancelled.", inputSchema: object({}) }, async (args, context) => {
		await new Promise(resolve => (context.mcpReq?.signal ?? context.signal).addEventListener("abort", resolve));
		console.error("wait was cancelled");
		return text("cancelled");
	});
	return server;
}

if (process.argv[2] === "stdio") {
	serveStdio(build, { legacy });
} else {
	const handler = toNodeHandler(createMcpHandler(build, { legacy }));
	createServer((req, res) => handler(req, res)).listen(0, "127.0.0.1", function () { console.log(`listening on ${this.address().port}`); });
}
