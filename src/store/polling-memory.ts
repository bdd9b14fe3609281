import * as v from 'valibot';
import type { Shape } from '../service/schema.ts';
import type { FixedServiceClock } from '../service/service-clock.ts';
import type { Document } from './store.ts';

const coolDownSchema = v.object({
  /** Milliseconds since 1970. */
  until: v.pipe(v.number(), v.finite()),
  /** True if the service named the time (Retry-After). Then no request is sent earlier, not even for the user. */
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
  /** The lag before it was last shortened. Null if the lag has since proved too long, or was never shortened. */
  former: v.nullable(amount),
  /** When to try a shorter lag next, in milliseconds since 1970. Null means never. */
  probeAt: v.nullable(v.pipe(v.number(), v.finite())),
  /** Half the wait after the next failed attempt. */
  probePauseMs: amount,
});

/** Parses a saved value field by field. An invalid field counts as missing. */
const memorySchema = v.object({
  /** The service's clock. Null until it is measured. */
  measuredOffsetMinutes: v.fallback(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-12 * 60), v.maxValue(14 * 60))),
    null,
  ),
  /** How far the service's clock is ahead of ours, in milliseconds. 0 if unknown or negligible. */
  skewMs: v.fallback(v.pipe(v.number(), v.finite()), 0),
  coolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** The cool-down of registrations. */
  registerCoolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** The learned lag of the service's records. Null while it is unknown. */
  lag: v.fallback(v.nullable(lagSchema), null),
  /** True while the user has paused polling. */
  paused: v.fallback(v.boolean(), false),
});

export interface CoolDown extends Shape<typeof coolDownSchema> {}

/** Delay between the planned and the actual update of records, learned from responses. */
export interface ServiceLag extends Shape<typeof lagSchema> {}

/** Polling state that survives restarts. */
export interface PollingMemoryData extends Shape<typeof memorySchema> {}

/** Shared by all processes, across restarts. */
export type PollingMemory = Document<PollingMemoryData>;

export const emptyPollingMemory: PollingMemoryData = v.parse(memorySchema, {});

/** Returns the measured offset as a service clock, or null if it was not measured. */
export function measuredClock({
  measuredOffsetMinutes,
}: Pick<PollingMemoryData, 'measuredOffsetMinutes'>): FixedServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

/** Parses a saved value. Empty if it is not valid. */
export const readPollingMemory = (value: unknown): PollingMemoryData =>
  v.parse(v.fallback(memorySchema, emptyPollingMemory), value);
