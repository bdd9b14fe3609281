/** Collects the licences of bundled packages. The build fails if a package has no licence text. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bundle.ts';

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Copyright holders of packages that name the MIT licence without its text, from their sources or README. */
const holdersWithoutText: Readonly<Record<string, string>> = {
  '@alcalzone/ink-table': 'Matic Zavadlal, AlCalzone',
  'yoga-layout': 'Meta Platforms, Inc. and affiliates.',
};

/** Returns name, version, licence and licence text of the package in a folder. Throws if there is no text. */
export async function noticeOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageManifest;
  const { name, version, license = 'licence not named' } = manifest;
  const files = await readdir(folder);
  const read = async (pattern: RegExp): Promise<readonly string[]> =>
    await Promise.all(
      files
        .filter((file) => pattern.test(file))
        .sort()
        .map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()),
    );
  const texts = await read(/^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i);
  const [readme = ''] = await read(/^readme(?:\.|$)/i);
  const text = texts.some(isLicence) ? texts.join('\n\n') : (licenceIn(readme) ?? (await standardText(manifest)));
  if (text === null) {
    throw new Error(
      `${name} ${version} (${license}) has no licence text: add its copyright holder in ${import.meta.filename}.`,
    );
  }
  return `${name} ${version} (${license})\n\n${text}`;
}

/** Whether a text grants permissions, and is not just the name of a licence. */
const isLicence = (text: string): boolean =>
  /Permission is hereby granted|Permission to use|Redistribution and use|Licensed under|Apache License/.test(text);

/** Returns the licence section of a README, or null. */
function licenceIn(readme: string): string | null {
  const section = /^#+ *licen[cs]e\s*$([\s\S]*)/im.exec(readme)?.[1]?.trim() ?? '';
  return isLicence(section) ? section : null;
}

/** Returns our own licence with the package's copyright holder, or null. */
async function standardText({ license, name }: PackageManifest): Promise<string | null> {
  const holder = holdersWithoutText[name];
  if (license !== 'MIT' || holder === undefined) return null;
  const own = await readFile(join(root, 'LICENSE'), 'utf8');
  return own.trim().replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}
