import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ImportRow, readImportRows } from '../../../src/commands/import/import-rows.ts';
import { UsageError } from '../../../src/commands/session/errors.ts';

const fieldsOf = (content: string): readonly ImportRow['fields'][] =>
  readImportRows(content).map(({ fields }) => fields);

describe('rows of a file to import', () => {
  it('are plain lines, with comments and empty lines left out', () => {
    expect(readImportRows('# mine\nLX123456789CN\n\n1Z 999 AA1 01 2345 6784 # lamp\r\n')).toEqual([
      { place: 'line 2', fields: { trackNo: 'LX123456789CN' } },
      { place: 'line 4', fields: { trackNo: '1Z999AA10123456784' } },
    ]);
  });

  it('are a table with headings in any order and spelling', () => {
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
  ])('are a table without headings, separated by %s', (_name, line) => {
    expect(fieldsOf(line)).toEqual([{ trackNo: 'LX12345', courierCode: 'yanwen', label: 'Lamp' }]);
  });

  it('are lines as the input bar takes them, each with what is wrong with it alone', () => {
    expect(readImportRows('RB100000045CN Blue socks\nLX900000005CN, "Hat\nsocks\n')).toEqual([
      { place: 'line 1', fields: { trackNo: 'RB100000045CN', label: 'Blue socks' } },
      { place: 'line 2', fields: { trackNo: 'LX900000005CN', label: 'Hat' } },
      {
        place: 'line 3',
        fields: { trackNo: 'socks' },
        problem: { reason: 'no-digit', message: expect.stringContaining('no digits') },
      },
    ]);
  });

  it('are JSON: numbers, objects, or what list --json writes', () => {
    expect(fieldsOf('["LX1", 123456]')).toEqual([{ trackNo: 'LX1' }, { trackNo: '123456' }]);
    const listed = { version: 1, parcels: [{ trackNo: 'LX1', courierCode: 'yanwen', label: null, stage: 'pickup' }] };
    expect(fieldsOf(`\uFEFF${JSON.stringify(listed)}`)).toEqual([{ trackNo: 'LX1', courierCode: 'yanwen' }]);
  });

  it('hold tags: a list in JSON, a line of CSV of its own in a cell', () => {
    const tagsOf = (content: string) => readImportRows(content).map(({ tags }) => tags);
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

  it('say what is archived, as export writes it', () => {
    expect(fieldsOf('trackNo,state,archivedAt\nLX1,archived,2026-11-20T10:00:00Z\n')).toEqual([
      { trackNo: 'LX1', state: 'archived', archivedAt: '2026-11-20T10:00:00Z' },
    ]);
  });

  it('lose the apostrophe that keeps a cell from being a formula, in tables only', () => {
    expect(fieldsOf("number,label\n'-LX1,'=1+1\nLX2,'tis\n")).toEqual([
      { trackNo: '-LX1', label: '=1+1' },
      { trackNo: 'LX2', label: "'tis" },
    ]);
    expect(fieldsOf('[{"trackNo": "LX1", "label": "\'=1"}]')).toEqual([{ trackNo: 'LX1', label: "'=1" }]);
  });

  it.each(['{"parcels": 5}', '[{', '{"a":'])('refuses %s in a sentence', (content) => {
    expect(() => readImportRows(content)).toThrow(UsageError);
  });

  it('never fails otherwise, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          for (const { place } of readImportRows(text)) expect(place).toMatch(/^(?:line|entry) \d+$/);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});
