import { lookup as systemLookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { OutboundFailure } from "./outbound-failure.ts";
import { createSlots } from "./slots.ts";

/** All addresses of a name. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<string[]>;

const queryLimits = { timeout: 2000, tries: 2, maxTimeout: 4000 };
const queriesMax = 64;
const waitingMax = 1000;
/** Name servers that answer at all mostly answer by then. */
const quickMs = 250;
const overdueMax = 512;
/** Half of libuv's threads: file access needs the others. */
const systemLookupsMax = 2;

type ResolverOptions = {
  hostsFile?: string;
  /** The system's own unless given. */
  nameServers?: readonly string[];
  queriesMax?: number;
  quickMs?: number;
  overdueMax?: number;
};

/**
 * Resolves names by the hosts file and then by DNS, a bounded number at once. Names of the Internet
 * never reach getaddrinfo: it blocks a thread until the name's own servers answer, and libuv has four
 * threads, so a few names whose servers never answer would stop every other lookup of the process.
 * DNS queries wait on sockets, and end at their timeout or with the signal. One whose answer is overdue leaves its slot
 * to others and waits beside them: names that a tenant chose, whose servers are silent, hold up nobody else's.
 */
export function createResolver({ hostsFile = "/etc/hosts", nameServers, ...rest }: ResolverOptions = {}): Lookup {
  const queries = createSlots({ slotsMax: rest.queriesMax ?? queriesMax, waitingMax });
  const overdue = createSlots({ slotsMax: rest.overdueMax ?? overdueMax, waitingMax: 0 });
  const systemLookups = createSlots({ slotsMax: systemLookupsMax, waitingMax });

  return async (hostname, signal) => {
    const listed = await addressesInHostsFile(hostsFile, hostname);
    if (listed.length > 0) return listed;
    return isLocalName(hostname)
      ? systemLookups.run(signal, refusal, () => lookUpInSystem(hostname))
      : query(hostname, signal);
  };

  async function query(hostname: string, signal: AbortSignal): Promise<string[]> {
    const dropping = new AbortController();
    const { answer, isOverdue } = await queries.run(signal, refusal, async () => {
      const asked = queryNameServers(hostname, nameServers, AbortSignal.any([signal, dropping.signal]));
      return { answer: asked, isOverdue: await isOpenAfter(asked, rest.quickMs ?? quickMs) };
    });
    if (!isOverdue) return answer;
    try {
      return await overdue.run(signal, refusal, () => answer);
    } finally {
      dropping.abort(); // what found no place there is asked no longer
    }
  }
}

function isOpenAfter(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    work.then(end, end);
  });
}

const refusal = () => new OutboundFailure("resolver_failed");

async function queryNameServers(
  hostname: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const resolver = new Resolver(queryLimits);
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;

    const reasons = answers.flatMap((answer): unknown[] => (answer.status === "rejected" ? [answer.reason] : []));
    const unanswered = reasons.find((reason) => !saysThereIsNone(reason));
    throw unanswered === undefined
      ? new OutboundFailure("name_not_found")
      : new OutboundFailure("resolver_failed", undefined, unanswered);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Names that no name server of the Internet has; only the system knows those of its own network. */
export function isLocalName(hostname: string): boolean {
  return !hostname.includes(".") || /\.(localhost|local)$/.test(hostname);
}

async function lookUpInSystem(hostname: string): Promise<string[]> {
  try {
    return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new OutboundFailure(saysThereIsNone(error) ? "name_not_found" : "resolver_failed", undefined, error);
  }
}

function saysThereIsNone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOTFOUND" || code === "ENODATA" || code === "EBADNAME";
}

async function addressesInHostsFile(hostsFile: string, hostname: string): Promise<string[]> {
  const text = await readFile(hostsFile, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === hostname) ? [address] : [];
  });
}
