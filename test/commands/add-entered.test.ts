import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { userForEachTest } from '../support/cli-user.ts';
import { listContract } from './contract.ts';

const user = userForEachTest();

const listedParcels = async () =>
  v
    .parse(listContract, JSON.parse((await user.run(['list', '--json'])).stdout))
    .parcels.map(({ courierCode, label, tags, trackNo }) => [trackNo, courierCode, label, tags])
    .sort();

it('reads arguments as the input bar does, a separate @courier, and tags', async () => {
  const args = ['RB123456785GB @yanwen "Blue socks"', '1Z999AA10123456784', '@ups', '1234 5678 9012'];
  expect((await user.run(['add', ...args, '--tag', 'gift', '--tag', '#home'])).exitCode).toBe(0);
  expect(await listedParcels()).toEqual([
    ['123456789012', null, null, ['gift', 'home']],
    ['1Z999AA10123456784', 'ups', null, ['gift', 'home']],
    ['RB123456785GB', 'yanwen', 'Blue socks', ['gift', 'home']],
  ]);
  await user.run(['edit', 'blue SOCKS', '--tag', 'new', '--untag', 'gift']);
  expect((await listedParcels()).at(-1)).toEqual(['RB123456785GB', 'yanwen', 'Blue socks', ['home', 'new']]);
});

it('says if standard input has no number', async () => {
  const { exitCode, stderr } = await user.run(['add', '-'], { input: '\n' });
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('No tracking number found.')]);
});

it('adds what it can from standard input and says what was added, what was not, and why', async () => {
  const input =
    'RB520000003CN\tBlue socks\n# mine\nLX900000005CN;china-post;Hat\nsocks # x\nhats\n1234 5678 9012 Blue\n';
  const { exitCode, stderr } = await user.run(['add', '-'], { input });
  expect(exitCode).toBe(5);
  for (const line of [4, 5, 6]) expect(stderr).toContain(`line ${line}: `);
  expect(stderr).toContain('2 added, 3 not added: 2 without a digit, 1 with an unclear label.');
  expect(await listedParcels()).toEqual([
    ['LX900000005CN', 'china-post', 'Hat', []],
    ['RB520000003CN', null, 'Blue socks', []],
  ]);
});

describe('a number with a wrong check digit', () => {
  it.each([
    ['y', 0, ['1Z999AA10123456785']],
    ['n', 5, []],
  ])('must be confirmed at a terminal before it costs anything: %s', async (answer, code, numbers) => {
    const { exitCode, stderr } = await user.run(['add', '1Z999AA10123456785'], { answer });
    expect(stderr).toMatch(/1Z999AA10123456785 has a wrong check digit for a UPS number.*\n.*Add it anyway\? \[y\/N\]/);
    expect(exitCode).toBe(code);
    expect((await listedParcels()).map(([trackNo]) => trackNo)).toEqual(numbers);
  });

  it('is added with --yes, and needs no confirmation once it is watched', async () => {
    expect((await user.run(['add', 'RB100000005CN', '--yes'], { answer: 'n' })).exitCode).toBe(0);
    const again = await user.run(['add', 'RB100000005CN'], { answer: 'n' });
    expect(again.stdout).toContain('RB100000005CN  already on the list');
    expect(again.stderr).not.toContain('check digit');
  });

  it('only causes a warning if the named courier has no such format', async () => {
    const args = ['add', 'RB100000005CN@yanwen', '1Z999AA10123456785', '@dhl', 'RB100000014CN@china-post'];
    const { exitCode, stderr } = await user.run(args, { answer: 'n' });
    expect(stderr).toMatch(/RB100000005CN has a wrong check digit/);
    expect(stderr).toMatch(/RB100000014CN has a wrong check digit.* It was left out\. Use --yes to add it anyway\./);
    expect(stderr).toContain('2 added, 1 not added: 1 with a wrong check digit.');
    expect((await listedParcels()).map(([trackNo]) => trackNo)).toEqual(['1Z999AA10123456785', 'RB100000005CN']);
    expect(exitCode).toBe(5);
  });

  it('is added with a warning if there is no terminal', async () => {
    const numbers = Array.from({ length: 6 }, (_, n) => `RB10000001${n}CN`);
    for (const args of [
      ['import', '-', '--dry-run'],
      ['add', '-'],
    ]) {
      const { exitCode, stderr } = await user.run(args, { input: `${numbers.join('\n')}\n` });
      expect(stderr.match(/RB10000001\dCN has a wrong check digit/g)).toHaveLength(5);
      expect(exitCode).toBe(0);
    }
    expect((await listedParcels()).map(([trackNo]) => trackNo)).toEqual(numbers);
  });
});

