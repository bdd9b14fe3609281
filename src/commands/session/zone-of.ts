import { Zone } from '../../service/clock/zone.ts';
import type { Session } from './session.ts';

/** The viewer's zone. */
export const zoneOf = ({ configuration }: Pick<Session, 'configuration'>): Zone => new Zone(configuration.zone());
