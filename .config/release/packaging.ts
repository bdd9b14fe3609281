/** Creates the files of other package managers from templates and package.json. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest, PackedTarball } from './checks.ts';

export const templateFolder = join(import.meta.dirname, 'packaging');

/** Values of the placeholders in the templates, such as `@name@`. */
export type PackageFacts = Readonly<Record<string, string>>;

/** @param bytes of the tarball */
export function packageFacts(
  manifest: Manifest,
  { filename, integrity }: Pick<PackedTarball, 'filename' | 'integrity'>,
  bytes: Uint8Array,
): PackageFacts {
  const { author, description, engines, homepage, license, name, repository, version } = manifest;
  return {
    name,
    version,
    description,
    license,
    // Homebrew wants neither an article nor a full stop, and at most 80 characters.
    summary: description.replace(/^An? (.)/, (_, first: string) => first.toUpperCase()).replace(/\.$/, ''),
    class: name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    node: engines.node.replace(/^>=/, ''),
    author: textOf(author, 'name'),
    homepage: homepage ?? '',
    repository: textOf(repository, 'url').replace(/^git\+/, ''),
    tarball: filename,
    url: `https://registry.npmjs.org/${name}/-/${filename}`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    integrity,
  };
}

function textOf(field: string | Readonly<Record<string, string>> | undefined, key: string): string {
  return (typeof field === 'object' ? field[key] : field) ?? '';
}

/** Throws an `Error` for a placeholder without a value. */
export function filledIn(template: string, facts: PackageFacts): string {
  return template.replace(/@(\w+)@/g, (_, name: string) => {
    const value = facts[name];
    if (value === undefined) throw new Error(`A template has the unknown placeholder @${name}@.`);
    // The value is quoted in four languages.
    if (/["'\\$`\n]/.test(value)) throw new Error(`"${name}" in package.json cannot be quoted: ${value}`);
    return value;
  });
}

/** Returns the file names and their contents. */
export async function packagingFiles(facts: PackageFacts): Promise<readonly (readonly [name: string, text: string])[]> {
  const names = await readdir(templateFolder);
  return await Promise.all(
    names.map(async (name) => {
      const text = filledIn(await readFile(join(templateFolder, name), 'utf8'), facts);
      return [name === 'formula.rb' ? `${facts['name']}.rb` : name, text] as const;
    }),
  );
}
