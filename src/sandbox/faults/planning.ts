import { secondMs } from '../../service/clock/clock.ts';
import { type PlanKeeping, punctual } from '../world/lookups.ts';
import { concerns, type FaultName, type FaultRule } from './fault-rule.ts';

const defaultLagMs = 30 * secondMs;
const defaultIntervalMs = secondMs;
const defaultSkewMs = 90 * secondMs;

/** Plans are on whole seconds. */
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / secondMs) * secondMs;

/** How the service keeps its plan for a number while these rules are in force. The last rule of a name counts. */
export function keepingOf(rules: readonly FaultRule[], trackNo: string): PlanKeeping {
  const find = (name: FaultName): FaultRule | undefined =>
    rules.findLast((rule) => rule.name === name && concerns(rule, trackNo));
  const [lag, interval] = [find('lag'), find('interval')];
  const leastLagMs = lag === undefined ? 0 : toSeconds(lag.delayMs ?? defaultLagMs);
  const everyMs = interval === undefined ? null : Math.max(secondMs, toSeconds(interval.delayMs ?? defaultIntervalMs));
  return {
    ...punctual,
    lagMs: [leastLagMs, Math.max(leastLagMs, toSeconds(lag?.longestMs ?? 0))],
    everyMs,
    isLookedUp: find('never-looked-up') === undefined,
  };
}

/** How far the service's own clock is ahead while these rules are in force, in milliseconds. */
export function skewOf(rules: readonly FaultRule[]): number {
  const skew = rules.findLast(({ name }) => name === 'skew');
  return skew === undefined ? 0 : (skew.delayMs ?? defaultSkewMs);
}
