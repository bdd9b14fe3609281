import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';

let user: CliUser;
beforeAll(async () => {
  user = await createCliUser();
});
afterAll(() => user.remove());

describe('the help of a command', () => {
  it("tells its own options before those that every command takes, and so does the program's", async () => {
    for (const words of [['list', '--help'], ['--help']]) {
      const { exitCode, stdout } = await user.run(words);
      expect(exitCode).toBe(0);
      expect(stdout.indexOf('\nOptions:')).toBeGreaterThan(0);
      expect(stdout.indexOf('\nOptions:')).toBeLessThan(stdout.indexOf('Options of every command:'));
    }
  });

  it.each([
    ['a missing number', ['show'], 'parcel-monitor show --help'],
    ['an unknown option', ['edit', 'AB12345', '--foo'], 'parcel-monitor edit --help'],
    ['an unknown option of the board', ['--foo'], 'parcel-monitor --help'],
  ])('is what a complaint about %s names', async (_what, words, help) => {
    const { exitCode, stderr } = await user.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(`^parcel-monitor: .* See "${help}"\\.\\n$`));
  });
});