it.each([
  ['add'],
  ['add', '1Z999AA10123456784'],
  ['show'],
  ['edit', '--label', 'Lamp'],
  ['remove'],
  ['remove', '--remote'],
  ['refresh'],
  ['restore', '--parcel'],
])('asks which number is meant if an argument is empty, as from an unset variable: %s', async (...args) => {
  for (const blank of ['', ' ']) {
    const { exitCode, stderr, stdout } = await user.run([...args, blank]);
    expect(stderr).toContain('Which number?');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  }
  expect(await listedParcels()).toEqual([]);
});

it('accepts a label instead of a number, and lists the candidates if it is ambiguous', async () => {
  await user.run(['add', 'RB123456785GB "Hat"', '1Z999AA10123456784 "Hat"', '1234 5678 9012 "Lamp 2"']);
  expect((await user.run(['show', 'lamp 2'])).stdout).toContain('123456789012');
  const ambiguous = await user.run(['remove', 'Hat', 'Lamp 2']);
  expect(ambiguous).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ambiguous.stderr).toContain('Choose one: RB123456785GB@, 1Z999AA10123456784@.');
  expect((await user.run(['remove', 'Lamp 2'])).stdout).toBe('123456789012  removed\n');
});

it('reads tags like the board and says that a missing tag was not removed', async () => {
  await user.run(['add', 'RB123456785GB', '--tag', 'gift, home', '--tag', '"a,b"']);
  const edited = await user.run(['edit', 'RB123456785GB', '--tag', 'new,#old', '--untag', 'home,nosuch']);
  expect(edited).toMatchObject({ exitCode: 0, stdout: 'RB123456785GB  changed\n' });
  expect(edited.stderr).toContain('RB123456785GB has no tag "nosuch".');
  expect(await listedParcels()).toEqual([['RB123456785GB', null, null, ['gift', 'a,b', 'new', 'old']]]);
  const unchanged = await user.run(['edit', 'RB123456785GB', '--untag', 'nosuch', '--tag', 'gift']);
  expect(unchanged).toMatchObject({ exitCode: 0, stdout: 'RB123456785GB  not changed\n' });
  expect((await user.run(['edit', 'RB123456785GB', '--tag', '-gift'])).stderr).toContain('"edit --untag"');
  expect((await user.run(['edit', 'RB123456785GB', '--tag', ' , '])).exitCode).toBe(2);
});

it('refers to import for a table with a different first column', async () => {
  const input =
    'order-id\tship-date\tcarrier-code\ttracking-number\n304-1234567-1234567\t2026-11-20\tUPS\t1Z999AA10123456784\n';
  const { exitCode, stderr } = await user.run(['add', '-'], { input });
  expect(stderr).toContain('Use "parcel-monitor import -" to read it');
  expect(exitCode).toBe(2);
  const { stdout } = await user.run(['add', '-'], { input: 'Number;Courier;Label\n1Z999AA10123456784;;Lamp\n' });
  expect(stdout).toMatch(/^1Z999AA10123456784\S* {2}(?:pending|registered)\n$/);
});
