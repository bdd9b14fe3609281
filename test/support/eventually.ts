/** Long enough for a machine that is busy with something else. */
const patienceMs = 60_000;

/** Between two looks. What is awaited mostly comes within a turn of the loop or two, so the first pauses are shorter. */
const maxPauseMs = 10;

/** Waits until `check` does not throw or reject, and resolves with what it answers. */
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
