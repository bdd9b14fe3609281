import type { Parcel } from '../../src/parcels/parcel.ts';

/** Whether a number was acknowledged as watched or as removed, or is unknown because an action got no response. */
export type Status = 'there' | 'gone' | 'unsure';

/** How the watchlist can violate the acknowledged changes. */
export type FindingKind = 'lost' | 'doubled' | 'came back' | 'label lost';

export interface Finding {
  readonly kind: FindingKind;
  readonly trackNo: string;
  readonly message: string;
}

/** One number of the ledger. */
export interface Entry {
  readonly status: Status;
  /** The last acknowledged label. */
  readonly label: string | null;
  /** Whether the label is known. */
  readonly isLabelSure: boolean;
  /** Whether its removal was the last acknowledged change. */
  readonly isRemoved: boolean;
  /** Changes in progress. */
  readonly pending: number;
  /** Increases with every change of the entry. */
  readonly revision: number;
  /** When it last changed, in milliseconds on the clock. */
  readonly touchedAt: number;
}

/** A change in progress. Until it is settled, the state of its numbers is unknown. */
export interface Change {
  /** The number is watched. Without a label, the label is unchanged. */
  isThere(trackNo: string, label?: string | null): void;
  isGone(trackNo: string): void;
  /** The number is unchanged, including its label. */
  isAsBefore(trackNo: string): void;
  /** Ends the change. Numbers without a result are unsure from now on. */
  end(): void;
}

interface Row extends Entry {
  /** Its last actions, for debugging. */
  readonly trail: readonly string[];
  /** Whether changes to the number overlapped, so that their order is unknown. */
  readonly hasOverlap: boolean;
}

/** In milliseconds. After this time no write can be pending, so an unsure number gets its state from the watchlist. */
const settledAfterMs = 30_000;

const maxTrailLength = 8;

/** Records what was acknowledged about each number. */
export class Ledger {
  readonly #rows = new Map<string, Row>();
  readonly #numbersOfLabels = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins a change to these numbers. `what` names it in findings. */
  begin(trackNos: readonly string[], what = 'change'): Change {
    const before = new Map(trackNos.map((trackNo) => [trackNo, this.#rows.get(trackNo) ?? null]));
    for (const [trackNo, row] of before) {
      const hasOverlap = row !== null && (row.hasOverlap || row.pending > 0);
      this.#addToTrail(trackNo, `${what} begins`);
      this.#set(trackNo, {
        status: 'unsure',
        isLabelSure: false,
        isRemoved: false,
        pending: (row?.pending ?? 0) + 1,
        hasOverlap,
      });
    }
    const open = new Set(trackNos);
    const settle = (trackNo: string, row: Partial<Row>): void => {
      if (!open.delete(trackNo)) return;
      const now = this.#rows.get(trackNo);
      const pending = Math.max(0, (now?.pending ?? 1) - 1);
      const hasOverlap = now?.hasOverlap === true;
      const outcome: Partial<Row> = hasOverlap || pending > 0 ? { status: 'unsure', isLabelSure: false } : row;
      this.#set(trackNo, { ...outcome, pending, hasOverlap: hasOverlap && pending > 0 });
      this.#addToTrail(
        trackNo,
        `${what} ends ${outcome.status ?? 'unsure'}${outcome.label == null ? '' : ` "${outcome.label}"`}`,
      );
    };
    return {
      isThere: (trackNo, label) => {
        if (label != null) this.#numbersOfLabels.set(label, trackNo);
        const was = before.get(trackNo);
        settle(
          trackNo,
          label === undefined
            ? { status: 'there', label: was?.label ?? null, isLabelSure: was?.isLabelSure ?? true }
            : { status: 'there', label, isLabelSure: true },
        );
      },
      isGone: (trackNo) => settle(trackNo, { status: 'gone', isRemoved: true }),
      isAsBefore: (trackNo) => {
        const { status = 'gone', label = null, isLabelSure = false, isRemoved = false } = before.get(trackNo) ?? {};
        settle(trackNo, { status, label, isLabelSure, isRemoved });
      },
      end: () => {
        for (const trackNo of [...open]) settle(trackNo, { status: 'unsure', isLabelSure: false });
      },
    };
  }

