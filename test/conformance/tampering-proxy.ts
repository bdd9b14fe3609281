import { request } from 'undici';
import type { JsonValue } from '../../src/lib/json.ts';
import { type ReceivedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

/** How a broken deployment changes calls and responses. */
export interface Tampering {
  /** Changes the request. Null returns a success without sending it. */
  readonly changeRequest?: (seen: ReceivedRequest) => Pick<ReceivedRequest, 'headers' | 'body'> | null;
  /** Changes a response's body. */
  readonly changeResponse?: (body: JsonValue, path: string) => JsonValue;
}

const hollowSuccess = { code: '00000', msg: 'Success', traceId: 'e'.repeat(32), data: { accepted: [], rejected: [] } };

/** A server that forwards calls to another one and changes them. */
export async function startTamperingProxy(
  target: string,
  { changeRequest: send, changeResponse: answer }: Tampering,
): Promise<ScriptedServer> {
  const pass = async (seen: ReceivedRequest): Promise<{ status: number; body: JsonValue }> => {
    const path = seen.path.replace(/^\/gateway/, '');
    const requested = send === undefined ? seen : send(seen);
    if (requested === null) return { status: 200, body: hollowSuccess };
    const { 'content-length': _length, host: _host, connection: _connection, ...headers } = requested.headers;
    const { statusCode, body } = await request(`${target}${path}`, {
      method: seen.method as 'GET' | 'POST',
      headers,
      ...(seen.method === 'POST' ? { body: requested.body } : {}),
    });
    const reported = (await body.json()) as JsonValue;
    return { status: statusCode, body: answer === undefined ? reported : answer(reported, path) };
  };
  return startScriptedServer((seen, response) => {
    pass(seen).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
}
