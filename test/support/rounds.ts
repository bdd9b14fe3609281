/**
 * How many rounds a test makes that looks at one case after the other: `all` of them in a whole run (`npm test`), a tenth
 * in a short one (`npm run test:fast`), where `fewest` are made at least.
 */
export function rounds(all: number, fewest = 20): number {
  return isShortRun() ? Math.min(all, Math.max(fewest, Math.ceil(all / 10))) : all;
}

/** Whether this run is for use while working; see the configuration of Vitest. */
export const isShortRun = (): boolean => process.env['TEST_ROUNDS'] === 'short';
