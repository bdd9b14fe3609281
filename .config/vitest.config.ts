import { defineConfig } from 'vitest/config';

export default defineConfig({
  // With NODE_ENV=production React has no development runtime of JSX.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.{ts,tsx}'],
    // React's development build and Ink's CI mode would both change what is tested.
    env: { NODE_ENV: 'production', CI: 'false', FORCE_COLOR: '1', TZ: 'UTC' },
    restoreMocks: true,
    testTimeout: 30_000,
    // Tests in a pseudo-terminal mostly wait; one worker a core would leave the cores idle.
    maxWorkers: 3,
  },
});
