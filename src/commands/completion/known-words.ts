import { join } from 'node:path';
import type { FilteredNames } from '../../board/filter.ts';
import { termNames } from '../../board/filter-syntax.ts';
import { completeFilter } from '../../board/filter-typing.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isWord } from '../../lib/track-number.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { ServiceError } from '../../service/errors.ts';
import { defaultOperations } from '../../service/port.ts';
import type { ProgramPaths } from '../../settings/config-file.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { glanceAtDatabase, isInDatabase } from '../../settings/session/database-glance.ts';
import { courierDirectory } from '../../settings/session/open-stores.ts';
import type { Stores } from '../../settings/session/stores.ts';
import { Backups } from '../../store/backups.ts';
import { glanceAtNames } from '../../store/glance.ts';
import { Trash } from '../../store/trash.ts';
import { createWatchlistFormat } from '../../store/watchlist-format.ts';
import { mappableFields } from '../import/columns.ts';
import { bareWord, type OfferedWord, type ValueKind } from './expected-words.ts';

/*
 * Words that are typed part by part: each offered one is the whole of what stands there, with one part more.
 */

/** A filter, with what its last word or term can become, as on the board; a term where a new one begins. */
function filterWords(typed: string, parcels: readonly FilteredNames[]): readonly OfferedWord[] {
  if (typed === '' || /\s$/.test(typed)) return termNames.map((name) => bareWord(`${typed}${name}:`));
  const found = completeFilter(typed, typed.length, parcels);
  return (found?.candidates ?? []).map((candidate) => bareWord(typed.slice(0, found?.from) + candidate));
}

/** Pairs of a field and a heading: the fields that are not named yet. What headings there are, only the file knows. */
function columnMapWords(typed: string): readonly OfferedWord[] {
  const head = /^.*,/s.exec(typed)?.[0] ?? '';
  if (typed.slice(head.length).includes('=')) return [];
  const named = head.split(',').map((pair) => pair.split('=', 1)[0]?.trim());
  return mappableFields.filter((field) => !named.includes(field)).map((field) => bareWord(`${head}${field}=`));
}

/** A fault, and behind a colon how often it happens, and to which operation and numbers. */
function faultWords(typed: string, faults: Readonly<Record<string, string>>): readonly OfferedWord[] {
  const head = /^.*:/s.exec(typed)?.[0];
  if (head === undefined) return Object.entries(faults).map(([word, about]) => ({ word, about }));
  return ['p=', 'count=', 'number=', 'delay=', ...Object.keys(defaultOperations)].map((part) => bareWord(head + part));
}

/** What the watched parcels are called. Rejects with a `StoreError`, and with a `UsageError` about a database. */
async function watchedNames(context: CommandContext, paths: ProgramPaths): Promise<readonly FilteredNames[]> {
  return (
    (await inDatabase(context, async ({ store }) => (await store.read()).parcels)) ??
    (await glanceAtNames(paths.watchlist))
  );
}

/** What a database answers; null where the watchlist is in files. Rejects as {@link watchedNames}. */
async function inDatabase<Answer>(
  context: CommandContext,
  look: (stores: Stores) => Promise<Answer>,
): Promise<Answer | null> {
  return (await isInDatabase(context, {}))
    ? await glanceAtDatabase(context, { ascii: false, color: true }, look)
    : null;
}

/** Numbers that are plain words, with their courier where several have the same one, or where it is being typed. */
function numberWords(
  parcels: readonly Pick<FilteredNames, 'courierCode' | 'label' | 'trackNo'>[],
  typed = '',
): readonly OfferedWord[] {
  const known = parcels.filter(({ trackNo }) => isWord(trackNo) && !trackNo.startsWith('-'));
  const alike = Map.groupBy(known, ({ trackNo }) => trackNo.toUpperCase());
  return known.map(({ courierCode, label, trackNo }) => {
    const isAmbiguous = (alike.get(trackNo.toUpperCase())?.length ?? 0) > 1 || typed.includes('@');
    return { word: isAmbiguous && courierCode !== null ? `${trackNo}@${courierCode}` : trackNo, about: label ?? '' };
  });
}

/** The backups of the watchlist, newest first, without a look into them. */
async function backupWords({ clock, random }: CommandContext, { data }: ProgramPaths): Promise<readonly OfferedWord[]> {
  const backups = new Backups({ folder: join(data, 'backups'), clock, random, format: createWatchlistFormat() });
  return (await backups.list()).map(({ name }) => bareWord(name));
}

/** What was removed and is not watched again, latest first; with the courier where a number was removed under several. */
async function removedWords(context: CommandContext, paths: ProgramPaths): Promise<readonly OfferedWord[]> {
  const removed = await inDatabase(context, async ({ recovery }) =>
    (await recovery.trashed()).map(({ parcel }) => parcel),
  );
  return numberWords(removed ?? (await removedInFiles(context, paths)));
}

async function removedInFiles(
  { clock, random }: CommandContext,
  { data, watchlist }: ProgramPaths,
): Promise<readonly Parcel[]> {
  const format = createWatchlistFormat();
  const trash = new Trash({ folder: join(data, 'trash'), historyFolder: join(data, 'history'), clock, random, format });
  const watched = new Set((await glanceAtNames(watchlist)).map(({ id }) => id));
  return (await trash.list()).flatMap(({ parcel }) => (watched.has(parcel.id) ? [] : [parcel]));
}

/** Kinds of values that the program looks up; the others are the shell's. */
type KnownKind = Exclude<ValueKind, 'files' | 'programs'>;

interface WantedWords {
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
  const { settingTable } = await import('../../settings/table.ts');
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