  /** Records a new label for a number. Labels are never used twice. */
  noteLabel(label: string, trackNo: string): void {
    this.#numbersOfLabels.set(label, trackNo);
  }

  /** Returns the number that has this number or label, or null. */
  numberOf(title: string): string | null {
    return this.#rows.has(title) ? title : (this.#numbersOfLabels.get(title) ?? null);
  }

  /** Returns the numbers with this status. */
  numbers(status: Status): readonly string[] {
    return [...this.#rows].flatMap(([trackNo, row]) => (row.status === status ? [trackNo] : []));
  }

  /** The ledger as it is now. */
  snapshot(): ReadonlyMap<string, Entry> {
    return new Map(this.#rows);
  }

  /**
   * Compares a watchlist, read after `before` was taken, with the acknowledged state. Skips numbers that
   * changed in between. Numbers that have been unsure for a long time get their state from the watchlist.
   * @param isQuiet whether no write can be pending
   */
  compare(before: ReadonlyMap<string, Entry>, parcels: readonly Parcel[], isQuiet = false): readonly Finding[] {
    const byNumber = Map.groupBy(parcels, ({ trackNo }) => trackNo);
    const findings: Finding[] = [];
    for (const [trackNo, row] of this.#rows) {
      if (before.get(trackNo)?.revision !== row.revision || row.pending > 0) continue;
      const found = byNumber.get(trackNo) ?? [];
      if (row.status === 'unsure') {
        if (!isQuiet && this.#now() - row.touchedAt < settledAfterMs) continue;
        const [first] = found;
        const status = first === undefined ? 'gone' : 'there';
        // A removed parcel keeps its label, and may come back with it.
        this.#set(trackNo, { status, label: first?.label ?? null, isLabelSure: first !== undefined });
        this.#addToTrail(trackNo, `found ${status} "${first?.label ?? ''}"`);
      }
      const { trail, ...entry } = this.#rows.get(trackNo) ?? row;
      for (const finding of findingsOf(trackNo, entry, found)) {
        findings.push({ ...finding, message: [finding.message, ...trail].join('\n  ') });
      }
    }
    return findings;
  }

  #addToTrail(trackNo: string, message: string): void {
    const trail = [
      ...(this.#rows.get(trackNo)?.trail ?? []),
      `${new Date(this.#now()).toISOString().slice(11)} ${message}`,
    ];
    this.#set(trackNo, { trail: trail.slice(-maxTrailLength) });
  }

  #set(trackNo: string, change: Partial<Row>): void {
    const row = this.#rows.get(trackNo);
    this.#rows.set(trackNo, {
      status: 'unsure',
      label: null,
      isLabelSure: false,
      isRemoved: false,
      pending: 0,
      hasOverlap: false,
      trail: [],
      ...row,
      ...change,
      revision: (row?.revision ?? 0) + 1,
      touchedAt: this.#now(),
    });
  }
}

function findingsOf(trackNo: string, entry: Entry, found: readonly Parcel[]): readonly Finding[] {
  const findings: Finding[] = [];
  const [first] = found;
  const name = entry.label === null ? trackNo : `${trackNo} "${entry.label}"`;
  if (found.length > 1) findings.push({ kind: 'doubled', trackNo, message: `${name} is there ${found.length} times` });
  if (entry.status === 'there' && first === undefined) {
    findings.push({ kind: 'lost', trackNo, message: `${name} was acknowledged and is not there` });
  }
  if (entry.status === 'gone' && first !== undefined) {
    findings.push({ kind: 'came back', trackNo, message: `${name} was removed and is there` });
  }
  if (entry.status === 'there' && entry.isLabelSure && first !== undefined && first.label !== entry.label) {
    findings.push({ kind: 'label lost', trackNo, message: `${name} has the label ${JSON.stringify(first.label)}` });
  }
  return findings;
}
