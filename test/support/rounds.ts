/**
 * The number of rounds of a test that loops over its cases: `all` of them in a full run (`npm test`), a tenth in a
 * short one (`npm run test:fast`), but at least `fewest`.
 */
export function rounds(all: number, fewest = 20): number {
  return isShortRun() ? Math.min(all, Math.max(fewest, Math.ceil(all / 10))) : all;
}

/** Whether this is a short run. See the Vitest configuration. */
export const isShortRun = (): boolean => process.env['TEST_ROUNDS'] === 'short';
