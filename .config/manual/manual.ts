import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Setting } from '../../src/settings/setting-types.ts';
import { settingTable } from '../../src/settings/table.ts';
import { keymap } from '../../src/tui/app/keymap.ts';
import { keyCaps } from '../../src/tui/keys/key-names.ts';
import { root } from '../bundle.ts';
import { boardOptions, commandSection, commonOptions, programToDescribe, synopsis } from './command-section.ts';
import { roffOfMarkdown } from './from-markdown.ts';
import { bold, definition, filled, prose, request } from './roff.ts';

export interface ManualSource {
  /** Markdown with comments as placeholders for the generated tables. */
  readonly document: string;
  readonly program: Command;
  readonly version: string;
  /** As YYYY-MM-DD. */
  readonly date: string;
}

export function manualPage({ date, document, program, version }: ManualSource): string {
  const lines = [
    `.TH PARCEL\\-MONITOR 1 "${date}" "parcel\\-monitor ${prose(version)}" "User Commands"`,
    // Left-aligned and without hyphenation: users copy numbers, options and paths.
    '.nr HY 0',
    '.nh',
    '.ad l',
    '.SH NAME',
    ...filled(
      `parcel\\-monitor \\- ${prose('a live board for parcels from every courier, and the parcel tool for scripts')}`,
    ),
    '.SH SYNOPSIS',
    ...synopsis(program),
    // The text before the first section is for readers of the Markdown file.
    ...roffOfMarkdown(document.slice(document.indexOf('\n## ')), {
      commands: commandSection(program),
      board: boardOptions(program),
      options: commonOptions(program),
      keys: keySection(),
      settings: settingSection(),
    }),
  ];
  const needed = lines.filter((one, index) => one !== '.PP' || !/^\.S[HS] /.test(lines[index - 1] ?? ''));
  return `${needed.join('\n')}\n`;
}

/** Skips the settings of operations, because the document describes them. */
function settingSection(): readonly string[] {
  return Object.entries(settingTable)
    .filter(([name]) => !name.startsWith('service.operations.') && !name.startsWith('$'))
    .flatMap(([name, setting]) => definition(bold(name.replace('*', 'CODE')), filled(prose(settingText(setting)))));
}

function settingText({ about, option, defaultText, defaultValue, variable }: Setting): string {
  const value = Array.isArray(defaultValue) ? defaultValue.join(', ') : (defaultValue?.toString() ?? '');
  const unset = defaultText ?? value;
  const others = [variable, option].filter((one) => one !== undefined);
  const rank =
    others.length === 0 ? '' : `; ${others.join(' and ')} ${others.length === 1 ? 'overrides' : 'override'} it`;
  return `${about}${unset === '' ? '' : ` (${unset})`}${rank}`;
}

function keySection(): readonly string[] {
  return keymap.flatMap(({ bindings, title }) => [
    request('SS', prose(title)),
    ...bindings.flatMap(({ description, id, keys }) =>
      definition(
        keyCaps(keys, 'symbols').map(bold).join(', '),
        filled(`${prose(description)}${id === undefined ? '' : ` (${bold(id)})`}`),
      ),
    ),
  ]);
}

/** Reproducible if SOURCE_DATE_EPOCH is set: https://reproducible-builds.org/specs/source-date-epoch/ */
function buildDate(): string {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  return (epoch === undefined ? new Date() : new Date(Number(epoch) * 1000)).toISOString().slice(0, 10);
}

/** Writes the page into the directory of the built program. */
export async function writeManual(outdir: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const document = await readFile(join(root, 'src', 'manual.md'), 'utf8');
  const page = manualPage({ document, program: programToDescribe(), version, date: buildDate() });
  await writeFile(join(outdir, 'parcel-monitor.1'), page);
}
