/** Long enough for a busy machine. */
const patienceMs = 60_000;

/**
 * Pause between two checks. Most conditions are met within one or two turns of the loop, so the first pauses are
 * shorter.
 */
const maxPauseMs = 10;

/** Waits until `check` does not throw or reject, and resolves with its result. */
export async function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (let pauseMs = 0; ; pauseMs = Math.min(maxPauseMs, pauseMs + 1)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise<void>((resolve) => (pauseMs === 0 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)));
  }
}
