/**
 * How many attempts may be under way to each endpoint at once. A lane starts narrow, widens while its
 * receiver answers and more is waiting, and halves when the receiver keeps us waiting: one that hangs
 * soon holds a single place, and all that hang together at most half of them.
 *
 * A delivery *enters* its lane when it is claimed, gets its *turn* when there is width, and *leaves*
 * when the receiver has answered or failed to. A lane that has answered before is given as much again
 * as it is wide, so that the next attempt begins while the database is being asked for more.
 */
export function createLanes({ heldMax, widthMax }: { heldMax: number; widthMax: number }) {
  const lanes = new Map<string, Lane>();
  let held = 0;

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId);
    if (known) return known;
    const lane = { held: 0, active: 0, width: widthAtFirst, state: "unknown", waiting: [] } satisfies Lane;
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

  /** An attempt is over; `isSlow` when the receiver did not answer in time. */
  function leave(endpointId: string, isSlow: boolean) {
    const lane = laneOf(endpointId);
    lane.held -= 1;
    lane.active -= 1;
    held -= 1;
    lane.state = isSlow ? "slow" : "answers";
    if (isSlow) lane.width = Math.max(1, Math.floor(lane.width / 2));
    else if (lane.waiting.length > 0) lane.width = Math.min(widthMax, lane.width + 1);
    const begin = Math.min(lane.waiting.length, lane.width - lane.active);
    for (const wake of lane.waiting.splice(0, Math.max(0, begin))) wake();
    if (lanes.size > lanesMax) forgetIdle();
  }

  function forgetIdle() {
    for (const [endpointId, lane] of lanes) if (lane.held === 0) lanes.delete(endpointId);
  }

  /** How many more deliveries a lane may hold, for those that differ from a lane at first. */
  function rooms(): Map<string, number> {
    let slowHeld = 0;
    for (const lane of lanes.values()) if (lane.state === "slow") slowHeld += lane.held;
    const found = new Map<string, number>();
    for (const [endpointId, lane] of lanes) {
      const room = roomIn(lane, slowHeld < heldMax / 2);
      if (room !== widthAtFirst) found.set(endpointId, room);
    }
    return found;
  }

  return { enter, turn, leave, rooms, free: () => heldMax - held };
}

type Lane = {
  held: number;
  active: number;
  width: number;
  state: "unknown" | "answers" | "slow";
  waiting: (() => void)[];
};

export const widthAtFirst = 4;
const lanesMax = 5_000;

function roomIn({ held, width, state }: Lane, slowMayEnter: boolean): number {
  if (state === "slow" && !slowMayEnter) return 0;
  return Math.max(0, (state === "answers" ? 2 * width : width) - held);
}
