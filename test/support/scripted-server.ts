import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached the {@link ScriptedServer}. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one request. */
export type Script = (request: SeenRequest, response: ServerResponse) => void;

/** A real HTTP server on a loopback port that answers as a test tells it: for faults that no sandbox commits. */
export interface ScriptedServer {
  readonly baseUrl: URL;
  readonly seen: readonly SeenRequest[];
  /** Replaces the script. */
  answerWith(script: Script): void;
  close(): Promise<void>;
}

/** Starts a scripted server. */
export async function startScriptedServer(first: Script): Promise<ScriptedServer> {
  let script = first;
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      seen.push(request);
      script(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: new URL(`http://127.0.0.1:${port}/gateway`),
    seen,
    answerWith: (next) => {
      script = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A script that answers JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Script {
  return raw(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers });
}

/** A script that answers any text. */
export function raw(body: string, status = 200, headers: Record<string, string> = {}): Script {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}
