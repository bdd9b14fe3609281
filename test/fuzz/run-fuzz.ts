import fc from 'fast-check';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { anyCase, cannedResponse, type FuzzCase, tryCase, tryCaseOverHttp } from './fuzz-case.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** Cases in memory. */
  readonly cases: number;
  /** Cases over HTTP. */
  readonly httpCases: number;
  /** Called after each batch. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** A case that broke an invariant, in its smallest form. */
export interface BrokenCase {
  /** This seed and one batch of cases reproduce it. */
  readonly seed: number;
  readonly way: 'memory' | 'http';
  readonly fuzzCase: FuzzCase;
  /** The response's body. */
  readonly payload: string;
  readonly reason: string;
}

/** Cases per batch. Each batch's seed is one more than the previous one's. */
export const batchSize = 1000;

type TryCase = (fuzzCase: FuzzCase) => Promise<void>;

async function tryBatch(seed: number, runs: number, attempt: TryCase): Promise<Omit<BrokenCase, 'way'> | null> {
  const details = await fc.check(fc.asyncProperty(anyCase, attempt), { seed, numRuns: runs });
  const fuzzCase = details.counterexample?.[0];
  if (!details.failed || fuzzCase === undefined) return null;
  const { errorInstance } = details;
  const reason =
    errorInstance instanceof Error ? `${errorInstance.name}: ${errorInstance.message}` : String(errorInstance);
  return { seed, fuzzCase, payload: cannedResponse(fuzzCase).body.toString(), reason };
}

/** Tries a seed's cases. Returns the first one that broke an invariant, or null. */
export async function runFuzz({ seed, cases, httpCases, onProgress }: FuzzOptions): Promise<BrokenCase | null> {
  const server = await startScriptedServer(json({}));
  const ways = [
    { way: 'memory', cases, attempt: tryCase },
    { way: 'http', cases: httpCases, attempt: (fuzzCase: FuzzCase) => tryCaseOverHttp(fuzzCase, server) },
  ] as const;
  let done = 0;
  try {
    for (const { way, cases: count, attempt } of ways) {
      for (let tried = 0; tried < count; tried += batchSize) {
        const runs = Math.min(batchSize, count - tried);
        const brokenCase = await tryBatch(seed + tried / batchSize, runs, attempt);
        if (brokenCase !== null) return { ...brokenCase, way };
        done += runs;
        onProgress?.(done, cases + httpCases);
      }
    }
    return null;
  } finally {
    await server.close();
  }
}
