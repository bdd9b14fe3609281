import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const documents = [
  'src/README.md',
  'src/service/README.md',
  'src/sandbox/README.md',
  'test/README.md',
  '.github/CONTRIBUTING.md',
  'README.md',
].filter((path) => existsSync(join(root, path)));

/** All paths that documents may name, from the root of the repository, with slashes. Folders end with a slash. */
const knownPaths: readonly string[] = ['src', 'test', '.config', '.github']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      return entry.isDirectory() ? `/${path}/` : `/${path}`;
    }),
  )
  .concat('/CHANGELOG.md', '/README.md');

/** Returns the files and folders that a document names in backquotes or links to, except patterns and placeholders. */
function filesNamedIn(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/```.*?```/gs, '');
  const quoted = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, name = '']) => name);
  const linked = Array.from(text.matchAll(/\]\(([^)#\s]+\.md)/g), ([, name = '']) => name);
  return [...new Set([...quoted, ...linked])].filter((name) =>
    /^[\w.-]+(?:\/[\w.-]+)*(?:\.tsx?|\.mjs|\.md|\/)$/.test(name),
  );
}

describe.each(documents)('%s', (document) => {
  test.each(filesNamedIn(document))('names %s, which exists', (name) => {
    const plain = name.replace(/^(?:\.\.?\/)+/, '');
    expect(knownPaths.some((path) => path.endsWith(`/${plain}`))).toBe(true);
  });
});

/** The documents that source comments cite, each with its heading if the comment names one. */
const citations = knownPaths
  .filter((path) => path.startsWith('/src/') && /\.tsx?$/.test(path))
  .flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => /^\s*(?:\*|\/\/|\/\*)/.test(line))
      .flatMap((line) => Array.from(line.matchAll(/([\w./-]+\.md)`?(?:, "([^"]+)")?/g)))
      .map(([, document = '', heading = '']) => ({ path, document, heading })),
  );

test('comments cite documents and headings that exist in a clone', () => {
  const missing = citations.filter(({ document, heading }) => {
    const file = [join(root, 'src', document), join(root, document)].find(existsSync);
    return (
      file === undefined || (heading !== '' && !readFileSync(file, 'utf8').match(new RegExp(`^#+ ${heading}$`, 'm')))
    );
  });
  expect(missing).toEqual([]);
  expect(citations.length).toBeGreaterThan(5);
});
