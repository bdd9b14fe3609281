/** Determines when a program's output arrived. All times are those of `performance.now()`. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenTerminal, Output } from '../support/pseudo-terminal.ts';

/**
 * Output is drawn when there has been no more for this long: drawing between two chunks of a frame would delay the
 * second.
 */
const quietMsBeforeDrawing = 25;
const patienceMs = 120_000;

/** Returns when the end of an ASCII string arrived, or null if the output does not contain it. */
export function arrivalTime(text: string, output: readonly Output[]): number | null {
  let written = '';
  for (const { at, bytes } of output) {
    written += bytes.toString('latin1');
    if (written.includes(text)) return at;
  }
  return null;
}

/** Waits for an ASCII string in the output after its first `skipped` chunks. Returns when it arrived. */
export async function waitForOutput(run: OpenTerminal, text: string, skipped = 0): Promise<number> {
  for (;;) {
    const at = arrivalTime(text, run.output.slice(skipped));
    if (at !== null) return at;
    await run.nextOutput(JSON.stringify(text));
  }
}

/**
 * Draws output chunk by chunk until the screen matches. Returns when the last chunk that this took arrived, or when the
 * program was started if the screen matched already.
 */
export async function waitForScreen(
  run: OpenTerminal,
  isShown: (rows: readonly string[]) => boolean,
  what: string,
): Promise<number> {
  let at = run.startedAt;
  while (!isShown(run.rows())) {
    const drawn = await run.drawNext();
    if (drawn !== null) at = drawn.at;
    else {
      await run.nextOutput(what);
      await waitUntilQuiet(run, quietMsBeforeDrawing);
    }
  }
  return at;
}

/** Waits until nothing has been written for this long. */
export async function waitUntilQuiet(run: OpenTerminal, quietMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  const leftMs = (): number => (run.output.at(-1)?.at ?? run.startedAt) + quietMs - performance.now();
  for (let left = leftMs(); left > 0; left = leftMs()) {
    if (performance.now() > giveUpAt) throw new Error('The program did not stop writing.');
    await delay(left);
  }
}

/** Types keys and waits until the output that follows stops. Returns how many bytes it has. */
export async function countBytesAfter(run: OpenTerminal, typed: string, quietMs: number): Promise<number> {
  const before = run.written();
  run.type(typed);
  await run.nextOutput(`output after ${JSON.stringify(typed)}`);
  await waitUntilQuiet(run, quietMs);
  return run.written() - before;
}

/**
 * Draws all output chunk by chunk. Returns when the last chunk that changed a part of the screen arrived, or null if
 * none changed it.
 */
export async function lastChangeTime(
  run: OpenTerminal,
  part: (rows: readonly string[]) => string,
): Promise<number | null> {
  let before = part(run.rows());
  let changedAt: number | null = null;
  for (let output = await run.drawNext(); output !== null; output = await run.drawNext()) {
    const now = part(run.rows());
    if (now !== before) changedAt = output.at;
    before = now;
  }
  return changedAt;
}

export async function drawAll(run: OpenTerminal): Promise<void> {
  while ((await run.drawNext()) !== null);
}
