/**
 * A proxy in front of a PostgreSQL server that behaves like a bad network: cuts, delays, drops and refuses connections.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createMessageReader } from './wire-messages.ts';

/** A statement on its way to the server. */
export interface ProxiedStatement {
  /** Counts from 1, over all connections. */
  readonly number: number;
  readonly text: string;
}

/**
 * What happens to a statement. `before`: the connection ends before the server receives it. `after`: the server has
 * executed it, and the connection ends before the client learns this. `silence`: from here on nothing passes on this
 * connection, which stays open.
 */
export type Fate = 'pass' | 'before' | 'after' | 'silence';

/** A proxy that listens on loopback. */
export interface CuttingProxy {
  readonly port: number;
  /** An address of the server, changed to point to this proxy. */
  through(address: string): string;
  /** All statements so far. */
  readonly statements: readonly ProxiedStatement[];
  /** Decides what happens to each statement from now on. */
  decide(fate: (statement: ProxiedStatement) => Fate): void;
  /** Delays each statement by this long from now on. */
  delay(ms: number): void;
  /** Ends all connections, as when the server's machine restarts. */
  cut(): void;
  /**
   * From now on, no connection (including new ones) transfers anything, and none is closed. False lets new ones work
   * again.
   */
  silence(isSilent: boolean): void;
  /** Refuses new connections and closes the existing ones. False accepts them again, at the same port. */
  refuse(isRefusing: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server at an address `postgres://…`. */
export async function startCuttingProxy(address: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(address);
  const target = { host: hostname, port: Number(port === '' ? 5432 : port) };
  const statements: ProxiedStatement[] = [];
  const clients = new Set<Socket>();
  const network: { fate: (statement: ProxiedStatement) => Fate; delayMs: number; isSilent: boolean } = {
    fate: () => 'pass',
    delayMs: 0,
    isSilent: false,
  };

  const serve = (client: Socket): void => {
    clients.add(client);
    const server = connect(target);
    const state: { isSilent: boolean; endsAfterResponse: boolean } = {
      isSilent: network.isSilent,
      endsAfterResponse: false,
    };
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // If one side ends, so does the other. In silence, neither side notices.
      socket.on('error', () => {});
      socket.on('close', () => {
        clients.delete(client);
        if (!(state.isSilent || network.isSilent) || socket === client) end();
      });
    }
    const isSilent = (): boolean => state.isSilent || network.isSilent;
    const pass = async (bytes: Buffer, text: string | null): Promise<void> => {
      if (isSilent()) return;
      if (text === null) {
        server.write(bytes);
        return;
      }
      const statement = { number: statements.length + 1, text };
      statements.push(statement);
      if (network.delayMs > 0) await pause(network.delayMs);
      const fate = network.fate(statement);
      if (fate === 'before') end();
      else if (fate === 'silence') state.isSilent = true;
      else {
        state.endsAfterResponse = fate === 'after';
        server.write(bytes);
      }
    };
    const fromClient = createMessageReader('client');
    const fromServer = createMessageReader('server');
    let last = Promise.resolve();
    client.on('data', (chunk) => {
      for (const { bytes, statement } of fromClient(chunk)) last = last.then(() => pass(bytes, statement));
    });
    server.on('data', (chunk) => {
      if (isSilent()) return;
      if (!state.endsAfterResponse) {
        client.write(chunk);
        // Keeps the reader in step with the bytes that were passed on.
        fromServer(chunk);
      } else if (fromServer(chunk).some(({ isReady }) => isReady)) end();
    });
  };

  const listen = async (requestedPort: number): Promise<Server> => {
    const server = createServer(serve).listen(requestedPort, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const cut = (): void => {
    for (const client of clients) client.destroy();
  };
  const shut = async (server: Server): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  let listening: Server | null = await listen(0);
  const bound = listening.address();
  if (bound === null || typeof bound === 'string') throw new Error('the proxy has no port');
  const refuse = async (isRefusing: boolean): Promise<void> => {
    const current = listening;
    if (isRefusing && current !== null) {
      listening = null;
      await shut(current);
    } else if (!isRefusing && current === null) {
      listening = await listen(bound.port);
    }
  };
  return {
    port: bound.port,
    through(address) {
      const url = new URL(address);
      url.hostname = '127.0.0.1';
      url.port = String(bound.port);
      return url.href;
    },
    statements,
    decide(fate) {
      network.fate = fate;
    },
    delay(ms) {
      network.delayMs = ms;
    },
    cut,
    silence(isSilent) {
      network.isSilent = isSilent;
      // A silenced connection has lost bytes and is useless.
      if (!isSilent) cut();
    },
    refuse,
    close: () => refuse(true),
  };
}
