import { fitLine, paragraphLines } from '../../lib/cells.ts';
import type { Line, Segment, Tone } from '../../lib/paint.ts';
import { counted } from '../../lib/text.ts';
import type { CallCost } from '../../polling/gate/call-rules.ts';
import { canBeSelected, type JudgedRow, scanCostText } from './judge-rows.ts';
import {
  type CourierNames,
  courierText,
  evidenceText,
  isSettled,
  placesSentence,
  progressLooks,
  type RowProgress,
} from './row-words.ts';
import { isReplaced } from './scan-row.ts';

interface ScanDetailInput {
  readonly row: JudgedRow;
  readonly progress: RowProgress | null;
  readonly names: CourierNames;
  readonly width: number;
}

/** Describes a number, most important facts first, in lines of at most `width` cells. */
export function scanDetail({ row, progress, names, width }: ScanDetailInput): readonly Line[] {
  const { courierCode, label, parcel, trackNo } = row;
  const courier = (courierCode ?? parcel?.courierCode ?? null) === null ? [] : [courierText(row, names)];
  const head: Line = [
    { text: ` ${trackNo}`, bold: true },
    ...[...courier, ...(label === null ? [] : [label])].map((text) => ({ text: ` · ${text}` })),
  ];
  const lines = (text: string | null, tone: Tone): readonly Line[] =>
    text === null ? [] : paragraphLines(text, width - 1, { tone }, 1);
  return [
    fitLine(head, width),
    ...lines(warningText(row, progress), progress === null ? 'today' : progressLooks[progress.kind].tone),
    ...[reasonText(row), candidatesText(row, progress), editedText(row)].flatMap((text) => lines(text, 'quiet')),
  ];
}

function warningText({ parcel, remark, state }: JudgedRow, progress: RowProgress | null): string | null {
  if (progress !== null && (progress.kind === 'rejected' || progress.kind === 'failed')) return progress.reason;
  if (progress?.kind === 'pending') {
    return 'It is saved and will be registered when the service can be reached.';
  }
  if (progress !== null && isSettled(progress)) return null;
  if (state !== 'watched' || parcel === null) return remark;
  return `It is already on the list${parcel.label === null ? '' : ` as ${parcel.label}`}.`;
}

function reasonText(row: JudgedRow): string {
  const { evidence } = row;
  if (isReplaced(row) && evidence === 'entered') return 'You entered it.';
  const places = isReplaced(row) ? '' : placesSentence(row.places);
  return places === '' ? `${evidenceText[evidence]}.` : `${evidenceText[evidence]}: ${places}.`;
}

function candidatesText(
  { candidates, courierCode, parcel, state }: JudgedRow,
  progress: RowProgress | null,
): string | null {
  if (courierCode !== null || state === 'watched' || (parcel?.courierCode ?? null) !== null) return null;
  const isRejected = progress?.kind === 'rejected' || state === 'rejected';
  const names = new Set(candidates.map(({ courierCode: code, name }) => (code === null ? name : `${name} (${code})`)));
  const next = isRejected
    ? 'Press c to choose the courier.'
    : 'The service will detect the courier. Press c to choose it yourself.';
  return names.size === 0 ? next : `Probably ${[...names].join(' or ')}. ${next}`;
}

const editedText = (row: JudgedRow): string | null =>
  isReplaced(row) ? `The text says ${row.original.trackNo}.` : null;

interface ScanSummaryInput {
  readonly stage:
    | { readonly kind: 'reading' | 'choosing' | 'ended' }
    | { readonly kind: 'adding'; readonly doing: string; readonly isStopping: boolean };
  readonly rows: readonly unknown[];
  readonly cost: CallCost;
  /** Registrations left in the budget. Null if there is no limit. */
  readonly registrationsLeft: number | null;
  readonly selected: Pick<JudgedRow, 'state'> | null;
  readonly notes: readonly string[];
  readonly width: number;
}

/** Returns the cost of adding the selected numbers, or the progress of adding them, in exactly `width` cells. */
export function scanSummary(input: ScanSummaryInput): Line {
  const { notes, stage, width } = input;
  if (stage.kind === 'adding') {
    const words = stage.isStopping ? `Stopping… ${stage.doing}` : stage.doing;
    return fitLine([{ text: ` ${words}`, bold: true, tone: 'moving' }], width);
  }
  return fitLine([...proposal(input), ...notes.map((text): Segment => ({ text: `  ${text}`, tone: 'today' }))], width);
}

function proposal({ cost, registrationsLeft, rows, selected, stage }: ScanSummaryInput): Line {
  if (stage.kind === 'reading' || rows.length === 0) return [{ text: ' ' }];
  if (cost.numbers === 0) {
    const advice =
      selected !== null && canBeSelected(selected.state) ? ' Press Space to choose the selected number.' : '';
    return stage.kind === 'ended' ? [] : [{ text: ` Nothing to add.${advice}`, tone: 'quiet' }];
  }
  const isBeyond = registrationsLeft !== null && cost.registrations > registrationsLeft;
  return [
    { text: ` Add ${counted(cost.numbers, 'number')}`, bold: true },
    {
      text: cost.registrations === 0 ? '' : `: ${scanCostText(cost, registrationsLeft)}`,
      ...(isBeyond ? { tone: 'attention' as const } : {}),
    },
  ];
}
