import * as v from 'valibot';
import type { Shape } from '../service/schema.ts';
import type { FixedServiceClock } from '../service/service-clock.ts';
import type { Document } from './store.ts';

const coolDownSchema = v.object({
  /** Milliseconds since 1970. */
  until: v.pipe(v.number(), v.finite()),
  /** True if the service named the time (Retry-After): then no request goes out earlier, not even for the user. */
  byService: v.boolean(),
  /** Failed requests in a row, for the back-off. */
  failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

const lagSchema = v.object({
  /** How long after a record's `nextUpdateTime` we query it, in milliseconds. */
  ms: v.pipe(amount, v.maxValue(2 * 60 * 60_000)),
  /** The longest time after `nextUpdateTime` at which a record was still unchanged, as far as we know. */
  least: amount,
  /** The lag before it was last shortened; null if the lag has since proved too long, or was never shortened. */
  former: v.nullable(amount),
  /** When to try a shorter lag next, in milliseconds since 1970; null if never. */
  probeAt: v.nullable(v.pipe(v.number(), v.finite())),
  /** Half the wait after the next failed attempt. */
  probePauseMs: amount,
});

/** Reads a saved value field by field; an unusable field counts as missing. */
const memorySchema = v.object({
  /** The service's clock; null until it is measured. */
  measuredOffsetMinutes: v.fallback(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-12 * 60), v.maxValue(14 * 60))),
    null,
  ),
  /** How far the service's clock is ahead of ours, in milliseconds; 0 if unknown or negligible. */
  skewMs: v.fallback(v.pipe(v.number(), v.finite()), 0),
  coolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** Delays registrations. */
  registerCoolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** The learned lag of the service's records; null while it is unknown. */
  lag: v.fallback(v.nullable(lagSchema), null),
  /** True while the user has paused polling. */
  paused: v.fallback(v.boolean(), false),
});

export interface CoolDown extends Shape<typeof coolDownSchema> {}

/** Delay between the planned and the actual update of records, learned from answers. */
export interface ServiceLag extends Shape<typeof lagSchema> {}

/** Polling state that survives restarts. */
export interface PollingMemoryData extends Shape<typeof memorySchema> {}

/** Shared by all processes, across restarts. */
export type PollingMemory = Document<PollingMemoryData>;

export const emptyPollingMemory: PollingMemoryData = v.parse(memorySchema, {});

/** Returns the measured offset as a service clock; null if it was not measured. */
export function measuredClock({
  measuredOffsetMinutes,
}: Pick<PollingMemoryData, 'measuredOffsetMinutes'>): FixedServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

/** Reads a saved value; empty if it is not usable. */
export const readPollingMemory = (value: unknown): PollingMemoryData =>
  v.parse(v.fallback(memorySchema, emptyPollingMemory), value);
