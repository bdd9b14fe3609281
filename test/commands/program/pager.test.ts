import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { userForEachTest } from '../../support/cli-user.ts';

const user = userForEachTest();
const page = (): string => join(user.home, 'page.txt');
/** Runs a command at a terminal with 30 rows. The pager writes to a file. */
const atTerminal = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  user.run(args, { answer: '', environment: { PAGER: `sh -c 'cat > ${page()}'`, ...environment } });

describe('long output', () => {
  it('is shown by the program in PAGER, with its arguments', async () => {
    expect(await atTerminal(['help'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(readFileSync(page(), 'utf8')).toMatch(/^\u001b\[1mUsage:\u001b\[22m parcel-monitor/);
  });

  it('is shown by the pager for other commands too', async () => {
    await user.run(['add', '-'], {
      input: Array.from({ length: 40 }, (_, index) => `LX${100_000_000 + index}CN`).join('\n'),
    });
    const { stdout } = await atTerminal(['list', '--json']);
    expect(stdout).toBe('');
    expect(JSON.parse(readFileSync(page(), 'utf8')).parcels).toHaveLength(40);
  });

  it.each([
    ['with --no-pager', ['--no-pager', 'help'], {}],
    ['with --no-pager after a command', ['list', '--no-pager', '--help'], {}],
    ['with an empty PAGER', ['help'], { PAGER: '' }],
    ['with the PAGER cat', ['help'], { PAGER: 'cat' }],
    ['if the program in PAGER is missing', ['help'], { PAGER: '/nowhere/pager' }],
    ['if TERM is dumb', ['help'], { TERM: 'dumb' }],
  ])('is printed immediately %s', async (_, args, environment) => {
    const { stdout } = await atTerminal(args, environment);
    expect(stdout).toContain('Global options:');
    expect(existsSync(page())).toBe(false);
  });

  it('is printed immediately in a pipe, without bold headings', async () => {
    const { stdout } = await user.run(['help'], { environment: { PAGER: '/nowhere/pager' } });
    expect(stdout).toMatch(/^Usage: parcel-monitor/);
    expect(stdout).not.toContain('\u001b');
  });
});

it('prints short output immediately', async () => {
  await user.run(['add', 'LX100000001CN']);
  expect((await atTerminal(['list'])).stdout).toContain('LX100000001CN');
  expect(existsSync(page())).toBe(false);
});

it('prints help headings in bold only where there are colours', async () => {
  const { stdout } = await atTerminal(['--no-pager', 'paths', '--help']);
  expect(stdout).toContain('\u001b[1mExamples:\u001b[22m\n');
  const plain = await atTerminal(['--no-pager', 'paths', '--no-color', '--help']);
  expect(plain.stdout).toContain('\nExamples:\n');
});
