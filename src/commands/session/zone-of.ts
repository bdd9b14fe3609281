import { Zone } from '../../service/clock/zone.ts';
import type { Session } from './session.ts';

/** The viewer's zone. */
export const zoneOf = ({ configuration, context }: Pick<Session, 'configuration' | 'context'>): Zone =>
  new Zone(configuration.zone(), context.readOffsets);
