import type { ConnectionOptions } from 'node:tls';

/** How a database is reached. */
export interface ServerAddress {
  /** As it is shown: `postgres://ann@nas/parcels`, never with a password. */
  readonly place: string;
  /** A name, an IP address, or the folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Asked for whenever the server asks; null for none. May reject with an error that says what to do. */
  readonly password: () => Promise<string | null>;
  /** Null where nothing is encrypted. */
  readonly tls: ConnectionOptions | null;
}
