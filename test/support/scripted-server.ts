import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that reached the {@link ScriptedServer}. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to one request. */
export type Script = (request: ReceivedRequest, response: ServerResponse) => void;

/** A real HTTP server on a loopback port with scripted responses, for faults that the sandbox does not have. */
export interface ScriptedServer {
  readonly baseUrl: URL;
  readonly requests: readonly ReceivedRequest[];
  /** Replaces the script. */
  respondWith(script: Script): void;
  close(): Promise<void>;
}

/** TLS options of a server, in PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A key and its self-signed certificate, for `service.test`, `proxy.test` and the loopback address. */
export function selfSigned(): KeyAndCertificate {
  const read = (name: string): string =>
    readFileSync(new URL(`../fixtures/self-signed-service-for-tests-only.${name}.pem`, import.meta.url), 'utf8');
  return { key: read('key'), cert: read('cert') };
}

/** Starts a scripted server, with TLS if the options are given. */
export async function startScriptedServer(initialScript: Script, tls?: KeyAndCertificate): Promise<ScriptedServer> {
  let script = initialScript;
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(request);
      // Node's server would send the machine's time, not the test's.
      response.setHeader('date', new Date().toUTCString());
      script(request, response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: new URL(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/gateway`),
    requests: requests,
    respondWith: (next) => {
      script = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A script that responds with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Script {
  return raw(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers });
}

/** A script that responds with text. */
export function raw(body: string, status = 200, headers: Record<string, string> = {}): Script {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
