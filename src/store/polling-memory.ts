import * as v from 'valibot';
import type { Shape } from '../service/schema.ts';
import type { FixedServiceClock } from '../service/service-clock.ts';
import type { Document } from './store.ts';

const coolDownSchema = v.object({
  /** Milliseconds since 1970. */
  until: v.pipe(v.number(), v.finite()),
  /** True if the service asked for this pause. Then no request is sent earlier, not even for the user. */
  byService: v.boolean(),
  /** Consecutive failed requests, for the back-off. */
  failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

const lagSchema = v.object({
  /** How long after a record's `nextUpdateTime` to query it, in milliseconds. */
  ms: v.pipe(amount, v.maxValue(2 * 60 * 60_000)),
  /** The longest known time after `nextUpdateTime` at which a record was still unchanged, in milliseconds. */
  least: amount,
  /** The lag before it was last shortened. Null if it was never shortened, or has been raised since. */
  former: v.nullable(amount),
  /** When to try a shorter lag next, in milliseconds since 1970. Null means never. */
  probeAt: v.nullable(v.pipe(v.number(), v.finite())),
  /** Time between two probes, in milliseconds. Doubles after a failed probe. */
  probePauseMs: amount,
});

/** Parsed field by field: an invalid field counts as missing. */
const memorySchema = v.object({
  /** How far the service's clock is ahead of UTC. Null until it has been measured. */
  measuredOffsetMinutes: v.fallback(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-12 * 60), v.maxValue(14 * 60))),
    null,
  ),
  /** How far the service's clock runs ahead of ours, in milliseconds. 0 if unknown or negligible. */
  skewMs: v.fallback(v.pipe(v.number(), v.finite()), 0),
  coolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** The cool-down of registrations. */
  registerCoolDown: v.fallback(v.nullable(coolDownSchema), null),
  /** The learned lag of the service's records. Null while unknown. */
  lag: v.fallback(v.nullable(lagSchema), null),
  /** True while the user has paused polling. */
  paused: v.fallback(v.boolean(), false),
});

export interface CoolDown extends Shape<typeof coolDownSchema> {}

/** The delay between the announced and the actual update of records, learned from responses. */
export interface ServiceLag extends Shape<typeof lagSchema> {}

/** Polling state that is kept across restarts. */
export interface PollingMemoryData extends Shape<typeof memorySchema> {}

/** Shared by all processes. */
export type PollingMemory = Document<PollingMemoryData>;

export const emptyPollingMemory: PollingMemoryData = v.parse(memorySchema, {});

/** Returns the measured offset as a service clock, or null if it has not been measured. */
export function measuredClock({
  measuredOffsetMinutes,
}: Pick<PollingMemoryData, 'measuredOffsetMinutes'>): FixedServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

/** Parses a saved value. Returns the empty memory if it is not valid. */
export const readPollingMemory = (value: unknown): PollingMemoryData =>
  v.parse(v.fallback(memorySchema, emptyPollingMemory), value);
