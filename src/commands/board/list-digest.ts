import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type DigestedList, digestedList } from '../../board/digest/digested-list.ts';
import { decodeDigest, encodeDigest, type ListDigest } from '../../board/digest/list-digest.ts';
import { makeDigest } from '../../board/digest/make-digest.ts';
import { soonestWaits } from '../../polling/schedule/soonest-waits.ts';
import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { parseJson } from '../../watchlist/document/document-format.ts';
import { writeFileAtomically } from '../../watchlist/files/atomic-write.ts';
import { fileMark } from '../../watchlist/files/file-mark.ts';
import { refuseOtherThanFile } from '../../watchlist/files/open-file.ts';
import { refuseStrangeLinks } from '../../watchlist/files/strange-links.ts';
import { ParcelLines } from '../../watchlist/store/parcel-lines.ts';
import type { Core } from '../session/core.ts';
import type { Session } from '../session/session.ts';

/** Beside what else is remembered from one start to the next. */
const digestFile = 'list-digest.json';

/** A watchlist of fewer parcels is read as fast as its digest. */
const fewestParcels = 500;

/** A digest that is older is made anew, in milliseconds: it holds for some days only. */
const renewedAfterMs = 24 * 60 * 60_000;

/** What it takes to keep a digest, and to read it. */
type Keeping = Pick<Session, 'context' | 'paths' | 'stores'>;

const pathOf = ({ paths }: Keeping): string => join(paths.state, digestFile);

/**
 * Keeps what the next board shows of a long watchlist before it has read it. Never rejects, and says nothing: without it, the
 * first frame only comes later.
 */
export async function keepListDigest(session: Keeping, zone: Zone, { gate }: Core): Promise<void> {
  try {
    const { files } = await session.stores();
    // Others change a shared list all the time: see `keepSharedDigest`.
    if (files === null) return;
    const { clock, random, version } = session.context;
    const now = clock.now();
    const known = digestIn(await readFile(pathOf(session), 'utf8').catch(() => ''), version);
    const isFresh =
      known !== null && known.digest.zone === zone.name && Math.abs(now - known.digest.madeAt) < renewedAfterMs;
    if (isFresh && known.mark === (await fileMark(session.paths.watchlist))) return;
    const placed = await files.placedParcels();
    if (placed === null || placed.parcels.length < fewestParcels) return;
    const { mark, parcels, places } = placed;
    const checks = soonestWaits(parcels, gate.policy);
    const digest = await makeDigest({ parcels, places, now, zone, checks, pause: () => turnOfTheLoop() });
    const text = JSON.stringify({ ...encodeDigest(digest), program: version, mark });
    await writeFileAtomically(pathOf(session), text, random);
  } catch {
    // As above.
  }
}

/** What a digest of the watchlist as it is stands for; to be closed. */
export interface OpenedDigest extends DigestedList {
  readonly close: () => void;
}

/** Opens the digest of the watchlist as it is now; null where there is none that holds. */
export async function openListDigest(session: Keeping, zone: Zone, now: EpochMs): Promise<OpenedDigest | null> {
  const { paths, context } = session;
  let lines: ParcelLines | null = null;
  try {
    refuseStrangeLinks(paths.watchlist, context.processes?.uid ?? null);
    await refuseOtherThanFile(pathOf(session));
    const known = digestIn(readFileSync(pathOf(session), 'utf8'), context.version);
    lines = known === null ? null : ParcelLines.open(paths.watchlist, known.mark);
    const opened = lines;
    const list =
      known === null || opened === null
        ? null
        : digestedList(known.digest, now, zone, (place) => opened.parcelAt(place));
    if (opened !== null && list !== null) return { ...list, close: () => opened.close() };
  } catch {
    // The whole reading says what is wrong.
  }
  lines?.close();
  return null;
}

/** A digest with what says of which list it is, and of a shared one of which revision. */
interface KeptDigest {
  readonly digest: ListDigest;
  readonly mark: string;
  readonly revision: number | null;
}

/** The digest in a text; null where another version of the program made it. */
export function digestIn(text: string, version: string): KeptDigest | null {
  const value = parseJson(text);
  if (!isJsonObject(value) || value['program'] !== version) return null;
  const { mark, revision, program: _, ...rest } = value;
  const digest = decodeDigest(rest);
  if (digest === null || typeof mark !== 'string') return null;
  return { digest, mark, revision: typeof revision === 'number' ? revision : null };
}
