import type { Socket } from "node:net";

type SeatsOptions = {
  seatsMax: number;
  /** Whether an answer is being made or sent on the connection. */
  isBusy(socket: Socket): boolean;
  onClosed(reason: "gave_way" | "total"): void;
};

/**
 * Who may stay when many connect. Half of the seats are for connections that have authenticated once. On the other half
 * newcomers are let in at the cost of whoever has sent no request yet, the oldest first, and then of whoever waits for
 * nothing: strangers who only hold connections keep nobody out.
 */
export function createSeats({ seatsMax, isBusy, onClosed }: SeatsOptions) {
  // In the order of their coming, and of their last request.
  const silent = new Set<Socket>();
  const strangers = new Set<Socket>();
  const known = new Set<Socket>();
  const strangersMax = Math.ceil(seatsMax / 2);

  function enter(socket: Socket): void {
    silent.add(socket);
    socket.once("close", () => leave(socket));
    const unknownCount = silent.size + strangers.size;
    if (unknownCount <= strangersMax && unknownCount + known.size <= seatsMax) return;
    const leaving = whoGivesWay(socket);
    onClosed(leaving === socket ? "total" : "gave_way");
    leave(leaving);
    leaving.destroy();
  }

  function whoGivesWay(newcomer: Socket): Socket {
    const [oldest = newcomer] = silent;
    if (oldest !== newcomer) return oldest;
    for (const stranger of strangers) if (!isBusy(stranger)) return stranger;
    return newcomer;
  }

  function noteRequest(socket: Socket): void {
    if (known.has(socket)) return;
    silent.delete(socket);
    strangers.delete(socket);
    strangers.add(socket);
  }

  function noteKnown(socket: Socket): void {
    if (known.has(socket) || !(silent.delete(socket) || strangers.delete(socket))) return;
    known.add(socket);
  }

  function leave(socket: Socket): void {
    silent.delete(socket);
    strangers.delete(socket);
    known.delete(socket);
  }

  return { enter, noteRequest, noteKnown };
}
