// Leads to the playground what goes to port 443 of this machine, as a firewall's rule would: for libraries that take no port.
import tls from "node:tls";

const connect = tls.connect;
tls.connect = (options, ...rest) => connect({ ...options, port: Number(options.port) === 443 ? process.env.PORT_443 : options.port }, ...rest);
