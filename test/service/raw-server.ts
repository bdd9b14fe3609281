import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server below HTTP. It writes the bytes that a test chooses. */
export interface RawServer {
  readonly baseUrl: URL;
  close(): Promise<void>;
}

/** Starts a server that calls `answer` when a connection has received a complete request head. */
export async function startRawServer(answer: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let head = '';
    let isAnswered = false;
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (isAnswered || !head.includes('\r\n\r\n')) return;
      isAnswered = true;
      answer(socket);
    });
    // These tests are about clients that disconnect midway.
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
