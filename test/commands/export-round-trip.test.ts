import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listJson } from '../../src/board/parcel-json.ts';
import { csvHeadings, csvRow, exportedParcel } from '../../src/commands/export.ts';
import { readRow } from '../../src/commands/import/import.ts';
import { readImportTable } from '../../src/commands/import/rows.ts';
import { csvText } from '../../src/lib/escape.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { addParcels } from '../../src/parcels/parcel-list.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { aBoard, now } from '../board/parcels.ts';
import { forAll, forAllIn } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';
import { exportContract } from './contract.ts';
import { enteredParcels } from './exported-parcels.ts';

const exportOptions = { serviceClock: assumedServiceClock, now, isPaused: false };
const writeJson = (parcels: readonly Parcel[]): string =>
  JSON.stringify({
    ...listJson([], null, exportOptions),
    parcels: parcels.map((parcel) => exportedParcel(parcel, exportOptions)),
  });
const writeCsv = (parcels: readonly Parcel[]): string =>
  csvText([csvHeadings, ...parcels.map((parcel) => csvRow(exportedParcel(parcel, exportOptions)))]);

/** Returns what the user entered about each parcel. */
const userDataOf = (parcels: readonly Parcel[]) =>
  parcels.map(({ archivedAt, courierCode, extras, label, merchant, note, tags, trackNo }) => ({
    ...{ archivedAt, courierCode, extras, label, merchant: merchant ?? {}, note, tags, trackNo },
  }));

/** Imports text into an empty watchlist, as on a different machine. */
function importText(text: string): readonly Parcel[] {
  const rows = readImportTable(text).rows;
  const context = { now, zone: () => 'Pacific/Chatham', resolveCourier: (courier: string) => courier };
  const parcels = rows.flatMap((row) => {
    const result = readRow(row, context);
    return 'reason' in result ? [] : result;
  });
  expect(parcels).toHaveLength(rows.length);
  const added = parcels.map((draft) => newParcel(draft, now, Math.random));
  return addParcels([], added, now).parcels;
}

describe.each([
  ['JSON', writeJson],
  ['CSV', writeCsv],
])('an export as %s', (_name, write) => {
  it('restores all user data when it is imported', () =>
    forAllIn(rounds(150), enteredParcels, fc.constantFrom('', '\uFEFF'), (parcels, byteOrderMark) => {
      expect(userDataOf(importText(byteOrderMark + write(parcels)))).toEqual(userDataOf(parcels));
    }));

  it.each(['na', 'other', 'custom', 'none'])('restores the courier code "%s"', (courierCode) => {
    const parcels = aBoard()
      .slice(0, 1)
      .map((parcel) => ({ ...parcel, courierCode }));
    expect(importText(write(parcels))).toMatchObject([{ courierCode }]);
  });

  it('restores a whole board', () => {
    const registered = aBoard().map((parcel, index) => ({
      ...parcel,
      trackNo: `NO${1000 + index}`,
      courierCode: parcel.courierCode?.replaceAll(' ', '-') ?? null,
    }));
    expect(userDataOf(importText(write(registered)))).toEqual(userDataOf(registered));
  });

  it('is the same after a second round trip', () =>
    forAll(enteredParcels, (parcels) => {
      const second = importText(write(parcels)).map((parcel, index) => ({
        ...parcel,
        addedAt: parcels[index]?.addedAt ?? '',
        nextPollAt: parcels[index]?.nextPollAt ?? null,
      }));
      expect(write(second)).toBe(write(parcels));
    }));
});

it('an export as JSON matches the contract for any data', () => {
  forAll(enteredParcels, (parcels) => {
    expect(v.safeParse(exportContract, JSON.parse(writeJson(parcels))).issues).toBeUndefined();
  });
  const board = v.parse(exportContract, JSON.parse(writeJson(aBoard())));
  expect(board.parcels).toHaveLength(aBoard().length);
});
