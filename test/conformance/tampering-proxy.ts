import { request } from 'undici';
import type { JsonValue } from '../../src/lib/json.ts';
import { type ReceivedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

/** How a broken deployment changes calls and responses. */
export interface Tampering {
  /** Changes the request. If it returns null, the request is not sent, and the response is an empty success. */
  readonly changeRequest?: (request: ReceivedRequest) => Pick<ReceivedRequest, 'headers' | 'body'> | null;
  /** Changes a response's body. */
  readonly changeResponse?: (body: JsonValue, path: string) => JsonValue;
}

const emptySuccess = { code: '00000', msg: 'Success', traceId: 'e'.repeat(32), data: { accepted: [], rejected: [] } };

/** Starts a server that changes calls and responses and forwards them. */
export async function startTamperingProxy(
  target: string,
  { changeRequest, changeResponse }: Tampering,
): Promise<ScriptedServer> {
  const pass = async (original: ReceivedRequest): Promise<{ status: number; body: JsonValue }> => {
    const path = original.path.replace(/^\/gateway/, '');
    const changed = changeRequest === undefined ? original : changeRequest(original);
    if (changed === null) return { status: 200, body: emptySuccess };
    const { 'content-length': _length, host: _host, connection: _connection, ...headers } = changed.headers;
    const { statusCode, body } = await request(`${target}${path}`, {
      method: original.method as 'GET' | 'POST',
      headers,
      ...(original.method === 'POST' ? { body: changed.body } : {}),
    });
    const received = (await body.json()) as JsonValue;
    return { status: statusCode, body: changeResponse === undefined ? received : changeResponse(received, path) };
  };
  return startScriptedServer((original, response) => {
    pass(original).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
}
