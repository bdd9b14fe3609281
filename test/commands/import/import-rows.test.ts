import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportRow } from '../../../src/commands/import/cells-and-lines.ts';
import { readImportTable } from '../../../src/commands/import/rows.ts';
import { UsageError } from '../../../src/settings/errors.ts';
import { forAll } from '../../support/for-all.ts';

const readImportRows = (content: string): readonly ImportRow[] => readImportTable(content).rows;
const fieldsOf = (content: string, map?: Parameters<typeof readImportTable>[1]): readonly ImportRow['fields'][] =>
  readImportTable(content, map).rows.map(({ fields }) => fields);

describe('readImportTable', () => {
  it('reads plain lines, and skips comments and empty lines', () => {
    expect(readImportRows('# mine\nLX123456789CN\n\n1Z 999 AA1 01 2345 6784 # lamp\r\n')).toEqual([
      { place: 'line 2', fields: { trackNo: 'LX123456789CN' } },
      { place: 'line 4', fields: { trackNo: '1Z999AA10123456784' } },
    ]);
  });

  it('reads a table with headings in any order and spelling', () => {
    const csv = 'Label,Tracking Number,Carrier Code,ZIP\n"Lamp, red",LX123456789CN,yanwen,50667\n,RB1CN1234,,\n';
    expect(readImportRows(csv)).toEqual([
      {
        place: 'line 2',
        fields: { label: 'Lamp, red', trackNo: 'LX123456789CN', courierCode: 'yanwen', postalCode: '50667' },
      },
      { place: 'line 3', fields: { trackNo: 'RB1CN1234' } },
    ]);
  });

  it.each([
    ['tabs', 'LX12345\tyanwen\tLamp'],
    ['semicolons', 'LX12345;yanwen;Lamp'],
    ['commas', 'LX12345,yanwen,Lamp'],
  ])('reads a table without headings, separated by %s', (_name, line) => {
    expect(fieldsOf(line)).toEqual([{ trackNo: 'LX12345', courierCode: 'yanwen', label: 'Lamp' }]);
  });

  it('reads lines as the input bar does and reports what is wrong with each', () => {
    expect(readImportRows('RB100000045CN Blue socks\nLX900000005CN, "Hat\nsocks\n')).toEqual([
      { place: 'line 1', fields: { trackNo: 'RB100000045CN', label: 'Blue socks' } },
      { place: 'line 2', fields: { trackNo: 'LX900000005CN', label: 'Hat' } },
      {
        place: 'line 3',
        fields: { trackNo: 'socks' },
        problem: { reason: 'no-digit', message: 'A tracking number must contain digits.' },
      },
    ]);
  });

  it.each([
    ['a title', 'Sendungsliste vom 23.11.2026;;\n;;\nKundennummer;6261234567;\n'],
    ['a line that names the separator for spreadsheets', 'sep=;\n'],
    [
      'a line that a service asks users not to change',
      'TemplateType=OrderFulfillment;Version=2011.1102;Do not modify this row.\n',
    ],
  ])('reads a table below %s', (_name, above) => {
    const table = `${above}Bestellnummer;Versender;Sendungsnummer\n471100;DHL Paket;00340434161094042557\n471101;;\n`;
    const { comments, rows, withoutNumber } = readImportTable(table);
    const last = table.split('\n').length - 1;
    expect(rows).toEqual([
      {
        place: `line ${last - 1}`,
        fields: { trackNo: '00340434161094042557', courierCode: 'DHL Paket', orderNo: '471100' },
      },
    ]);
    expect(withoutNumber).toEqual([`line ${last}`]);
    expect(comments[0]).toBe('line 1');
    const map = new Map([['trackNo', 'Wohin']] as const);
    expect(fieldsOf(`${above}Wohin;Was\n471100;Lampe\n`, map)).toEqual([{ trackNo: '471100', label: 'Lampe' }]);
  });

  it.each([
    '1Z999AA10123456784/RB848719115CN',
    '1Z999AA10123456784 / RB848719115CN',
    '1Z999AA10123456784 + RB848719115CN',
    '1Z999AA10123456784 & RB848719115CN,',
    '1Z999AA10123456784 und RB848719115CN',
  ])('reads several numbers in one cell: %s', (cell) => {
    expect(fieldsOf(`Order;Tracking number\n1;${cell}\n2;RB1/2345\n`)).toEqual([
      { orderNo: '1', trackNo: '1Z999AA10123456784' },
      { orderNo: '1', trackNo: 'RB848719115CN' },
      { orderNo: '2', trackNo: 'RB1/2345' },
    ]);
  });

  it('does not read a row below a number as headings', () => {
    const text = 'RB100000045CN;yanwen\nSendungsnummer;Versender\nLX900000005CN;yanwen\n';
    expect(fieldsOf(text)[0]).toEqual({ trackNo: 'RB100000045CN', courierCode: 'yanwen' });
  });

  it('reads JSON: numbers, objects, or the output of list --json', () => {
    expect(fieldsOf('["LX1", 123456]')).toEqual([{ trackNo: 'LX1' }, { trackNo: '123456' }]);
    const listed = { version: 1, parcels: [{ trackNo: 'LX1', courierCode: 'yanwen', label: null, stage: 'pickup' }] };
    expect(fieldsOf(`\uFEFF${JSON.stringify(listed)}`)).toEqual([{ trackNo: 'LX1', courierCode: 'yanwen' }]);
  });

  it('reads tags from a list in JSON, or from a line of CSV in a cell', () => {
    const tagsOf = (content: string) => readImportRows(content).map(({ fields }) => fields.tags);
    expect(tagsOf('[{"trackNo": "LX1", "tags": ["home", "a, b"]}, {"trackNo": "LX2", "tags": "home,work"}]')).toEqual([
      ['home', 'a, b'],
      ['home', 'work'],
    ]);
    expect(tagsOf('number,tags\nLX1,"home, ""a, b"""\nLX2,\nLX3,"""torn"\n')).toEqual([
      ['home', 'a, b'],
      undefined,
      ['"torn'],
    ]);
  });

  it('reads rows that begin with # in tables from other programs, and as comments elsewhere', () => {
    const shop = readImportTable('# from my shop\nName,Tracking No.\n#1001,596765102296\n1002,RB891294096CN\n');
    expect(shop.rows.map(({ fields, place }) => [place, fields.trackNo, fields.orderNo])).toEqual([
      ['line 3', '596765102296', '#1001'],
      ['line 4', 'RB891294096CN', '1002'],
    ]);
    expect(shop.comments).toEqual(['line 1']);
    const ownTable = readImportTable('trackNo,label\n# line 2: "a", "b\n1Z999AA10123456784,Lamp\n');
    expect(ownTable.rows.map(({ fields, place }) => [place, fields.trackNo])).toEqual([
      ['line 3', '1Z999AA10123456784'],
    ]);
    expect(ownTable.comments).toEqual(['line 2']);
    expect(readImportTable('# mine\nRB891294096CN\n\n # old\n').comments).toEqual(['line 1', 'line 4']);
  });

  it('reads archivedAt as export writes it', () => {
    expect(fieldsOf('trackNo,state,archivedAt\nLX1,archived,2026-11-20T10:00:00Z\n')).toEqual([
      { trackNo: 'LX1', state: 'archived', archivedAt: '2026-11-20T10:00:00Z' },
    ]);
  });

  it('removes the apostrophe before a formula, in tables only', () => {
    expect(fieldsOf("number,label\n'-LX1,'=1+1\nLX2,'tis\n")).toEqual([
      { trackNo: '-LX1', label: '=1+1' },
      { trackNo: 'LX2', label: "'tis" },
    ]);
    expect(fieldsOf('[{"trackNo": "LX1", "label": "\'=1"}]')).toEqual([{ trackNo: 'LX1', label: "'=1" }]);
  });

  it('removes what spreadsheets add to numbers', () => {
    expect(fieldsOf('12345678901.0\n\'1Z999AA10123456784\n="00340434161094042557"\n')).toEqual([
      { trackNo: '12345678901' },
      { trackNo: '1Z999AA10123456784' },
      { trackNo: '00340434161094042557' },
    ]);
    expect(fieldsOf('number,label\n12345678901.0,a\n\'1Z999AA10123456784,b\n="0034043416",c\n')).toEqual([
      { trackNo: '12345678901', label: 'a' },
      { trackNo: '1Z999AA10123456784', label: 'b' },
      { trackNo: '0034043416', label: 'c' },
    ]);
  });

  it('reads 17TRACK lines: a number and a courier key', () => {
    expect(readImportRows('LX123456789CN,3011\n1Z999AA10123456784,100002\n')).toEqual([
      { place: 'line 1', fields: { trackNo: 'LX123456789CN', courierCode: '3011' } },
      { place: 'line 2', fields: { trackNo: '1Z999AA10123456784', courierCode: '100002' } },
    ]);
  });

  it('reads numbers separated by commas in one cell', () => {
    expect(readImportRows('number,label\n"1Z999AA10123456784, RB848719115CN",Lamp\n')).toEqual([
      { place: 'line 2', fields: { trackNo: '1Z999AA10123456784', label: 'Lamp' } },
      { place: 'line 2', fields: { trackNo: 'RB848719115CN', label: 'Lamp' } },
    ]);
    expect(fieldsOf('number\n1Z 999 AA1 01 2345 6784\n')).toEqual([{ trackNo: '1Z 999 AA1 01 2345 6784' }]);
  });

  it('reads JSON Lines and a single object', () => {
    expect(fieldsOf('{"trackNo":"LX1"}\n{"trackNo":"LX2","label":"Hat"}\n')).toEqual([
      { trackNo: 'LX1' },
      { trackNo: 'LX2', label: 'Hat' },
    ]);
    expect(fieldsOf('{"trackNo":"LX1"}')).toEqual([{ trackNo: 'LX1' }]);
    expect(() => readImportRows('{"trackNo":"LX1"}\n{"trackNo":')).toThrow(/^Line 2 is not valid JSON/);
  });

  it.each([
    ['number\n9.40011E+21\n', /spreadsheet rounded this number to 9\.40011E\+21/],
    ['9.40011E+21\n', /spreadsheet rounded this number/],
    ['number\n2026-11-01\n', /is a date/],
    ['2026-11-01\n', /is a date/],
    ['number\n119.90\n', /is an amount/],
  ])('does not take dates, amounts or rounded numbers for tracking numbers: %j', (content, message) => {
    expect(readImportRows(content).map(({ problem }) => problem?.message)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['Rechnung,Betrag,Datum\nRE-2026-000123,119.90,2026-11-01\nRE-2026-000124,19.90,2026-11-02\n'],
    ['Wann;Kunde;Wo\n01.11.2026;Anna;Köln\n'],
    ['[{"Rechnung":"RE-2026-000123","Betrag":119.9}]'],
  ])('refuses a table without a number column: %j', (content) => {
    expect(() => readImportRows(content)).toThrow(
      /Which column contains the tracking numbers\? Use --map number=HEADING\. Headings: "/,
    );
  });

  it.each([
    'Wer 2024/25,Was 2024/25,Wo 2024/25\nAnna,Lampe,Bonn\nBen,Buch,Köln\n',
    'Wer 2024/25\tWas 2024/25\tWo 2024/25\nAnna\tLampe\tBonn\nBen\tBuch\tKöln\n',
  ])('asks for the number column if most lines look like a table: %j', (content) => {
    expect(() => readImportRows(content)).toThrow(
      /^This looks like a table. Which column contains the tracking numbers\? Use --map number=HEADING\. Headings: "Wer 2024\/25", "Was/,
    );
  });

  it('names the line of an unclosed quote', () => {
    expect(() => readImportRows('number,label\nLX1,"a ""b"""\nLX2,"Lamp\nLX3,Hat\nLX4,Book\n')).toThrow(
      /quote that opens after line 2 is never closed/,
    );
  });

  it.each([
    ['an email', 'From: shop@example.com\nSubject: Your parcel\n\nHello,\nyour number is RB848719115CN.\n'],
    ['a web page', '<!doctype html><p>RB848719115CN</p>'],
    ['a letter', 'Dear Anna\nyour parcel\nhas left us\nand will come\non Monday\nRB848719115CN\nYours\n'],
  ])('refers to add --scan for %s', (_, content) => expect(() => readImportRows(content)).toThrow(/add --scan FILE/));

  it.each(['{"parcels": 5}', '[{', '{"a":'])('throws a UsageError for %s', (content) => {
    expect(() => readImportRows(content)).toThrow(UsageError);
  });

  it('reads any other text or throws a UsageError', () =>
    forAll(fc.string(), (text) => {
      try {
        for (const { place } of readImportRows(text)) expect(place).toMatch(/^(?:line|entry) \d+$/);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    }));
});
