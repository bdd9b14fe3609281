import { join } from 'node:path';
import { termNames } from '../../board/filter-syntax.ts';
import { completeFilter } from '../../board/filter-typing.ts';
import { knownViews } from '../../board/views.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isWord } from '../../lib/track-number.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { defaultOperations, ServiceError } from '../../service/port.ts';
import { type ProgramPaths, readConfigFile } from '../../settings/config-file.ts';
import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { peek } from '../../settings/session/open-session.ts';
import { courierDirectory } from '../../settings/session/open-stores.ts';
import { settingTable } from '../../settings/table.ts';
import { createBackups } from '../../store/recovery.ts';
import { mappableFields } from '../import/columns.ts';

export interface OfferedWord {
  readonly word: string;
  readonly about: string;
}

export const bareWord = (word: string): OfferedWord => ({ word, about: '' });

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
  const backups = createBackups({ folder: join(data, 'backups'), clock, random });
  return (await backups.list()).map(({ name }) => bareWord(name));
}

interface Typed {
  readonly typed: string;
  readonly context: CommandContext;
  readonly paths: ProgramPaths;
}

const watched = ({ context }: Typed): Promise<readonly Parcel[]> =>
  orNone(peek(context, noGlobals, async (_, parcels) => parcels));

async function withCouriers(at: Typed): Promise<readonly OfferedWord[]> {
  const head = /^.*@/s.exec(at.typed)?.[0];
  if (head === undefined || !isTypable(head)) return [];
  return (await courierWords(at)).map(({ about, word }) => ({ word: head + word, about }));
}

const offers = {
  parcels: async (at) => parcelWords(await watched(at), at.typed),
  'any-parcels': async (at) => {
    const known = parcelWords(await watched(at), at.typed);
    const isKnown = !at.typed.includes('@') || known.some(({ word }) => word.startsWith(at.typed));
    return isKnown ? known : await withCouriers(at);
  },
  'new-parcels': withCouriers,
  'removed-parcels': async ({ context }) => {
    const latestFirst = peek(context, noGlobals, async ({ recovery }) => await recovery.trashed());
    return numberWords((await orNone(latestFirst)).map(({ parcel }) => parcel));
  },
  backups: ({ context, paths }) => orNone(backupWords(context, paths)),
  filter: async (at) => filterWords(at.typed, await watched(at)).filter(({ word }) => isTypable(word)),
  views: async ({ context, paths }) => {
    const own = readConfigFile(paths.config, false, context.userId).then(({ settings }) => settings.views ?? []);
    return knownViews(await orNone(own)).map(({ name }) => bareWord(name));
  },
  'column-map': async ({ typed }) => columnMapWords(typed),
  faults: async ({ context, typed }) => faultWords(typed, (await context.loadSandbox()).faults),
  tags: async (at) => [...new Set((await watched(at)).flatMap(({ tags }) => tags))].filter(isTypable).map(bareWord),
  couriers: courierWords,
  zones: async () => ['event', 'local', 'utc', ...Intl.supportedValuesOf('timeZone')].map(bareWord),
  settings: async (at) => settingWords(await courierWords(at)),
} as const satisfies Readonly<Record<string, (at: Typed) => Promise<readonly OfferedWord[]>>>;

export type OfferKind = keyof typeof offers;

/**
 * Only reads: a completion neither repairs files nor calls the service. Control characters are removed, because labels
 * and tags are not trusted.
 */
export async function offeredWords(kind: OfferKind, at: Typed): Promise<readonly OfferedWord[]> {
  return (await offers[kind](at)).map(({ about, word }) => ({ word, about: cleanText(about) }));
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

async function courierWords({ context, paths }: Typed): Promise<readonly OfferedWord[]> {
  const kept = courierDirectory({ context, paths }).list();
  return (await orNone(kept.then(({ couriers }) => couriers)))
    .filter(({ code }) => isWord(code) && !code.startsWith('-'))
    .map(({ code, nameCN, nameEN }) => ({ word: code, about: nameEN ?? nameCN ?? '' }));
}
