import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtInViews, type View } from '../../src/board/views.ts';
import { saveView } from '../../src/settings/change-config-file.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { realClock } from '../support/real-clock.ts';
import { createTestFolder } from '../support/test-folder.ts';

const context = {
  clock: realClock,
  random: Math.random,
  processes: createProcesses(process),
  userId: process.geteuid?.() ?? null,
};

/** Saves a view in this configuration, or removes it, and returns the new text. */
async function textAfter(content: string | null, name: string, view: View | null): Promise<string> {
  const folder = await createTestFolder();
  const path = join(folder, 'parcel-monitor', 'config.json');
  await mkdir(join(folder, 'parcel-monitor'));
  if (content !== null) await writeFile(path, content, { mode: 0o600 });
  await saveView(path, name, view, context);
  return await readFile(path, 'utf8');
}

const gifts: View = { name: 'Gifts', filter: 'tag:gift', columns: ['label', 'tags'] };
const commented = `{
  // of the shop
  "views": [
    { "name": "All" }, // everything
    // presents
    {
      "name": "Gifts",
      "order": "label", // A to Z
      "notify": true // tell me
    },
    { "nme": "wrong" }
  ]
}
`;

it('a saved view comes after the built-in ones, which are written too, if the user has no views', async () => {
  for (const content of [null, '{ "zone": "UTC" }'])
    expect(JSON.parse(await textAfter(content, 'Gifts', gifts)).views).toEqual([...builtInViews, gifts]);
  const late = JSON.parse(await textAfter('{}', 'late', null)).views;
  expect(late.map(({ name }: View) => name)).toEqual(['All', 'Act now', 'Today']);
});

it('a saved view replaces the one with the same name except for `notify`, and keeps all comments', async () => {
  const text = await textAfter(commented, 'gifts', { ...gifts, order: 'expected' });
  for (const comment of ['// of the shop', '// everything', '// presents', '// A to Z', '// tell me'])
    expect(text).toContain(comment);
  expect(text).toMatch(/"order": "expected", \/\/ A to Z/);
  const without = await textAfter(commented, 'Gifts', { name: 'Gifts' });
  expect(without).not.toContain('"order"');
  expect(without).toContain('"notify": true // tell me');
});

it('a new view is appended, and can be removed without affecting the others', async () => {
  const added = await textAfter(commented, 'Urgent', { name: 'Urgent', filter: 'is:late' });
  expect(added).toMatch(/"nme": "wrong"\s*\},\s*\{\s*"name": "Urgent",\s*"filter": "is:late"\s*\}\s*\]/);
  const gone = await textAfter(commented, 'GIFTS', null);
  expect(gone).not.toContain('Gifts');
  expect(gone).toMatch(/"All" \}, \/\/ everything[\s\S]*\{ "nme": "wrong" \}/);
});

it('an invalid view is not written', async () => {
  const name = 'x'.repeat(41);
  await expect(textAfter(commented, name, { name })).rejects.toThrow(/"views.3.name" must have at most 40 characters/);
  await expect(textAfter('{ "views": [', 'A', { name: 'A' })).rejects.toThrow(/not valid JSON/);
});
