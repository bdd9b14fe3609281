import { defineConfig } from 'vitest/config';
import { shiftClocks } from '../test/clock/shift-clocks.ts';
import { quietNoon, testInstant } from '../test/clock/test-instant.ts';
import { LongestFirst } from './longest-first.ts';
import { testKinds } from './test-kinds.ts';

// Tests run at the same hour for everybody; TEST_CLOCK chooses another (see the test documents).
const startAt = testInstant(process.env['TEST_CLOCK'] ?? quietNoon, Date.now());
if (startAt !== null) shiftClocks(process.env, startAt);

const { inProcess, withProcesses } = testKinds();

export default defineConfig({
  // With NODE_ENV=production React has no development runtime of JSX.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    // React's development build and Ink's CI mode would both change what is tested.
    env: { NODE_ENV: 'production', CI: 'false', FORCE_COLOR: '1', TZ: 'UTC' },
    restoreMocks: true,
    // For a machine that is busy with something else; nothing waits so long on a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 25_000, interval: 10 } },
    // Tests in a pseudo-terminal mostly wait; one worker a core would leave the cores idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // No module keeps state, so test files share what they load.
    isolate: false,
    // Node reads date-fns' list of 200 kB of what it exports once for each of its 250 files; in one file they load at once.
    deps: { optimizer: { ssr: { enabled: true, include: ['date-fns', 'date-fns-tz'] } } },
    projects: [
      { extends: true, test: { name: 'in-process', include: [...inProcess] } },
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
});
