import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { access, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { syncFolder } from "../durable-files.ts";
import { decrypt, encrypt, type KeyRecipe, newKeyRecipe } from "./encryption.ts";
import { DamagedArchive, packParts, type Part, unpackParts } from "./parts.ts";

export type { Part } from "./parts.ts";

/** The first line of an archive; what follows is compressed, and encrypted when it has a recipe. */
type Head = { format: "waypost-backup"; version: 1; encryption: KeyRecipe | null };

const headBytesMax = 1_024;

/** Writes parts to a file that must not exist yet. It appears under its name only when it is whole and on disk. */
export async function writeArchive(path: string, parts: AsyncIterable<Part>, passphrase?: string): Promise<void> {
  await refuseExisting(path);
  // Of its own: another command may write to the same file, or one that was killed may have left a draft.
  const draft = `${path}.${randomBytes(4).toString("hex")}.partial`;
  const encryption = passphrase === undefined ? null : newKeyRecipe();
  const head: Head = { format: "waypost-backup", version: 1, encryption };
  try {
    const file = createWriteStream(draft, { mode: 0o600, flush: true });
    if (!file.write(`${JSON.stringify(head)}\n`)) await once(file, "drain");
    const compressed = (bytes: AsyncIterable<Buffer>) =>
      encryption && passphrase !== undefined ? encrypt(bytes, passphrase, encryption) : bytes;
    await pipeline(() => packParts(parts), createGzip({ level: 4 }), compressed, file);
    await refuseExisting(path);
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw namingFile(error, `${path} cannot be written`);
  }
}

/** Hands each part of an archive to `read`. Resolves when all were read and are as they were written. */
export async function readArchive(
  path: string,
  passphrase: string | undefined,
  read: (parts: AsyncIterable<Part>) => Promise<void>,
): Promise<void> {
  const { head, bytes } = await readHead(path);
  const { encryption } = head;
  if (encryption && passphrase === undefined) {
    throw new Error(
      `${path} is encrypted. Set WAYPOST_BACKUP_PASSPHRASE, or name a file with the passphrase by --passphrase-file.`,
    );
  }
  const compressed = (chunks: AsyncIterable<Buffer>) =>
    encryption && passphrase !== undefined ? decrypt(chunks, passphrase, encryption) : chunks;
  try {
    await pipeline(
      createReadStream(path, { start: bytes }),
      compressed,
      createGunzip(),
      (plain: AsyncIterable<Buffer>) => read(unpackParts(plain)),
    );
  } catch (error) {
    if (/^Z_|ERR_STREAM_PREMATURE_CLOSE/.test((error as NodeJS.ErrnoException).code ?? "")) throw new DamagedArchive();
    throw error;
  }
}

async function readHead(path: string): Promise<{ head: Head; bytes: number }> {
  const file = await open(path).catch((error: unknown) => {
    throw namingFile(error, `${path} cannot be read`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytesMax), 0, headBytesMax, 0);
    const end = buffer.subarray(0, bytesRead).indexOf("\n");
    const head = parseHead(buffer.toString("utf8", 0, Math.max(0, end)));
    if (!head) throw new Error(`${path} is not a backup that this version of Waypost can read.`);
    return { head, bytes: end + 1 };
  } finally {
    await file.close();
  }
}

function parseHead(line: string): Head | undefined {
  try {
    const head = JSON.parse(line) as Head;
    return head.format === "waypost-backup" && head.version === 1 ? head : undefined;
  } catch {
    return undefined;
  }
}

/** What the file system refuses with, by its code. */
const refusals: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of its path is no folder",
  EACCES: "this user may not",
  EROFS: "its disk takes no writes",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
};

/** The same refusal as a sentence that names the file; any other error as it is. */
function namingFile(error: unknown, what: string): unknown {
  const reason = refusals[(error as NodeJS.ErrnoException).code ?? ""];
  return reason === undefined ? error : new Error(`${what}: ${reason}.`, { cause: error });
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${path} exists already; a backup overwrites nothing. Name another file.`);
}
