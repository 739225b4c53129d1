/** What a scripted socket does on its `n`th request; `connection` counts connections from 1. */
export type Script = (
  socket: Pick<Bun.Socket, "write" | "end" | "terminate">,
  request: { readonly n: number; readonly connection: number; readonly text: string },
) => void;

/** A loopback server below HTTP, for answers that no HTTP server would give. */
export function rawServer(script: Script) {
  let connections = 0;
  let n = 0;
  const listener = Bun.listen<{ connection: number }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { connection: ++connections };
      },
      data(socket, bytes) {
        script(socket, { n: ++n, connection: socket.data.connection, text: bytes.toString() });
      },
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    port: listener.port,
    connections: () => connections,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

export const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
