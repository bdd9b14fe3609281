import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { isJsonObject, type JsonValue } from '../../lib/json.ts';
import type { SandboxEnvironment } from '../faults/fault-middleware.ts';
import { badFormat, badParameter, missingParameter, RefusedCallError } from './answers.ts';

/** Whether a host is this machine; its port may be another one than ours: people forward ports. */
export const isThisMachine = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);

/**
 * Lets through only what programs of this machine send. A loopback address alone does not keep others out: a web page
 * can send to it from the user's own browser, and can make a name of its own stand for it to read the answers (DNS
 * rebinding). Its name then stands in `Host` (421), and the page's own in `Origin` (403).
 */
export function fromThisMachine(): MiddlewareHandler<SandboxEnvironment> {
  return async (context, next) => {
    if (!isThisMachine(context.req.header('host') ?? '')) {
      return context.text(
        'The sandbox answers to the names of this machine only, such as 127.0.0.1 or localhost.\n',
        421,
      );
    }
    const origin = context.req.header('origin');
    if (origin !== undefined && !isThisMachine(origin.replace(/^https?:\/\//i, ''))) {
      return context.text('The sandbox does not answer to web pages.\n', 403);
    }
    return await next();
  };
}

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

/*
 * What requests are made of. A value of another type is a bad format, whatever it is; other complaints are in the words
 * of the schema.
 */

/** Most numbers in one call, of any operation. */
export const batchLimit = 100;
export const batchProblem = `a maximum of ${batchLimit} tracking numbers is allowed per request`;

/** A text, trimmed; empty when it is absent or null. */
export const trimmed = v.pipe(v.nullish(v.string(), ''), v.trim());

/** A text, trimmed; null when it is absent, null or blank. */
export const text = v.pipe(
  trimmed,
  v.transform((value) => (value === '' ? null : value)),
);

/** A text that must be there. */
export const required = (name: string) => v.pipe(trimmed, v.nonEmpty(`${name} cannot be empty`));

/** Up to 100 elements. */
export const batch = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.maxLength(batchLimit, batchProblem));

/** From one to 100 elements. */
export const fullBatch = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(batch(item), v.nonEmpty('at least one tracking number is required'));

/** An object with these fields, and whatever else. */
export function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  const fields = v.object(entries);
  return v.pipe(v.custom<v.InferInput<typeof fields>>(isJsonObject), fields);
}

/** A number as the body of an operation names it. */
export const namedNumber = object({ trackNo: trimmed, courierCode: text });
export type NamedNumber = Readonly<v.InferOutput<typeof namedNumber>>;

/** Reads a body, or a part of it. Throws a `RefusedCallError` for one of another shape. */
export function read<Schema extends v.GenericSchema>(schema: Schema, value: JsonValue): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [{ kind, type, message }] = result.issues;
  if (kind === 'schema') throw badFormat();
  throw type === 'non_empty' ? missingParameter(message) : badParameter(message);
}
