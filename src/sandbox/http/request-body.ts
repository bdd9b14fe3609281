import * as v from 'valibot';
import { isJsonObject, type JsonValue } from '../../lib/json.ts';
import { badFormat, badParameter, missingParameter } from './answers.ts';

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
