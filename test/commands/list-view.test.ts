import { expect, it } from 'vitest';
import { sandboxUser } from './sandbox-user.ts';

const { user } = sandboxUser();

const numbers = async (...options: readonly string[]): Promise<readonly string[]> => {
  const { exitCode, stderr, stdout } = await user.run(['list', '--json', ...options]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout).parcels.map(({ trackNo }: { readonly trackNo: string }) => trackNo);
};

it('lists the parcels of a view in its order and with its columns, and lets options override or narrow it', async () => {
  const view = { name: 'Gifts', filter: 'tag:gift', order: '-label', columns: ['label', 'order-number'], notify: true };
  await user.configure({ views: [view] });
  for (const [trackNo, label, tag] of [
    ['RB100000003CN', 'Atlas', 'gift'],
    ['RB100000005CN', 'Zebra', 'gift'],
    ['RB100000017CN', 'Lamp', 'home'],
  ] as const)
    await user.run(['add', trackNo, '--label', label, '--tag', tag, '--order-no', `#${trackNo.slice(-3)}`]);
  expect(await numbers('--view', 'gifts')).toEqual(['RB100000005CN', 'RB100000003CN']);
  expect(await numbers('--view', 'Gifts', '--sort', 'label')).toEqual(['RB100000003CN', 'RB100000005CN']);
  expect(await numbers('--view', 'Gifts', '--filter', 'atlas')).toEqual(['RB100000003CN']);
  const { stdout } = await user.run(['list', '--view', 'Gifts']);
  expect(stdout.split('\n')[0]).toMatch(/^LABEL +ORDER/);
  expect(stdout).not.toContain('RB100000005CN');
});

it('knows the built-in views, and names all views if one is unknown', async () => {
  await user.run(['add', 'RB100000003CN']);
  expect(await numbers('--view', 'all')).toEqual(['RB100000003CN']);
  expect(await numbers('--view', 'late')).toEqual([]);
  expect(await user.run(['list', '--view', 'lte'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/Unknown view "lte"\. Use: All, Act now, Today, Late\. Did you mean Late\?/),
  });
});

it.each([
  [
    { name: 'A', filter: 'is:lote' },
    /"views\.0\.filter" has the unknown term "is:lote"; the closest match is "is:late"/,
  ],
  [{ name: 'A', filter: '(is:late or is:slow' }, /"views\.0\.filter" has a parenthesis that is not closed/],
  [{ name: 'A', filter: 'tag:"for ada' }, /"views\.0\.filter" has a quote that is not closed/],
  [{ name: 'A', filter: 'foo:x' }, /"views\.0\.filter" has the unknown term "foo:"; use stage:, courier:, /],
  [{ name: 'A', order: 'expcted' }, /"views\.0\.order" cannot be "expcted"; the closest match is "expected"/],
  [{ name: 'A', columns: ['lable'] }, /"views\.0\.columns" cannot be "lable"; the closest match is "label"/],
  [{ filter: 'x' }, /"views\.0" needs a name/],
  [{ name: 'A', fliter: 'x' }, /"views\.0\.fliter" is unknown; the closest match is "filter"/],
])('reports and ignores an invalid view: %j', async (invalid, sentence) => {
  await user.configure({ views: [invalid, { name: 'Good', filter: 'lamp' }], zone: 'Europe/Berlin' });
  const { exitCode, stderr } = await user.run(['list', '--view', 'good']);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(sentence);
});
