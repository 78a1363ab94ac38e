import { join } from "node:path";
import { readOrCreateSecret } from "../../../platform/crypto/secret-file.ts";
import { makeFolder } from "../../../platform/folders.ts";
import { newUuid } from "../../../platform/ids.ts";
import { createLocalStorage } from "./local.ts";
import { createS3Storage, type S3Settings } from "./s3.ts";
import type { Storage } from "./storage.ts";

/** Where files are made, and where they are kept when they are whole. */
export type FileStore = { workFolder: string; storage: Storage };

/** The bucket that the operator configured, else the folder `exports` of the data folder. */
export async function openFileStore(dataFolder: string, s3: S3Settings | undefined): Promise<FileStore> {
  const folder = join(dataFolder, "exports");
  const workFolder = join(folder, "work");
  await makeFolder(workFolder, 0o700);
  if (s3) return { workFolder, storage: createS3Storage(s3) };

  const files = join(folder, "files");
  await makeFolder(files, 0o700);
  const id = await readOrCreateSecret(join(folder, "storage-id"), newUuid);
  return { workFolder, storage: createLocalStorage({ folder: files, id }) };
}
