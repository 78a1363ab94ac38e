import { once } from "node:events";
import { connect } from "node:net";

/**
 * A connection that sends one request after another and reads each answer to its end, counting bytes
 * and looking at nothing but its beginning. Whoever measures a service on the machine it runs on
 * takes time away from it: this takes the least.
 */
export async function openLeanConnection(address: string, head: string) {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let answer: PromiseWithResolvers<string> | undefined;
  let beginning = "";
  let missing = 0;
  let isEnded = false;

  socket.on("data", (chunk) => {
    if (beginning === "") {
      // Headers and the beginning of the body come in one piece: they are written in one.
      beginning = chunk.toString("latin1", 0, 2_000);
      const bodyAt = beginning.indexOf("\r\n\r\n") + 4;
      // The service ends a connection with the answer to its last request.
      isEnded = /\r\nconnection: close\r\n/i.test(beginning.slice(0, bodyAt));
      missing = bodyAt + Number(/\r\ncontent-length: (\d+)/i.exec(beginning)?.[1]);
      beginning = `${beginning.slice(0, 15)}\n${beginning.slice(bodyAt, bodyAt + 100)}`;
    }
    missing -= chunk.length;
    if (missing > 0) return;
    if (missing === 0) answer?.resolve(beginning);
    else answer?.reject(new Error(`an answer that was not understood: ${beginning}`));
    beginning = "";
  });
  socket.on("error", (error) => answer?.reject(error));
  socket.on("close", () => answer?.reject(new Error("the connection was closed")));

  /** Resolves to the status line and the first hundred bytes of the body. */
  function post(body: string): Promise<string> {
    answer = Promise.withResolvers<string>();
    socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return answer.promise;
  }

  return { post, close: () => socket.destroy(), isClosed: () => isEnded || socket.destroyed };
}

export type LeanConnection = Awaited<ReturnType<typeof openLeanConnection>>;
