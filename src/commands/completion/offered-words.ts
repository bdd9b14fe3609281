import { join } from 'node:path';
import { termNames } from '../../board/filter-syntax.ts';
import { completeFilter } from '../../board/filter-typing.ts';
import { knownViews, type View } from '../../board/views.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isWord } from '../../lib/track-number.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { ServiceError } from '../../service/errors.ts';
import { defaultOperations } from '../../service/port.ts';
import { type ProgramPaths, readConfigFile } from '../../settings/config-file.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { peek } from '../../settings/session/open-session.ts';
import { courierDirectory } from '../../settings/session/open-stores.ts';
import { settingTable } from '../../settings/table.ts';
import { Backups } from '../../store/recovery.ts';
import { mappableFields } from '../import/columns.ts';
import { bareWord, type OfferedWord, type ValueKind } from './expected-words.ts';

function filterWords(typed: string, parcels: readonly Parcel[]): readonly OfferedWord[] {
  if (typed === '' || /\s$/.test(typed)) return termNames.map((name) => bareWord(`${typed}${name}:`));
  const found = completeFilter(typed, typed.length, parcels);
  return (found?.candidates ?? []).map((candidate) => bareWord(typed.slice(0, found?.from) + candidate));
}

/** Completes only the fields, because the headings are in a file that is not read. */
function columnMapWords(typed: string): readonly OfferedWord[] {
  const head = /^.*,/s.exec(typed)?.[0] ?? '';
  if (typed.slice(head.length).includes('=')) return [];
  const named = head.split(',').map((pair) => pair.split('=', 1)[0]?.trim());
  return mappableFields.filter((field) => !named.includes(field)).map((field) => bareWord(`${head}${field}=`));
}

function faultWords(typed: string, faults: Readonly<Record<string, string>>): readonly OfferedWord[] {
  const head = /^.*:/s.exec(typed)?.[0];
  if (head === undefined) return Object.entries(faults).map(([word, about]) => ({ word, about }));
  return ['p=', 'count=', 'number=', 'delay=', ...Object.keys(defaultOperations)].map((part) => bareWord(head + part));
}

const noGlobals = { ascii: false };

async function viewsOf({ userId }: CommandContext, { config }: ProgramPaths): Promise<readonly View[]> {
  return (await readConfigFile(config, false, userId)).settings.views ?? [];
}

function numberWords(
  parcels: readonly Pick<Parcel, 'courierCode' | 'label' | 'trackNo'>[],
  typed = '',
): readonly OfferedWord[] {
  const known = parcels.filter(({ trackNo }) => isWord(trackNo) && !trackNo.startsWith('-'));
  const alike = Map.groupBy(known, ({ trackNo }) => trackNo.toUpperCase());
  return known.map(({ courierCode, label, trackNo }) => {
    const isAmbiguous = (alike.get(trackNo.toUpperCase())?.length ?? 0) > 1 || typed.includes('@');
    return { word: isAmbiguous && courierCode !== null ? `${trackNo}@${courierCode}` : trackNo, about: label ?? '' };
  });
}

/** Newest first. The backups are not opened. */
async function backupWords({ clock, random }: CommandContext, { data }: ProgramPaths): Promise<readonly OfferedWord[]> {
  const backups = new Backups({ folder: join(data, 'backups'), clock, random });
  return (await backups.list()).map(({ name }) => bareWord(name));
}

/** Latest first. */
const removedParcels = (context: CommandContext): Promise<readonly Parcel[]> =>
  peek(context, noGlobals, async ({ recovery }) => (await recovery.trashed()).map(({ parcel }) => parcel));

interface WantedWords {
  readonly kind: Exclude<ValueKind, 'files' | 'programs'>;
  readonly typed: string;
}

/**
 * Only reads: a completion neither repairs files nor calls the service. Control characters are removed, because labels
 * and tags are not trusted.
 */
export async function knownWords(
  { kind, typed }: WantedWords,
  context: CommandContext,
  paths: ProgramPaths,
): Promise<readonly OfferedWord[]> {
  const watched = () => orNone(peek(context, noGlobals, async (_, parcels) => parcels));
  const couriers = () => courierWords(context, paths);
  const withCouriers = async (): Promise<readonly OfferedWord[]> => {
    const head = /^.*@/s.exec(typed)?.[0];
    if (head === undefined || !isTypable(head)) return [];
    return (await couriers()).map(({ about, word }) => ({ word: head + word, about }));
  };
  const offered: Readonly<Record<WantedWords['kind'], () => Promise<readonly OfferedWord[]>>> = {
    parcels: async () => parcelWords(await watched(), typed),
    'any-parcels': async () => {
      const known = parcelWords(await watched(), typed);
      const isKnown = !typed.includes('@') || known.some(({ word }) => word.startsWith(typed));
      return isKnown ? known : await withCouriers();
    },
    'new-parcels': withCouriers,
    'removed-parcels': async () => numberWords(await orNone(removedParcels(context))),
    backups: () => orNone(backupWords(context, paths)),
    filter: async () => filterWords(typed, await watched()).filter(({ word }) => isTypable(word)),
    views: async () => knownViews(await orNone(viewsOf(context, paths))).map(({ name }) => bareWord(name)),
    'column-map': async () => columnMapWords(typed),
    faults: async () => faultWords(typed, (await context.loadSandbox()).faults),
    tags: async () => [...new Set((await watched()).flatMap(({ tags }) => tags))].filter(isTypable).map(bareWord),
    couriers,
    zones: async () => ['event', 'local', 'utc', ...Intl.supportedValuesOf('timeZone')].map(bareWord),
    settings: async () => settingWords(await couriers()),
  };
  return (await offered[kind]()).map(({ about, word }) => ({ word, about: cleanText(about) }));
}

/** Returns no words on failure, because a completion shows no errors. */
async function orNone<Item>(looked: Promise<readonly Item[]>): Promise<readonly Item[]> {
  return await looked.catch((error: unknown) => {
    if (error instanceof StoreError || error instanceof ServiceError || error instanceof UsageError) return [];
    throw error;
  });
}

function settingWords(couriers: readonly OfferedWord[]): readonly OfferedWord[] {
  return Object.entries(settingTable).flatMap(([name, { about }]) => {
    if (name.startsWith('$')) return [];
    const names = name.includes('*') ? couriers.map(({ word }) => name.replace('*', word)) : [name];
    return names.map((word) => ({ word, about }));
  });
}

function parcelWords(names: readonly Parcel[], typed: string): readonly OfferedWord[] {
  const labelled = Map.groupBy(names, ({ label }) => label ?? '');
  const labels = [...labelled].flatMap(([label, [first, ...others]]) =>
    first === undefined || others.length > 0 || !isTypable(label) ? [] : [{ word: label, about: first.trackNo }],
  );
  return [...new Map([...numberWords(names, typed), ...labels].map((one) => [one.word, one])).values()];
}

function isTypable(text: string): boolean {
  return text !== '' && text === cleanText(text) && !text.startsWith('-');
}

async function courierWords(context: CommandContext, paths: ProgramPaths): Promise<readonly OfferedWord[]> {
  const kept = courierDirectory({ context, paths }).list();
  return (await orNone(kept.then(({ couriers }) => couriers)))
    .filter(({ code }) => isWord(code) && !code.startsWith('-'))
    .map(({ code, nameCN, nameEN }) => ({ word: code, about: nameEN ?? nameCN ?? '' }));
}
