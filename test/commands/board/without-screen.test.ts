import { describe, expect, test } from 'vitest';
import type { ShowBoard } from '../../../src/settings/session/context.ts';
import { userForEachTest } from '../../support/cli-user.ts';

const user = userForEachTest();

const showBoard: ShowBoard = () => Promise.reject(new Error('There is no screen to draw on.'));

describe('on a terminal that can only print', () => {
  const run = (args: readonly string[], input = '') =>
    user.run(args, { environment: { TERM: 'dumb' }, showBoard, input });

  test('the program prints the list and ends', async () => {
    await user.run(['add', 'RB123456785CN', '--label', 'Lamp']);
    const { exitCode, stdout } = await run([]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/RB123456785CN +Lamp/);
    expect(stdout).not.toContain('\u001b');
  });

  test('the demo runs for ten seconds', async () => {
    const { exitCode, stdout, stderr } = await run(['--demo']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^STAGE +NUMBER +LABEL/m);
    expect(stderr).toContain('The demo runs for ten seconds');
    expect(stderr).toContain('For your own parcels, run "parcel-monitor setup".');
  });

  test('setup and scanning name the options to use instead', async () => {
    const setup = await run(['setup']);
    expect(setup.exitCode).toBe(2);
    expect(setup.stderr).toContain('--key-from-stdin');
    const scan = await run(['add', '--scan', '-'], 'RB123456785CN');
    expect(scan.exitCode).toBe(2);
    expect(scan.stderr).toContain('--dry-run');
  });
});
