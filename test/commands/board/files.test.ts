import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { boardFiles } from '../../../src/commands/board/board.ts';
import { createTestFolder } from '../../support/test-folder.ts';

let home = '';
beforeEach(async () => {
  home = await createTestFolder();
  await mkdir(join(home, 'Down loads'));
  await writeFile(join(home, 'Down loads', 'orders.csv'), 'RB100000005CN');
  await writeFile(join(home, '.hidden'), '');
  await symlink(join(home, 'Down loads'), join(home, 'Desk'));
});

const files = () =>
  boardFiles({
    homeDirectory: home,
    stdin: () => {
      throw new Error('Standard input is the keyboard.');
    },
  });

it('completes paths, with ~ for the home folder, and hidden files only after a dot', () => {
  const { completions } = files();
  expect(completions('~/')).toEqual(['~/Desk/', '~/Down loads/']);
  expect(completions('~/Down loads/o')).toEqual(['~/Down loads/orders.csv']);
  expect(completions('~/.h')).toEqual(['~/.hidden']);
  expect(completions(`${home}/none/`)).toEqual([]);
});

it.each([['~/Down loads/orders.csv'], ["'~/Down loads/orders.csv'"], ['~/Down\\ loads/orders.csv']])(
  'reads %s, however a terminal writes the path of a dragged file',
  async (path) => {
    expect(Buffer.from(await files().read(path)).toString()).toBe('RB100000005CN');
  },
);

it('tells a file path from other pasted text', () => {
  const { isPath } = files();
  const path = join(home, 'Down loads', 'orders.csv');
  expect([path, `'${path}' `, path.replace(' ', '\\ '), '~/Down loads/orders.csv'].map(isPath)).not.toContain(false);
  const others = [home, '/no\0thing', `${path}x`, 'RB100000005CN', `${path}\n${path}`, '/', ''];
  expect(others.map(isPath)).not.toContain(true);
});

it('reports a missing file', async () => {
  await expect(files().read('~/nope.csv')).rejects.toThrow('There is no file');
});
