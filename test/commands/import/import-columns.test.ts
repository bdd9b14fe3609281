import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readColumnMap } from '../../../src/commands/import/columns.ts';
import { readImportTable } from '../../../src/commands/import/rows.ts';
import { UsageError } from '../../../src/settings/errors.ts';
import { forAll } from '../../support/for-all.ts';

const fieldsIn = (content: string, map?: string) =>
  readImportTable(content, map === undefined ? undefined : readColumnMap(map)).rows.map(({ fields }) => fields);

describe('tables from other programs', () => {
  it.each([
    [
      'AfterShip',
      'tracking_number,slug,title,order_id,tracking_postal_code\n1Z1,ups,Lamp,A7,50667',
      { courierCode: 'ups', label: 'Lamp', orderNo: 'A7', postalCode: '50667' },
    ],
    [
      'parcelLab',
      'client;courier;tracking_number;order_number;zip_code\nme;ups;1Z1;A7;50667',
      { courierCode: 'ups', orderNo: 'A7', postalCode: '50667' },
    ],
    [
      'Shipup',
      'order.order_number,tracker.tracking_number,tracker.carrier_code\nA7,1Z1,ups',
      { courierCode: 'ups', orderNo: 'A7' },
    ],
    ['ShipStation', 'Order #,Tracking #,Carrier\nA7,1Z1,UPS', { courierCode: 'UPS', orderNo: 'A7' }],
    [
      'a German shop',
      'Sendungs-Nr.;Versender;Bezeichnung;PLZ\n1Z1;ups;Lampe;50667',
      { courierCode: 'ups', label: 'Lampe', postalCode: '50667' },
    ],
    ['a list in colloquial German', 'Kennung;Wer?;Was\n1Z1;ups;Lampe', { courierCode: 'ups', label: 'Lampe' }],
    ['a German office', 'Versanddienst;Inhalt;Sendung\nups;Lampe;1Z1', { courierCode: 'ups', label: 'Lampe' }],
    ['a French shop', 'Numéro de suivi\tTransporteur\tTitre\n1Z1\tups\tLampe', { courierCode: 'ups', label: 'Lampe' }],
    ['a Polish shop', 'Numer przesyłki,Przewoźnik,Nazwa\n1Z1,ups,Lampa', { courierCode: 'ups', label: 'Lampa' }],
    [
      'eBay',
      'Order Number,Item Title,Tracking Number,Ship To Zip\nA7,Lamp,1Z1,50667',
      { label: 'Lamp', orderNo: 'A7', postalCode: '50667' },
    ],
    [
      'Etsy',
      'Order ID,Item Name,Ship Zipcode,Tracking Number,Shipping Carrier\nA7,Lamp,50667,1Z1,ups',
      { courierCode: 'ups', label: 'Lamp', orderNo: 'A7', postalCode: '50667' },
    ],
    [
      'ShipStation, with groups',
      'Order - Number,Item - Name,Ship To - Postal Code,Carrier - Name,Shipment - Tracking Number\nA7,Lamp,50667,ups,1Z1',
      { courierCode: 'ups', label: 'Lamp', orderNo: 'A7', postalCode: '50667' },
    ],
    [
      'Billbee',
      'Bestellnummer;Artikeltitel;Versanddienstleister;Trackingnummer\nA7;Lampe;ups;1Z1',
      { courierCode: 'ups', label: 'Lampe', orderNo: 'A7' },
    ],
    ['JTL', 'Auftragsnummer;Versandart;Tracking-ID\nA7;ups;1Z1', { courierCode: 'ups', orderNo: 'A7' }],
    ['a Chinese shop', '运单号,快递公司,商品\n1Z1,ups,灯', { courierCode: 'ups', label: '灯' }],
    ['a Japanese shop', '追跡番号,運送会社\n1Z1,ups', { courierCode: 'ups' }],
  ])('reads %s', (_, content, fields) => expect(fieldsIn(content)).toEqual([{ trackNo: '1Z1', ...fields }]));

  it.each([
    [
      '17TRACK',
      '{"code":0,"data":{"accepted":[{"number":"1Z1","remark":"Lamp","tag":"x"}]}}',
      { remark: 'Lamp', tags: ['x'] },
    ],
    [
      'AfterShip',
      '{"data":{"trackings":[{"tracking_number":"1Z1","slug":"ups","title":"Lamp"}]}}',
      { courierCode: 'ups', label: 'Lamp' },
    ],
    [
      'Parcel',
      '{"success":true,"deliveries":[{"tracking_number":"1Z1","carrier_code":"ups","description":"Lamp"}]}',
      { courierCode: 'ups', label: 'Lamp' },
    ],
  ])('reads JSON from %s', (_, content, fields) => expect(fieldsIn(content)).toEqual([{ trackNo: '1Z1', ...fields }]));

  it.each([
    '[{"tracking_number":"1Z1","slug":"ups","tag":"Delivered"},{"tracking_number":"1Z2","tag":"AvailableForPickup"}]',
    'tracking_number,tag\n1Z1,Expired\n1Z2,InTransit\n',
  ])('does not read an AfterShip stage as a tag: %s', (content) => {
    expect(readImportTable(content).rows.map(({ fields }) => fields.tags)).toEqual([undefined, undefined]);
    expect(readImportTable('number,tag\n1Z1,gift\n').rows[0]?.fields.tags).toEqual(['gift']);
  });

  it('uses the most likely of several headings and reports the others as unused', () => {
    const { rows, unused } = readImportTable('Name,Number,Tracking Number,Title,Weight\nAnna,5,1Z1,Lamp,2 kg\n');
    expect(rows[0]?.fields).toEqual({ trackNo: '1Z1', label: 'Lamp' });
    expect(unused).toEqual(['Name', 'Number', 'Weight']);
  });

  it('finds a number column without a known heading', () => {
    const { rows, unused } = readImportTable(
      'Wann,Was genau,Titel\n3. Mai,1Z999AA10123456784,Lampe\n,RB848719115CN,Buch\n',
    );
    expect(rows.map(({ fields }) => fields)).toEqual([
      { trackNo: '1Z999AA10123456784', label: 'Lampe' },
      { trackNo: 'RB848719115CN', label: 'Buch' },
    ]);
    expect(unused).toEqual(['Wann']);
  });

  it.each([
    ['Order,Fulfillment: Tracking Number,Fulfillment: Tracking Company', { orderNo: 'A7', courierCode: 'ups' }],
    ['Order,Shipping/Tracking No,Shipment - Carrier', { orderNo: 'A7', courierCode: 'ups' }],
    ['Order - Number,Order - Tracking number,Tracking Provider', { orderNo: 'A7', courierCode: 'ups' }],
    ['Sendungsreferenz,Sendungsnummer,Versandart', { orderNo: 'A7', courierCode: 'ups' }],
  ])('reads headings that name a group, or as shops write them: %s', (headings, fields) => {
    expect(fieldsIn(`${headings}\nA7,1Z999AA10123456784,ups`)).toEqual([{ trackNo: '1Z999AA10123456784', ...fields }]);
  });

  it.each(['Invoice: Number', 'Billing: Zip', 'Payment: Provider', 'Return: Tracking Number', 'Customer: Order ID'])(
    'ignores the column %s',
    (heading) => {
      const { rows, unused } = readImportTable(`Tracking,${heading}\n1Z999AA10123456784,12345678\n`);
      expect(rows.map(({ fields }) => fields)).toEqual([{ trackNo: '1Z999AA10123456784' }]);
      expect(unused).toEqual([heading]);
    },
  );

  it.each([
    ['#,Tracking number,Item\n1,596765102296,Lamp', { trackNo: '596765102296', label: 'Lamp' }],
    ['#,Ref,Item\n1,1Z999AA10123456784,Lamp', { trackNo: '1Z999AA10123456784', label: 'Lamp' }],
    ['Tracking,Number\nshipped,1Z999AA10123456784', { trackNo: '1Z999AA10123456784' }],
    ['Tracking Number,Barcode\n12345678,4006381333931', { trackNo: '12345678' }],
  ])('uses the column whose cells are numbers: %j', (content, fields) => expect(fieldsIn(content)).toEqual([fields]));

  it('does not use a different column if the number column is empty', () => {
    const { rows, withoutNumber } = readImportTable('Tracking Number,ID\n,11920047631\n,11920047632\n');
    expect({ rows, withoutNumber }).toEqual({ rows: [], withoutNumber: ['line 2', 'line 3'] });
  });

  it('does not use a column with the same text in every row as the label, unless it is mapped', () => {
    const table = 'Number,Product,Recipient\n1Z1,V01PAK,Anna\n1Z2,V01PAK,Ben\n1Z3,V01PAK,Ben\n';
    expect(readImportTable(table).rows.map(({ fields }) => fields.label)).toEqual(['Anna', 'Ben', 'Ben']);
    expect(readImportTable(table).unused).toEqual(['Product']);
    expect(fieldsIn(table, 'label=Product').map(({ label }) => label)).toEqual(['V01PAK', 'V01PAK', 'V01PAK']);
    expect(fieldsIn('trackNo,label\n1Z1,Lamp\n1Z2,Lamp\n1Z3,Lamp\n').map(({ label }) => label)).toEqual([
      'Lamp',
      'Lamp',
      'Lamp',
    ]);
  });

  it('reads the courier from the next column if the first says Other', () => {
    const table = 'tracking-number,carrier-code,carrier-name\n1Z1,UPS,\n1Z2,Other,Hermes\n1Z3,Other,\n1Z4,,GLS\n';
    expect(fieldsIn(table).map(({ courierCode }) => courierCode)).toEqual(['UPS', 'Hermes', undefined, 'GLS']);
  });

  it('reports no unused columns in our own tables', () => {
    expect(readImportTable('trackNo,courierCode,courierName,stage\n1Z1,ups,UPS,delivered').unused).toEqual([]);
  });
});

