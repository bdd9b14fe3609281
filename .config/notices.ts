/** Collects the licences of bundled packages. The build fails if a package has no licence text. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

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

const mitText = (holder: string): string => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

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
  const text = texts.some(isLicence) ? texts.join('\n\n') : (licenceIn(readme) ?? standardText(manifest));
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

function standardText({ license, name }: PackageManifest): string | null {
  const holder = holdersWithoutText[name];
  return license === 'MIT' && holder !== undefined ? mitText(holder) : null;
}
