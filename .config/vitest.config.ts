import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { shiftClocks } from '../test/clock/shift-clocks.ts';
import { quietNoon, testInstant } from '../test/clock/test-instant.ts';

// Tests run at the same time of day everywhere; TEST_CLOCK sets another one (see test/README.md).
const startAt = testInstant(process.env['TEST_CLOCK'] ?? quietNoon, Date.now());
if (startAt !== null) shiftClocks(process.env, startAt);

const gibibyte = 2 ** 30;

/**
 * A folder in memory for the files of the tests, which sync hundreds of times, or none if there is not enough memory.
 */
function folderInMemory(): Record<string, string> {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < gibibyte) return {};
    const folder = mkdtempSync('/dev/shm/parcel-monitor-tests-');
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return { TMPDIR: folder };
  } catch {
    return {};
  }
}

/** Tests that start processes, open terminals, or use the database server of the run. */
const withProcesses = ['test/pty/**/*.test.ts', 'test/**/*.process.test.ts'];

export default defineConfig(({ mode }) => {
  return {
    // React has no JSX development runtime if NODE_ENV is "production".
    oxc: { jsx: { runtime: 'automatic', development: false } },
    test: {
      root: new URL('..', import.meta.url).pathname,
      // React's development build and Ink's CI mode behave differently.
      env: {
        NODE_ENV: 'production',
        CI: 'false',
        FORCE_COLOR: '1',
        TZ: 'UTC',
        // For streams without rows, Ink starts tput at each layout, which takes longer than the test.
        COLUMNS: '80',
        LINES: '24',
        ...(mode === 'short' ? { TEST_ROUNDS: 'short' } : {}),
      },
      setupFiles: mode === 'short' ? ['test/support/short-rounds.ts'] : [],
      restoreMocks: true,
      // For a busy machine. An idle machine never takes this long.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000, interval: 2 } },
      // Tests in a pseudo-terminal mostly wait, so one worker per core would leave a small machine idle.
      maxWorkers: mode === 'short' ? Math.max(3, availableParallelism()) : 3,
      // Vitest's proxies for default exports take a seventh of the run time of the board's tests.
      deps: { interopDefault: false },
      // Modules have no state, so test files can share them.
      isolate: false,
      projects: [
        {
          extends: true,
          test: {
            name: 'in-process',
            include: ['test/**/*.test.{ts,tsx}'],
            exclude: withProcesses,
            env: folderInMemory(),
          },
        },
        {
          extends: true,
          test: {
            name: 'with-processes',
            include: withProcesses,
            globalSetup: ['test/support/build-when-stale.ts', 'test/support/postgres/broker.ts'],
          },
        },
      ],
    },
  };
});
