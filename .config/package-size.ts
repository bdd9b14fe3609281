/** How large the package is, as npm packs it. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { root } from './bundle.ts';

/** What a package may weigh, in bytes, packed. */
export const largestPackage = 1_300_000;

/** Files that npm packs besides those that `files` names. */
const always = ['package.json', 'README.md', 'LICENSE'];

/** A package: how large it is packed and unpacked, in bytes, and of how many files it is made. */
export interface PackageSize {
  readonly packed: number;
  readonly unpacked: number;
  readonly fileCount: number;
}

/**
 * Packs what npm would, in the same form, in a tenth of the time; to some hundred bytes it is the size of npm's own tarball.
 * `npm run release` looks at that one.
 */
export async function packedSize(): Promise<PackageSize> {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  const paths = (await Promise.all([...always, ...files].map(filesOf))).flat();
  const contents = await Promise.all(paths.map((path) => readFile(join(root, path))));
  // A tar file has a head of 512 bytes for each file, and its content in blocks of as many.
  const blocks = contents.flatMap((content, index) => [
    Buffer.from((paths[index] ?? '').padEnd(512, '\0')),
    content,
    Buffer.alloc((512 - (content.length % 512)) % 512),
  ]);
  const packed = await promisify(gzip)(Buffer.concat(blocks), { level: 9 });
  return {
    packed: packed.length,
    unpacked: contents.reduce((sum, { length }) => sum + length, 0),
    fileCount: paths.length,
  };
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (!(await stat(join(root, path))).isDirectory()) return [path];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => file.slice(root.length))
    .sort();
}

/** Says the size, and whether that is too much. */
export function sizeSentence({ fileCount, packed, unpacked }: PackageSize): string {
  const sizes = `${kilobytes(packed)} packed, ${kilobytes(unpacked)} unpacked, ${fileCount} files`;
  const excess = packed > largestPackage ? ` That is more than the ${kilobytes(largestPackage)} that it may have.` : '';
  return `The package: ${sizes}.${excess}`;
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
