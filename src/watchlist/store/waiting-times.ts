import type { EpochMs } from '../../service/clock/clock.ts';
import { isJsonObject } from '../../service/text/json.ts';

/** For how long some things have surely waited. */
export interface WaitingTimes {
  readonly lookedAt: EpochMs;
  /** By name, in milliseconds. */
  readonly waited: Readonly<Record<string, number>>;
}

/** What lies between two looks is believed up to three days: a longer time looks like a clock that is wrong. */
export const longestStepMs = 3 * 24 * 60 * 60_000;
/** Looks that are closer together than this are one. */
const shortestStepMs = 60 * 60_000;

/**
 * The waiting times after another look. A clock that is wrong for once, by however much and in whichever direction, adds
 * one step at most, be it when it goes wrong or when it is set right. Names that are new begin to wait now, others are forgotten. Answers
 * `before` itself when there is nothing to be noted.
 */
export function waitOn(before: WaitingTimes | null, names: readonly string[], now: EpochMs): WaitingTimes {
  const stepMs = before === null ? 0 : now - before.lookedAt;
  if (before !== null && stepMs >= 0 && stepMs < shortestStepMs && isAbout(before, names)) return before;
  const addedMs = Math.min(Math.max(stepMs, 0), longestStepMs);
  const waited = names.map((name): [string, number] => {
    const known = before === null ? undefined : before.waited[name];
    return [name, known === undefined ? 0 : known + addedMs];
  });
  return { lookedAt: now, waited: Object.fromEntries(waited) };
}

/** Reads what was kept; null when it cannot be used: then all that waits begins anew. */
export function readWaitingTimes(value: unknown): WaitingTimes | null {
  if (!isJsonObject(value)) return null;
  const { lookedAt, waited } = value;
  if (typeof lookedAt !== 'number' || !Number.isFinite(lookedAt) || !isJsonObject(waited)) return null;
  const times = Object.entries(waited).flatMap(([name, ms]): [string, number][] =>
    typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? [[name, ms]] : [],
  );
  return { lookedAt, waited: Object.fromEntries(times) };
}

function isAbout({ waited }: WaitingTimes, names: readonly string[]): boolean {
  return names.length === Object.keys(waited).length && names.every((name) => Object.hasOwn(waited, name));
}