describe('--map', () => {
  it('overrides the headings', () => {
    expect(fieldsIn('Ref,Thing,Label\n1Z1,Lamp,red', 'number=Ref,label=thing')).toEqual([
      { trackNo: '1Z1', label: 'Lamp' },
    ]);
    expect(fieldsIn('[{"ref": "1Z1", "a, b": "Lamp"}]', 'number=ref,label="a, b"')).toEqual([
      { trackNo: '1Z1', label: 'Lamp' },
    ]);
  });

  it.each([
    ['a missing heading', 'number=Nothing', /no column "Nothing"\. Headings: "Ref", "Thing"/],
    ['a map without a number column', 'label=Thing', /Which column contains the tracking numbers\? .*"Ref", "Thing"/],
    ['an unknown field', 'lable=Thing', /no field "lable". Did you mean label\?/],
    ['text that is not a pair', 'Thing', /FIELD=HEADING/],
  ])('refuses %s', (_, map, message) => expect(() => fieldsIn('Ref,Thing\n1Z1,Lamp', map)).toThrow(message));

  it('can be given several times, but only once per field', () => {
    const map = readColumnMap('courier=Wer,label=Was', 'tags=Schlagworte');
    expect([...map]).toEqual([
      ['courierCode', 'Wer'],
      ['label', 'Was'],
      ['tags', 'Schlagworte'],
    ]);
    expect(() => readColumnMap('label=Was', 'title=Wer')).toThrow(/title twice, to "Was" and to "Wer"/);
  });

  it('reads any text or throws a UsageError', () =>
    forAll(fc.string(), fc.string(), (content, map) => {
      try {
        readImportTable(content, readColumnMap(map));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    }));
});
