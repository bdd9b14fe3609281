import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { shiftClocks } from '../test/clock/shift-clocks.ts';
import { quietNoon, testInstant } from '../test/clock/test-instant.ts';
import { testKinds } from './test-kinds.ts';

// Tests run at the same hour for everybody; TEST_CLOCK chooses another (see the test documents).
const startAt = testInstant(process.env['TEST_CLOCK'] ?? quietNoon, Date.now());
if (startAt !== null) shiftClocks(process.env, startAt);

const gibibyte = 2 ** 30;

/** A folder in memory for the files of the tests, which are synced hundreds of times; none where there is no room for it. */
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

const { inProcess, withProcesses } = testKinds();

export default defineConfig(({ mode }) => {
  return {
    // With NODE_ENV=production React has no development runtime of JSX.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    test: {
      root: new URL('..', import.meta.url).pathname,
      // React's development build and Ink's CI mode would both change what is tested.
      env: {
        NODE_ENV: 'production',
        CI: 'false',
        FORCE_COLOR: '1',
        TZ: 'UTC',
        // For streams without rows, Ink would start tput at each layout, which takes longer than the test.
        COLUMNS: '80',
        LINES: '24',
        ...(mode === 'short' ? { TEST_ROUNDS: 'short' } : {}),
      },
      setupFiles: mode === 'short' ? ['test/support/short-rounds.ts'] : [],
      restoreMocks: true,
      // For a machine that is busy with something else; nothing waits so long on a quiet one.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000, interval: 2 } },
      // Tests in a pseudo-terminal mostly wait, so one worker a core would leave a small machine idle.
      maxWorkers: mode === 'short' ? Math.max(3, availableParallelism()) : 3,
      // Vitest's proxies for default exports cost a seventh of the time of the board's tests.
      deps: { interopDefault: false },
      // No module keeps state, so test files share what they load.
      isolate: false,
      projects: [
        { extends: true, test: { name: 'in-process', include: [...inProcess], env: folderInMemory() } },
        {
          extends: true,
          test: {
            name: 'with-processes',
            include: [...withProcesses],
            globalSetup: ['test/support/build-when-stale.ts', 'test/support/postgres/broker.ts'],
          },
        },
      ],
    },
  };
});
