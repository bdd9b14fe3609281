import { fitLine } from '../text/cells.ts';
import { counted } from '../text/counted.ts';
import type { Line } from '../text/line.ts';
import { canBeTaken, type JudgedRow } from './judge-rows.ts';
import { type ScanCost, scanCostWords } from './scan-cost.ts';

/** What the line above the list is made of. */
export interface ScanSummaryInput {
  readonly stage:
    | { readonly kind: 'reading' | 'choosing' | 'ended' }
    | { readonly kind: 'adding'; readonly doing: string; readonly isStopping: boolean };
  /** How many numbers there are, taken or not. */
  readonly rows: readonly unknown[];
  readonly cost: ScanCost;
  /** Registrations that the user's budget has left; null without a limit. */
  readonly left: number | null;
  /** The selected number. */
  readonly selected: Pick<JudgedRow, 'standing'> | null;
  /** What else the user should know; the first that there is room for. */
  readonly notes: readonly string[];
  readonly width: number;
}

/** What adding the chosen numbers does and costs, or how far that is, exactly `width` cells. */
export function scanSummary(input: ScanSummaryInput): Line {
  const { stage, width } = input;
  if (stage.kind === 'adding') {
    const words = stage.isStopping ? `Stopping… ${stage.doing}` : stage.doing;
    return fitLine([{ text: ` ${words}`, bold: true, tone: 'moving' }], width);
  }
  return fitLine(
    [...proposal(input), ...input.notes.map((text) => ({ text: `  ${text}`, tone: 'today' as const }))],
    width,
  );
}

function proposal({ cost, left, rows, selected, stage }: ScanSummaryInput): Line {
  if (stage.kind === 'reading' || rows.length === 0) return [{ text: ' ' }];
  if (cost.numbers === 0) {
    const advice = selected !== null && canBeTaken(selected.standing) ? ' Space takes the selected number.' : '';
    return stage.kind === 'ended' ? [] : [{ text: ` Nothing to add.${advice}`, tone: 'quiet' }];
  }
  const isBeyond = left !== null && cost.registrations > left;
  return [
    { text: ` Add ${counted(cost.numbers, 'number')}`, bold: true },
    {
      text: cost.registrations === 0 ? '' : `: ${scanCostWords(cost, left)}`,
      ...(isBeyond ? { tone: 'attention' as const } : {}),
    },
  ];
}
