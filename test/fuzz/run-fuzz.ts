import fc from 'fast-check';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { anyCase, cannedAnswer, type FuzzCase, tryCase, tryCaseOverHttp } from './fuzz-case.ts';

/** How many cases to try. */
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

/** Cases per batch. The seed of a batch is one more than that of the previous batch. */
export const batchSize = 1000;

type TryCase = (fuzzCase: FuzzCase) => Promise<void>;

async function tryBatch(seed: number, runs: number, attempt: TryCase): Promise<Omit<BrokenCase, 'way'> | null> {
  const details = await fc.check(fc.asyncProperty(anyCase, attempt), { seed, numRuns: runs });
  const fuzzCase = details.counterexample?.[0];
  if (!details.failed || fuzzCase === undefined) return null;
  const { errorInstance } = details;
  const reason =
    errorInstance instanceof Error ? `${errorInstance.name}: ${errorInstance.message}` : String(errorInstance);
  return { seed, fuzzCase, payload: cannedAnswer(fuzzCase).body.toString(), reason };
}

/** Tries the cases of a seed. Returns the first that broke an invariant, or null. */
export async function runFuzz({ seed, cases, httpCases, onProgress }: FuzzOptions): Promise<BrokenCase | null> {
  const server = await startScriptedServer(json({}));
  const ways = [
    { way: 'memory', cases, attempt: tryCase },
    { way: 'http', cases: httpCases, attempt: (fuzzCase: FuzzCase) => tryCaseOverHttp(fuzzCase, server) },
  ] as const;
  let done = 0;
  try {
    for (const { way, cases: wanted, attempt } of ways) {
      for (let tried = 0; tried < wanted; tried += batchSize) {
        const runs = Math.min(batchSize, wanted - tried);
        const broken = await tryBatch(seed + tried / batchSize, runs, attempt);
        if (broken !== null) return { ...broken, way };
        done += runs;
        onProgress?.(done, cases + httpCases);
      }
    }
    return null;
  } finally {
    await server.close();
  }
}
