/** The licences of what the bundle holds. The build fails where it holds something whose licence it cannot print. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Whose packages name the MIT licence and bring no text: as their sources or their README say. */
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

/** Name, version and licence of the package in a folder, with its text. Throws where there is no text. */
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
      `${name} ${version} (${license}) brings no text of its licence: name its holder in ${import.meta.filename}.`,
    );
  }
  return `${name} ${version} (${license})\n\n${text}`;
}

/** Permissions, and on what conditions; not the mere name of a licence. */
const isLicence = (text: string): boolean =>
  /Permission is hereby granted|Permission to use|Redistribution and use|Licensed under|Apache License/.test(text);

/** The last section of a README, where it is the text of a licence. */
function licenceIn(readme: string): string | null {
  const section = /^#+ *licen[cs]e\s*$([\s\S]*)/im.exec(readme)?.[1]?.trim() ?? '';
  return isLicence(section) ? section : null;
}

function standardText({ license, name }: PackageManifest): string | null {
  const holder = holdersWithoutText[name];
  return license === 'MIT' && holder !== undefined ? mitText(holder) : null;
}
