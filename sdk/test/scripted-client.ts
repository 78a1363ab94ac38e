import type { TestContext } from "node:test";
import { Waypost, type WaypostOptions } from "@waypost/sdk";
import { type Answer, startScripted } from "./scripted-server.ts";

export const apiKey = "svc_test_00000000_secret";

/** A client of a scripted server that notes its pauses and takes none. */
export async function setUp(t: TestContext, options: WaypostOptions, ...script: readonly Answer[]) {
  const { baseUrl, seen } = await startScripted(t, ...script);
  const pauses: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    pauses.push(ms);
  };
  return { waypost: new Waypost({ apiKey, baseUrl, sleep, ...options }), seen, pauses };
}
