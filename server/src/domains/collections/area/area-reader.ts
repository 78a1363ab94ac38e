import { fingerprintOf } from "../../../platform/canonical-json.ts";
import { createThreadPool, TaskFailed } from "../../../platform/thread-pool.ts";
import type { CostLimit, Principal } from "../../api-keys/index.ts";
import { AreaInvalid } from "../errors.ts";
import type { Area, RequestedArea } from "./area.ts";
import { prepareArea, type PreparedArea, type ReadArea, readRequestedArea } from "./prepared-area.ts";

/** A request with its area, or an area that a source knows by its name. */
export type AreaTask = { request: Request } | { area: Area };
export type AreaAnswer = (
  | { read: ReadRequest }
  | { prepared: PreparedArea }
  /** What is wrong with the area. */
  | { problems: readonly string[] }
) & { ms: number };

type Request = { area: RequestedArea };
/** The fingerprint is that of the whole request. */
type ReadRequest = ReadArea & { fingerprint: Uint8Array };

/** The largest areas take a thread 30 to 60 ms: one that takes longer has a busy machine, and may be sent again. */
const usualLimits = { workMs: 2_000, waitMs: 10_000 };
const waitingMax = 100;
const heapMegabytes = 128;

/** Reads areas at the cost of their organization: polygons in a thread, because they would hold up everybody else. */
export function createAreaReader(costs: CostLimit, { workMs, waitMs } = usualLimits) {
  const script = new URL("./area-thread.ts", import.meta.url);
  const pool = createThreadPool<AreaTask, AreaAnswer>({ script, threadsMax: 1, waitingMax, heapMegabytes });

  /** What a request names as its area. Throws when that cannot be used. */
  async function read(payer: Principal, request: Request): Promise<ReadRequest> {
    if (!request.area.polygon) return { ...readRequestedArea(request.area), fingerprint: fingerprintOf(request) };
    const answer = await run(payer, { request });
    if (!("read" in answer)) throw AreaInvalid(undefined, { details: "problems" in answer ? answer.problems : [] });
    return answer.read;
  }

  /** An area that a source looked up. */
  async function prepare(payer: Principal, area: Area): Promise<PreparedArea> {
    if (area.kind !== "polygons") return prepareArea(area);
    const answer = await run(payer, { area });
    if (!("prepared" in answer)) throw new Error("a source knows a place by an area that cannot be used");
    return answer.prepared;
  }

  async function run({ organizationId }: Principal, task: AreaTask): Promise<AreaAnswer> {
    costs.require(organizationId);
    try {
      const answer = await pool.run(task, { workMs, signal: AbortSignal.timeout(waitMs) });
      costs.spend(organizationId, answer.ms);
      return answer;
    } catch (error) {
      if (error instanceof TaskFailed && error.reason === "timed_out") costs.spend(organizationId, workMs);
      throw error;
    }
  }

  return { read, prepare, close: pool.close };
}

export type AreaReader = ReturnType<typeof createAreaReader>;
