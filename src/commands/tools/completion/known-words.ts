import type { FilteredNames } from '../../../board/filter/filter-terms.ts';
import { ServiceError } from '../../../service/failures/errors.ts';
import { cleanText } from '../../../service/text/clean-text.ts';
import { isWord } from '../../../service/text/word.ts';
import { StoreError } from '../../../watchlist/errors.ts';
import type { ProgramPaths } from '../../configuration/paths.ts';
import type { CommandContext } from '../../session/context.ts';
import { courierDirectory } from '../../session/courier-directory.ts';
import { UsageError } from '../../session/errors.ts';
import { columnMapWords, faultWords, filterWords } from './composed-words.ts';
import { bareWord, type OfferedWord } from './expected-words.ts';
import { backupWords, removedWords } from './kept-words.ts';
import type { ValueKind } from './value-kinds.ts';
import { numberWords, watchedNames } from './watched-names.ts';

/** Kinds of values that the program looks up; the others are the shell's. */
export type KnownKind = Exclude<ValueKind, 'files' | 'programs'>;

/** Which words are wanted. */
export interface WantedWords {
  readonly kind: KnownKind;
  /** What was typed of the word; some are put together part by part. */
  readonly typed: string;
}

/**
 * Words of the user's files, which are only read: a completion neither repairs, nor calls the service, nor complains.
 * Numbers and codes are plain words; labels and tags may hold any letter and sign, but nothing that acts on a terminal.
 */
export async function knownWords(
  wanted: WantedWords,
  context: CommandContext,
  paths: ProgramPaths,
): Promise<readonly OfferedWord[]> {
  return (await offered(wanted, context, paths)).map(({ about, word }) => ({ word, about: cleanText(about) }));
}

/** What is looked up; nothing where that fails, since a completion does not complain. */
async function orNone<Item>(looked: Promise<readonly Item[]>): Promise<readonly Item[]> {
  return await looked.catch((error: unknown) => {
    if (error instanceof StoreError || error instanceof ServiceError || error instanceof UsageError) return [];
    throw error;
  });
}

async function offered(
  { kind, typed }: WantedWords,
  context: CommandContext,
  paths: ProgramPaths,
): Promise<readonly OfferedWord[]> {
  const watched = () => orNone(watchedNames(context, paths));
  switch (kind) {
    case 'parcels':
      return parcelWords(await watched(), typed);
    case 'any-parcels': {
      const known = parcelWords(await watched(), typed);
      return typed.includes('@') && !known.some(({ word }) => word.startsWith(typed))
        ? await underCouriers(typed, context, paths)
        : known;
    }
    case 'new-parcels':
      return await underCouriers(typed, context, paths);
    case 'removed-parcels':
      return await orNone(removedWords(context, paths));
    case 'backups':
      return await orNone(backupWords(context, paths));
    case 'filter':
      return filterWords(typed, await watched()).filter(({ word }) => isTypable(word));
    case 'column-map':
      return columnMapWords(typed);
    case 'faults':
      return faultWords(typed, (await context.loadSandbox()).faults);
    case 'tags':
      return tagWords(await watched());
    case 'couriers':
      return await courierWords(context, paths);
    case 'zones':
      return ['event', 'local', 'utc', ...Intl.supportedValuesOf('timeZone')].map(bareWord);
    case 'settings':
      return await settingWords(context, paths);
  }
}

/** The settings that there are, those of a courier for each that is known. */
async function settingWords(context: CommandContext, paths: ProgramPaths): Promise<readonly OfferedWord[]> {
  const { settingTable } = await import('../../configuration/setting-table.ts');
  const couriers = await courierWords(context, paths);
  return Object.entries(settingTable).flatMap(([name, { about }]) => {
    if (name.startsWith('$')) return [];
    const names = name.includes('*') ? couriers.map(({ word }) => name.replace('*', word)) : [name];
    return names.map((word) => ({ word, about }));
  });
}

/** Numbers, with their courier where several have the same one, and labels that name one parcel only. */
function parcelWords(names: readonly FilteredNames[], typed: string): readonly OfferedWord[] {
  const labelled = Map.groupBy(names, ({ label }) => label ?? '');
  const labels = [...labelled].flatMap(([label, [first, ...others]]) =>
    first === undefined || others.length > 0 || !isTypable(label) ? [] : [{ word: label, about: first.trackNo }],
  );
  return [...new Map([...numberWords(names, typed), ...labels].map((one) => [one.word, one])).values()];
}

function tagWords(names: readonly FilteredNames[]): readonly OfferedWord[] {
  const tags = new Set(names.flatMap((name) => name.tags));
  return [...tags].filter(isTypable).map(bareWord);
}

/** A text that a person could type as a word of a command line, within quotes; it is no option either. */
function isTypable(text: string): boolean {
  return text !== '' && text === cleanText(text) && !text.startsWith('-');
}

/** Behind the last `@` of what was typed, every courier; nothing where there is none. */
async function underCouriers(
  typed: string,
  context: CommandContext,
  paths: ProgramPaths,
): Promise<readonly OfferedWord[]> {
  const head = /^.*@/s.exec(typed)?.[0];
  if (head === undefined || !isTypable(head)) return [];
  return (await courierWords(context, paths)).map(({ about, word }) => ({ word: head + word, about }));
}

async function courierWords(context: CommandContext, paths: ProgramPaths): Promise<readonly OfferedWord[]> {
  const kept = courierDirectory({ context, paths }).list();
  return (await orNone(kept.then(({ couriers }) => couriers)))
    .filter(({ code }) => isWord(code) && !code.startsWith('-'))
    .map(({ code, nameCN, nameEN }) => ({ word: code, about: nameEN ?? nameCN ?? '' }));
}
