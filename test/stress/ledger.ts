import type { Parcel } from '../../src/parcels/parcel.ts';

/** What is known about a number: it was acknowledged as watched or as removed, or an action got no response. */
export type Standing = 'there' | 'gone' | 'unsure';

/** The result of comparing the watchlist with the acknowledged changes. */
export type FindingKind = 'lost' | 'doubled' | 'came back' | 'label lost';

/** A violation. */
export interface Finding {
  readonly kind: FindingKind;
  readonly trackNo: string;
  readonly words: string;
}

/** One number of the ledger. */
export interface Entry {
  readonly standing: Standing;
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
  /** When it last changed, in milliseconds of the clock. */
  readonly touchedAt: number;
}

/** A change in progress. Until it is settled, the state of its numbers is unknown. */
export interface Change {
  /** The number is watched. Without a label, the label is unchanged. */
  isThere(trackNo: string, label?: string | null): void;
  isGone(trackNo: string): void;
  /** The number is unchanged, including its label. */
  isAsBefore(trackNo: string): void;
  /** The change is over. Numbers without a result are unsure from now on. */
  end(): void;
}

interface Row extends Entry {
  /** Its last actions, for debugging. */
  readonly trail: readonly string[];
  /** Whether changes of the number overlapped, so that their order is unknown. */
  readonly isTangled: boolean;
}

/** In milliseconds. An unsure number is looked up in the watchlist once no write can be pending. */
const settledAfterMs = 30_000;

const mostNotes = 8;

/** What was acknowledged about each number. */
export class Ledger {
  readonly #rows = new Map<string, Row>();
  readonly #numbersOfLabels = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins a change of these numbers. `what` names it in findings. */
  begin(trackNos: readonly string[], what = 'change'): Change {
    const before = new Map(trackNos.map((trackNo) => [trackNo, this.#rows.get(trackNo) ?? null]));
    for (const [trackNo, row] of before) {
      const isTangled = row !== null && (row.isTangled || row.pending > 0);
      this.#note(trackNo, `${what} begins`);
      this.#set(trackNo, {
        standing: 'unsure',
        isLabelSure: false,
        isRemoved: false,
        pending: (row?.pending ?? 0) + 1,
        isTangled,
      });
    }
    const open = new Set(trackNos);
    const settle = (trackNo: string, row: Partial<Row>): void => {
      if (!open.delete(trackNo)) return;
      const now = this.#rows.get(trackNo);
      const pending = Math.max(0, (now?.pending ?? 1) - 1);
      const isTangled = now?.isTangled === true;
      const outcome: Partial<Row> = isTangled || pending > 0 ? { standing: 'unsure', isLabelSure: false } : row;
      this.#set(trackNo, { ...outcome, pending, isTangled: isTangled && pending > 0 });
      this.#note(
        trackNo,
        `${what} ends ${outcome.standing ?? 'unsure'}${outcome.label == null ? '' : ` "${outcome.label}"`}`,
      );
    };
    return {
      isThere: (trackNo, label) => {
        if (label != null) this.#numbersOfLabels.set(label, trackNo);
        const was = before.get(trackNo);
        settle(
          trackNo,
          label === undefined
            ? { standing: 'there', label: was?.label ?? null, isLabelSure: was?.isLabelSure ?? true }
            : { standing: 'there', label, isLabelSure: true },
        );
      },
      isGone: (trackNo) => settle(trackNo, { standing: 'gone', isRemoved: true }),
      isAsBefore: (trackNo) => {
        const { standing = 'gone', label = null, isLabelSure = false, isRemoved = false } = before.get(trackNo) ?? {};
        settle(trackNo, { standing, label, isLabelSure, isRemoved });
      },
      end: () => {
        for (const trackNo of [...open]) settle(trackNo, { standing: 'unsure', isLabelSure: false });
      },
    };
  }

  /** A new label for a number. Labels are never used twice. */
  noteLabel(label: string, trackNo: string): void {
    this.#numbersOfLabels.set(label, trackNo);
  }

  /** The number with this number or label, or null. */
  numberOf(title: string): string | null {
    return this.#rows.has(title) ? title : (this.#numbersOfLabels.get(title) ?? null);
  }

  /** Numbers with a state. */
  numbers(standing: Standing): readonly string[] {
    return [...this.#rows].flatMap(([trackNo, row]) => (row.standing === standing ? [trackNo] : []));
  }

  /** The ledger as it is now. */
  snapshot(): ReadonlyMap<string, Entry> {
    return new Map(this.#rows);
  }

  /**
   * Compares a watchlist, read after `before` was taken, with the acknowledged state. Leaves out numbers that were
   * changed in between. Numbers that have been unsure for long get the state in the watchlist.
   * @param isQuiet whether no write can be pending
   */
  compare(before: ReadonlyMap<string, Entry>, parcels: readonly Parcel[], isQuiet = false): readonly Finding[] {
    const byNumber = Map.groupBy(parcels, ({ trackNo }) => trackNo);
    const findings: Finding[] = [];
    for (const [trackNo, row] of this.#rows) {
      if (before.get(trackNo)?.revision !== row.revision || row.pending > 0) continue;
      const found = byNumber.get(trackNo) ?? [];
      if (row.standing === 'unsure') {
        if (!isQuiet && this.#now() - row.touchedAt < settledAfterMs) continue;
        const [first] = found;
        const standing = first === undefined ? 'gone' : 'there';
        // A removed parcel keeps its label, and may come back with it.
        this.#set(trackNo, { standing, label: first?.label ?? null, isLabelSure: first !== undefined });
        this.#note(trackNo, `found ${standing} "${first?.label ?? ''}"`);
      }
      const { trail, ...entry } = this.#rows.get(trackNo) ?? row;
      for (const finding of findingsOf(trackNo, entry, found)) {
        findings.push({ ...finding, words: [finding.words, ...trail].join('\n  ') });
      }
    }
    return findings;
  }

  #note(trackNo: string, words: string): void {
    const trail = [
      ...(this.#rows.get(trackNo)?.trail ?? []),
      `${new Date(this.#now()).toISOString().slice(11)} ${words}`,
    ];
    this.#set(trackNo, { trail: trail.slice(-mostNotes) });
  }

  #set(trackNo: string, change: Partial<Row>): void {
    const row = this.#rows.get(trackNo);
    this.#rows.set(trackNo, {
      standing: 'unsure',
      label: null,
      isLabelSure: false,
      isRemoved: false,
      pending: 0,
      isTangled: false,
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
  if (found.length > 1) findings.push({ kind: 'doubled', trackNo, words: `${name} is there ${found.length} times` });
  if (entry.standing === 'there' && first === undefined) {
    findings.push({ kind: 'lost', trackNo, words: `${name} was acknowledged and is not there` });
  }
  if (entry.standing === 'gone' && first !== undefined) {
    findings.push({ kind: 'came back', trackNo, words: `${name} was removed and is there` });
  }
  if (entry.standing === 'there' && entry.isLabelSure && first !== undefined && first.label !== entry.label) {
    findings.push({ kind: 'label lost', trackNo, words: `${name} has the label ${JSON.stringify(first.label)}` });
  }
  return findings;
}
