/**
 * Limits the running attempts of each endpoint. A lane starts narrow, widens while its receiver
 * responds and more deliveries wait, and halves when the receiver or its name servers time out: a hanging endpoint soon
 * holds a single place, and all hanging endpoints together at most half of the places. Half of them are kept for lanes
 * that hold few, too: a receiver may answer until its lane is wide and then take its time for every delivery.
 *
 * A delivery *enters* its lane when it is claimed, gets its *turn* when there is width, and *leaves*
 * when its attempt has ended. A responding lane may hold twice its width, so that the next attempt
 * starts while the database claims more.
 */
export function createLanes({ heldMax, widthMax }: { heldMax: number; widthMax: number }) {
  const lanes = new Map<string, Lane>();
  let held = 0;

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId);
    if (known) return known;
    const lane = { held: 0, active: 0, width: initialWidth, state: "unknown", waiting: [] } satisfies Lane;
    lanes.set(endpointId, lane);
    return lane;
  }

  function enter(endpointId: string) {
    laneOf(endpointId).held += 1;
    held += 1;
  }

  async function turn(endpointId: string): Promise<void> {
    const lane = laneOf(endpointId);
    if (lane.active >= lane.width) await new Promise<void>((resolve) => lane.waiting.push(resolve));
    lane.active += 1;
  }

  /** Ends an attempt; `isSlow` when the receiver or its name servers timed out. */
  function leave(endpointId: string, isSlow: boolean) {
    const lane = laneOf(endpointId);
    lane.held -= 1;
    lane.active -= 1;
    held -= 1;
    lane.state = isSlow ? "slow" : "responsive";
    if (isSlow) lane.width = Math.max(1, Math.floor(lane.width / 2));
    else if (lane.waiting.length > 0) lane.width = Math.min(widthMax, lane.width + 1);
    const begin = Math.min(lane.waiting.length, lane.width - lane.active);
    for (const wake of lane.waiting.splice(0, Math.max(0, begin))) wake();
    if (lanes.size > lanesMax) forgetIdle();
  }

  function forgetIdle() {
    for (const [endpointId, lane] of lanes) if (lane.held === 0) lanes.delete(endpointId);
  }

  /** How many more deliveries a lane may hold, for lanes that differ from a new one. */
  function rooms(): Map<string, number> {
    let slowHeld = 0;
    for (const lane of lanes.values()) if (lane.state === "slow") slowHeld += lane.held;
    const found = new Map<string, number>();
    for (const [endpointId, lane] of lanes) {
      const room = Math.min(roomIn(lane, slowHeld < heldMax / 2), isCrowded() ? fewMore(lane) : Infinity);
      if (room !== initialWidth) found.set(endpointId, room);
    }
    return found;
  }

  /** Whether only lanes that hold few may hold more. */
  function isCrowded(): boolean {
    return held >= Math.floor(heldMax / 2);
  }

  /** How many deliveries may be held at once by now, and how many more than are. */
  const capacity = () => (isCrowded() ? heldMax : Math.floor(heldMax / 2));
  const free = () => capacity() - held;

  return { enter, turn, leave, rooms, capacity, free };
}

type Lane = {
  held: number;
  active: number;
  width: number;
  state: "unknown" | "responsive" | "slow";
  waiting: (() => void)[];
};

export const initialWidth = 4;
const lanesMax = 5_000;

function fewMore(lane: Lane): number {
  return Math.max(0, initialWidth - lane.held);
}

function roomIn({ held, width, state }: Lane, slowMayEnter: boolean): number {
  if (state === "slow" && !slowMayEnter) return 0;
  return Math.max(0, (state === "responsive" ? 2 * width : width) - held);
}
