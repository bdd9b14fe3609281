import * as v from 'valibot';
import type { Shape } from '../service/schema.ts';
import type { FixedServiceClock } from '../service/service-clock.ts';
import { createMemoryDocument, type Document } from './document.ts';

const coolDownSchema = v.object({
  /** An instant in milliseconds. */
  until: v.pipe(v.number(), v.finite()),
  /** True when the service named the time (Retry-After): then no call goes out earlier, not even for the user. */
  byService: v.boolean(),
  /** Failed calls in a row; drives the back-off. */
  failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

const lagSchema = v.object({
  /** How long after a record's `nextUpdateTime` it is asked for, in milliseconds. */
  ms: v.pipe(amount, v.maxValue(2 * 60 * 60_000)),
  /** The longest time after which a record still was the old one, as far as is known. */
  least: amount,
  /** The lag before it was shortened last; null where that has proved too long, or was none. */
  former: v.nullable(amount),
  /** When a shorter lag is tried next, an instant in milliseconds; null for never. */
  probeAt: v.nullable(v.pipe(v.number(), v.finite())),
  /** How long to wait after the next attempt in vain, halved. */
  probePauseMs: amount,
});

/** What cannot be used of a kept value counts as not remembered, field by field. */
const memorySchema = v.object({
  /** The service clock as measured; null until it has been. */
  measuredOffsetMinutes: v.fallback(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-12 * 60), v.maxValue(14 * 60))),
    null,
  ),
  /** How far the service's clock is ahead of ours, in milliseconds; 0 when unknown or too little to matter. */
  skewMs: v.fallback(v.pipe(v.number(), v.finite()), 0),
  coolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** Holds back registrations. */
  registerCoolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** How late the service's records change, as learned; null while nothing is known. */
  lag: v.fallback(v.nullable(lagSchema), null),
  /** True while the user has paused polling. */
  paused: v.fallback(v.boolean(), false),
});

export interface CoolDown extends Shape<typeof coolDownSchema> {}

/** How long after its own plan the service has a new record, as learned from its answers. */
export interface ServiceLag extends Shape<typeof lagSchema> {}

/** What polling remembers over a restart. */
export interface PollingMemoryData extends Shape<typeof memorySchema> {}

/** What polling keeps over a restart, for all processes alike. Methods reject with a `StoreError`. */
export interface PollingMemory {
  /** What was kept last; nothing remembered when there is none or it is damaged. */
  load(): Promise<PollingMemoryData>;
  /** Keeps changes beside what other processes have kept; returns all that is kept then. */
  update(changes: Partial<PollingMemoryData>): Promise<PollingMemoryData>;
  /** Set where hosts share it: a process must not call that cannot know whether another was asked for a pause. */
  readonly isBinding?: true;
}

export const emptyPollingMemory: PollingMemoryData = v.parse(memorySchema, {});

/** The measured offset as a service clock; null when it has not been measured. */
export function measuredClock({
  measuredOffsetMinutes,
}: Pick<PollingMemoryData, 'measuredOffsetMinutes'>): FixedServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

/** What a kept value holds; nothing remembered where that is none. */
export const readPollingMemory = (value: unknown): PollingMemoryData =>
  v.parse(v.fallback(memorySchema, emptyPollingMemory), value);

/** Makes a polling memory; without a document it remembers as long as the program runs. */
export function createPollingMemory(
  document: Document<PollingMemoryData> = createMemoryDocument(emptyPollingMemory),
): PollingMemory {
  return {
    ...(document.isBinding === undefined ? {} : { isBinding: document.isBinding }),
    load: () => document.read(),
    update: (changes) => document.update((data) => ({ ...data, ...changes })),
  };
}
