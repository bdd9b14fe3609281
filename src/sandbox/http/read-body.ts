import type { Context } from 'hono';
import type { JsonValue } from '../../lib/json.ts';
import { badFormat, RefusedCallError } from './answers.ts';

/** 100 items with every field filled stay far below. */
const largestBody = 256 * 1024;

type Call = Pick<Context, 'req'>;

const tooLarge = (): RefusedCallError => new RefusedCallError(413, 'A0400', 'the request body is too large');

/**
 * The bytes of the body, whether or not its length was announced. hono's own limit makes a new request of a body
 * without a length, which the requests of its server for Node do not allow.
 */
async function readBytes({ req }: Call): Promise<Uint8Array> {
  if (Number(req.header('content-length') ?? '0') > largestBody) throw tooLarge();
  const reader = req.raw.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.length;
    // The rest stays unread: the answer goes out before it.
    if (size > largestBody) throw tooLarge();
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** The body as JSON. Throws a `RefusedCallError` when it is none, not declared as such, or too large. */
export async function readBody(call: Call): Promise<JsonValue> {
  const type = call.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw badFormat();
  const text = new TextDecoder().decode(await readBytes(call));
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw badFormat();
  }
}
