import type { Change } from '../../src/parcels/change.ts';
import type { Stage } from '../../src/service/status.ts';
import { ago, minute } from '../board/parcels.ts';

/** Creates a change log line that says that a parcel reached a stage a minute ago. */
export function aChange(seq: number, stage: Stage, fields: Partial<Change> = {}): Change {
  return {
    version: 1,
    seq,
    at: ago(minute),
    noticedAt: ago(minute),
    change: 'status',
    parcelId: `p${seq}`,
    trackNo: `RB${seq}CN`,
    courierCode: null,
    label: null,
    from: { stage: 'in-transit', status: 'IN_TRANSIT', subStatus: null },
    to: { stage, status: 'OTHER', subStatus: null },
    message: 'It moved',
    ...fields,
  };
}

/** Courier text that tries to inject something into the terminal, a shell or a program's options. */
export const hostileStrings: readonly string[] = [
  '\u001b]0;mine\u0007',
  'a\u001b\\b\u0007c\u009cd\u009b2Je',
  '--icon=/etc/passwd',
  '-e',
  '"; touch witness; "',
  '$(touch witness)',
  "' ; Remove-Item * ; '",
  '%PATH%',
  '</text><text>',
  '<a href="http://evil.example">b</a>',
  '4;1;100',
  'x;y;z',
  'line\nbreak\r\u2028',
  '\u202egnp.exe',
  '\ud800',
];
