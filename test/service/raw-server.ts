import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A bare TCP server that writes the bytes that a test chooses. */
export interface RawServer {
  readonly baseUrl: URL;
  close(): Promise<void>;
}

/** Starts a server that calls `respond` once a connection has received the head of a request. */
export async function startRawServer(respond: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let head = '';
    let hasResponded = false;
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (hasResponded || !head.includes('\r\n\r\n')) return;
      hasResponded = true;
      respond(socket);
    });
    // Clients disconnect midway in these tests.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: new URL(`http://127.0.0.1:${port}/gateway`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
