/** Long enough for a busy machine. */
const timeoutMs = 60_000;

/**
 * Pause between two checks. Most conditions are met within one or two turns of the loop, so the first pauses are
 * shorter.
 */
const maxPauseMs = 10;

/** Repeats `check` until it neither throws nor rejects, and resolves with its result. */
export async function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 0; ; pauseMs = Math.min(maxPauseMs, pauseMs + 1)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise<void>((resolve) => (pauseMs === 0 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)));
  }
}
