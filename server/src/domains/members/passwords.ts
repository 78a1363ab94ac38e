import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { defineError } from "../../platform/errors.ts";

const derive = promisify(argon2);

/** OWASP's first choice for argon2id; 78 ms on a small machine. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltBytes = 16;

/** Hashing takes 19 MiB each: more at once would cost memory, a longer queue would cost time. */
const atOnceMax = 2;
const inLineMax = 64;

export const PasswordsBusy = defineError(
  "temporarily_unavailable",
  "unavailable",
  () => "Too many people are signing in at this moment; try again in a few seconds.",
);

/** Hears what checking a password took, and for whom. */
export type OnChecked = (address: string, ms: number) => void;

/** Hashes and checks passwords with argon2id, a bounded number at a time. */
export function createPasswords(onChecked: OnChecked = () => undefined) {
  let running = 0;
  const line: (() => void)[] = [];

  async function hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const tag = await inTurn(() => derive("argon2id", { ...cost, message: password, nonce: salt }));
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt.toString("base64")}$${tag.toString("base64")}`;
  }

  /** Takes the same time for an account that does not exist, so that nobody learns which do. */
  async function isRight(password: string, stored: string | null, address: string): Promise<boolean> {
    const { salt, tag, memory, passes } = parse(stored ?? unknownAccount);
    const message = password.slice(0, 1_000);
    const given = await inTurn(async () => {
      const began = performance.now();
      const made = await derive("argon2id", {
        message,
        nonce: salt,
        memory,
        passes,
        parallelism: 1,
        tagLength: tag.length,
      });
      onChecked(address, performance.now() - began);
      return made;
    });
    return timingSafeEqual(given, tag) && stored !== null;
  }

  async function inTurn(work: () => Promise<Buffer>): Promise<Buffer> {
    if (running >= atOnceMax) {
      if (line.length >= inLineMax) throw PasswordsBusy(undefined, { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => line.push(resolve));
    }
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      line.shift()?.();
    }
  }

  return { hash, isRight };
}

export type Passwords = ReturnType<typeof createPasswords>;

const unknownAccount = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${Buffer.alloc(saltBytes).toString("base64")}$${Buffer.alloc(32).toString("base64")}`;

function parse(stored: string) {
  const [, memory, passes, salt, tag] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (!salt || !tag) throw new Error("a stored password hash is not in the form this program writes");
  return {
    memory: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}
