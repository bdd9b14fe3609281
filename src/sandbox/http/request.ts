import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { isJsonObject, type JsonValue } from '../../lib/json.ts';
import type { MerchantFields } from '../../service/port.ts';
import type { WireRegistrationItem, WireRejection, WireTrackKey } from '../../service/wire.ts';
import type { SandboxEnvironment } from '../faults/active-faults.ts';
import type { Account, RegistrationRefusal, RegistrationRequest } from '../world/account.ts';
import type { Registration } from '../world/registration.ts';
import { badFormat, badParameter, missingParameter, RefusedCallError } from './responses.ts';

/** Accepts any port, because ports may be forwarded. */
export const isThisMachine = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);

/**
 * Rejects requests from other machines and from web pages. A loopback address is not enough: a page in the user's
 * browser can call it (`Origin`, 403), even under its own name (DNS rebinding; `Host`, 421).
 */
export function rejectOtherMachines(): MiddlewareHandler<SandboxEnvironment> {
  return async (context, next) => {
    if (!isThisMachine(context.req.header('host') ?? '')) {
      return context.text('The sandbox is only available as 127.0.0.1 or localhost.\n', 421);
    }
    const origin = context.req.header('origin');
    if (origin !== undefined && !isThisMachine(origin.replace(/^https?:\/\//i, ''))) {
      return context.text('The sandbox does not accept requests from web pages.\n', 403);
    }
    return await next();
  };
}

/** Far more than 100 items with all fields need. */
const maxBodyBytes = 256 * 1024;

type Call = Pick<Context, 'req'>;

const tooLarge = (): RefusedCallError => new RefusedCallError(413, 'A0400', 'the request body is too large');

/** Hono's body limit replaces a request without a length by a new one, which its Node server does not support. */
async function readBytes({ req }: Call): Promise<Uint8Array> {
  if (Number(req.header('content-length') ?? '0') > maxBodyBytes) throw tooLarge();
  const reader = req.raw.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** Throws a `RefusedCallError` if the body is not JSON, not declared as JSON, or too large. */
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

export const batchLimit = 100;
export const batchProblem = `a maximum of ${batchLimit} tracking numbers is allowed per request`;

/** Empty if absent or null. */
export const trimmed = v.pipe(v.nullish(v.string(), ''), v.trim());

/** Null if absent, null or blank. */
export const text = v.pipe(
  trimmed,
  v.transform((value) => (value === '' ? null : value)),
);

export const required = (name: string) => v.pipe(trimmed, v.nonEmpty(`${name} cannot be empty`));

export const batch = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.maxLength(batchLimit, batchProblem));

export const nonEmptyBatch = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(batch(item), v.nonEmpty('at least one tracking number is required'));

/** Ignores unknown fields. */
export function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  const fields = v.object(entries);
  return v.pipe(v.custom<v.InferInput<typeof fields>>(isJsonObject), fields);
}

export const numberRef = object({ trackNo: trimmed, courierCode: text });
export type NumberRef = Readonly<v.InferOutput<typeof numberRef>>;

/** Throws a `RefusedCallError` if the value does not match. */
export function read<Schema extends v.GenericSchema>(schema: Schema, value: JsonValue): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [{ kind, type, message }] = result.issues;
  if (kind === 'schema') throw badFormat();
  throw type === 'non_empty' ? missingParameter(message) : badParameter(message);
}

const maxNumberLength = 50;
const numberPattern = /^[0-9A-Za-z][0-9A-Za-z ._/-]*$/;
const postalCodePattern = /^[0-9A-Za-z+\- ]{1,15}$/;
const phoneSuffixPattern = /^\d{4}$/;

const merchantTexts = {
  orderNo: text,
  country: text,
  shipTime: text,
  customerEmail: text,
  remark: text,
  custom1: text,
  custom2: text,
};

export interface TrackingItem extends RegistrationRequest {
  /** The item as the public service returns it, without blank fields, `custom1` and `custom2`. */
  readonly echo: WireRegistrationItem;
}

export const trackingItem = v.pipe(
  object({
    trackNo: trimmed,
    courierCode: text,
    postalCode: text,
    extendFieldMap: v.nullish(object({ phoneSuffix: text })),
    ...merchantTexts,
  }),
  v.transform(({ trackNo, courierCode, postalCode, extendFieldMap, ...texts }): TrackingItem => {
    const phoneSuffix = extendFieldMap?.phoneSuffix ?? null;
    const merchant: MerchantFields = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null));
    const { custom1: _custom1, custom2: _custom2, ...echoed } = merchant;
    return {
      trackNo,
      courierCode,
      merchant,
      extra: { postalCode, phoneSuffix },
      echo: {
        trackNo,
        ...(courierCode === null ? {} : { courierCode }),
        ...echoed,
        ...(postalCode === null ? {} : { postalCode }),
        ...(phoneSuffix === null ? {} : { extendFieldMap: { phoneSuffix } }),
      },
    };
  }),
);

export function blankedFields(value: JsonValue): MerchantFields {
  const fields = isJsonObject(value) ? value : {};
  const isBlank = (field: unknown): boolean => typeof field === 'string' && field.trim() === '';
  const names = Object.keys(merchantTexts).filter((name) => isBlank(fields[name]));
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Returns what is wrong with an item, in the service's words, or null. */
export function itemProblem({ trackNo, extra: { postalCode, phoneSuffix } }: TrackingItem): string | null {
  if (trackNo === '') return 'trackNo cannot be empty';
  if (trackNo.length > maxNumberLength || !numberPattern.test(trackNo)) return 'trackNo format error';
  if (postalCode !== null && !postalCodePattern.test(postalCode)) return 'postalCode format error';
  if (phoneSuffix !== null && !phoneSuffixPattern.test(phoneSuffix)) return 'phoneSuffix format error';
  return null;
}

/** The public service also sends this message for a number whose courier it does not detect. */
export const notRegistered = 'trackNo not registered';

export function refusalMessage(refusal: RegistrationRefusal): string {
  switch (refusal.kind) {
    case 'duplicate':
      return 'The order number has been imported';
    case 'unsupported-courier':
      return 'unsupported logistics supplier code';
    case 'undetectable':
      return notRegistered;
  }
}

/** The code is the same for every reason. */
export function rejection(
  index: number,
  { trackNo, orderNo }: { readonly trackNo: string; readonly orderNo?: string | undefined },
  courierCode: string | null,
  message: string,
): WireRejection {
  return {
    index,
    trackNo,
    ...(orderNo === undefined ? {} : { orderNo }),
    ...(courierCode === null ? {} : { courierCode }),
    error: { code: 'A0400', msg: message },
  };
}

export function trackKey({ trackNo, courier }: Registration): WireTrackKey {
  return { trackNo, courierCode: courier.code };
}

export function rejectUnregistered(account: Account, numbers: readonly NumberRef[]): readonly WireRejection[] {
  return numbers.flatMap(({ trackNo, courierCode }, index) =>
    account.find(trackNo, courierCode).length > 0 ? [] : [rejection(index, { trackNo }, null, notRegistered)],
  );
}
