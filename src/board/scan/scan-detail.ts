import { fitLine } from '../text/cells.ts';
import type { Line, Tone } from '../text/line.ts';
import { paragraphLines } from '../text/paragraph.ts';
import type { JudgedRow } from './judge-rows.ts';
import { placesSentence } from './place-words.ts';
import { isSettled, progressLooks, type RowProgress } from './row-progress.ts';
import { type CourierNames, courierText, evidenceWords } from './row-words.ts';

/** What is said about a number. */
export interface ScanDetailInput {
  readonly row: JudgedRow;
  readonly progress: RowProgress | null;
  readonly names: CourierNames;
  /** Cells of a line. */
  readonly width: number;
}

const pendingWords = 'It is on the watchlist, and is registered as soon as the service can be called.';

/** All that is known of a number, in lines of at most `width` cells: what matters most first. */
export function scanDetail({ row, progress, names, width }: ScanDetailInput): readonly Line[] {
  const { courierCode, found, label, parcel, trackNo } = row;
  const courier = (courierCode ?? parcel?.courierCode ?? null) === null ? [] : [courierText(row, names)];
  const head: Line = [
    { text: ` ${trackNo}`, bold: true },
    ...[...courier, ...(label === null ? [] : [label])].map((text) => ({ text: ` · ${text}` })),
  ];
  const said = (text: string | null, tone: Tone): readonly Line[] =>
    text === null ? [] : paragraphLines(text, width - 1, { tone }, 1);
  return [
    fitLine(head, width),
    ...said(warningOf(row, progress), progress === null ? 'today' : progressLooks[progress.kind].tone),
    ...[whyText(row), candidatesText(row, progress), editedText(row)].flatMap((text) => said(text, 'quiet')),
  ].slice(0, found.places.length + 20);
}

function warningOf({ parcel, remark, standing }: JudgedRow, progress: RowProgress | null): string | null {
  if (progress !== null && (progress.kind === 'rejected' || progress.kind === 'failed')) return progress.reason;
  if (progress?.kind === 'pending') return pendingWords;
  if (progress !== null && isSettled(progress)) return null;
  if (standing !== 'watched' || parcel === null) return remark;
  return `It is on the watchlist already${parcel.label === null ? '' : ` as ${parcel.label}`}.`;
}

function whyText({ found, original }: JudgedRow): string {
  // The text has another one there.
  if (original !== null) return found.evidence === 'entered' ? 'You entered it.' : `${evidenceWords[found.evidence]}.`;
  const places = placesSentence(found.places);
  return places === '' ? `${evidenceWords[found.evidence]}.` : `${evidenceWords[found.evidence]}: ${places}.`;
}

function candidatesText(
  { courierCode, found, parcel, standing }: JudgedRow,
  progress: RowProgress | null,
): string | null {
  if (courierCode !== null || standing === 'watched' || (parcel?.courierCode ?? null) !== null) return null;
  // The service has said that it does not find it out.
  const isRejected = progress?.kind === 'rejected' || standing === 'rejected';
  const names = [
    ...new Set(found.candidates.map(({ courierCode: code, name }) => (code === null ? name : `${name} (${code})`))),
  ];
  const next = isRejected ? 'Press c to name the courier.' : 'The service finds the courier, or press c to name it.';
  return names.length === 0 ? next : `It may be of ${names.join(', ')}. ${next}`;
}

const editedText = ({ original }: JudgedRow): string | null =>
  original === null ? null : `The text has ${original.trackNo}.`;
