// The control interface of the playground: what people do and see.

async function read(response) {
	let json = null;
	try { json = await response.json(); } catch { /* an answer that is no JSON is told by its status */ }
	if (!response.ok || json === null) {
		const error = new Error(json?.error || `The playground answered ${response.status}.`);
		error.status = response.status;
		throw error;
	}
	return json;
}

async function call(path, options) {
	let response;
	try {
		response = await fetch(path, { cache: "no-store", ...options });
	} catch {
		throw new Error("The playground cannot be reached. Does it still run?");
	}
	return read(response);
}

export function get(name, parameters) {
	const query = new URLSearchParams(Object.entries(parameters || {}).filter(([, v]) => v !== undefined && v !== null && v !== ""));
	return call(`/control/${name}${query.size ? "?" + query : ""}`);
}

export function post(name, body) {
	return call(`/control/${name}`, { method: "POST", headers: { "Content-Type": "application/json" },
		body: JSON.stringify(body) });
}

export async function fileBase64(file) {
	const data = new Uint8Array(await file.arrayBuffer());
	let text = "";
	for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
	return btoa(text);
}

// As /control takes files.
export const filesOf = (list) =>
	Promise.all(list.map(async (f) => ({ name: f.name, base64: await fileBase64(f), type: f.type || undefined })));

// The content of a message's file.
export async function download(where) {
	const answer = await get("file", where), text = atob(answer.base64);
	const data = Uint8Array.from(text, (c) => c.charCodeAt(0));
	return { name: answer.name, blob: new Blob([data], { type: answer.type || "application/octet-stream" }) };
}
