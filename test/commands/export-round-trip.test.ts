import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listJson } from '../../src/board/parcel-json.ts';
import { csvHeadings, csvRow, exportedParcel } from '../../src/commands/export.ts';
import { readRow } from '../../src/commands/import/import.ts';
import { readImportTable } from '../../src/commands/import/rows.ts';
import { csvText } from '../../src/lib/csv-text.ts';
import { addParcels } from '../../src/parcels/add-parcels.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';
import { aBoard, now } from '../board/parcels.ts';
import { forAll, forAllIn } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';
import { exportContract } from './contract.ts';
import { enteredParcels } from './exported-parcels.ts';

const usual = { serviceClock: assumedServiceClock, now, isPaused: false };
const writeJson = (parcels: readonly Parcel[]): string =>
  JSON.stringify({ ...listJson([], null, usual), parcels: parcels.map((parcel) => exportedParcel(parcel, usual)) });
const writeCsv = (parcels: readonly Parcel[]): string =>
  csvText([csvHeadings, ...parcels.map((parcel) => csvRow(exportedParcel(parcel, usual)))]);

/** What the user entered about each parcel. */
const entered = (parcels: readonly Parcel[]) =>
  parcels.map(({ archivedAt, courierCode, extras, label, merchant, note, tags, trackNo }) => ({
    ...{ archivedAt, courierCode, extras, label, merchant: merchant ?? {}, note, tags, trackNo },
  }));

/** The watchlist of another machine after an import. */
function imported(text: string): readonly Parcel[] {
  const rows = readImportTable(text).rows;
  const situation = { now, zone: () => 'Pacific/Chatham', resolveCourier: (courier: string) => courier };
  const parcels = rows.flatMap((row) => {
    const reading = readRow(row, situation);
    return 'reason' in reading ? [] : reading;
  });
  expect(parcels).toHaveLength(rows.length);
  const fresh = parcels.map((draft) => newParcel(draft, now, Math.random));
  return addParcels([], fresh, now).parcels;
}

describe.each([
  ['JSON', writeJson],
  ['CSV', writeCsv],
])('an export as %s', (_name, write) => {
  it('restores all user data when it is imported', () =>
    forAllIn(rounds(150), enteredParcels, fc.constantFrom('', '\uFEFF'), (parcels, mark) => {
      expect(entered(imported(mark + write(parcels)))).toEqual(entered(parcels));
    }));

  it('restores a whole board', () => {
    const registered = aBoard().map((parcel, index) => ({
      ...parcel,
      trackNo: `NO${1000 + index}`,
      courierCode: parcel.courierCode?.replaceAll(' ', '-') ?? null,
    }));
    expect(entered(imported(write(registered)))).toEqual(entered(registered));
  });

  it('is the same after a second round trip', () =>
    forAll(enteredParcels, (parcels) => {
      const second = imported(write(parcels)).map((parcel, index) => ({
        ...parcel,
        addedAt: parcels[index]?.addedAt ?? '',
        nextPollAt: parcels[index]?.nextPollAt ?? null,
      }));
      expect(write(second)).toBe(write(parcels));
    }));
});

it('an export as JSON has the shape of the contract for any data', () => {
  forAll(enteredParcels, (parcels) => {
    expect(v.safeParse(exportContract, JSON.parse(writeJson(parcels))).issues).toBeUndefined();
  });
  const board = v.parse(exportContract, JSON.parse(writeJson(aBoard())));
  expect(board.parcels).toHaveLength(aBoard().length);
});
