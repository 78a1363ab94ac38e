import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { type Storage, StorageFailed } from "./storage.ts";

export type S3Settings = {
  bucket: string;
  /** Before each key, such as `waypost/`. */
  prefix: string;
  /** Unset for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Unset: found where Amazon's tools look for them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  pathStyle: boolean;
  checksums: "WHEN_REQUIRED" | "WHEN_SUPPORTED";
};

// Measured: two parts of 8 MiB at once peak at 178 MB for the whole process.
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;
const connectMs = 5_000;
const standardAnswerMs = 30_000;
const removeMax = 1_000;

/** A bucket of any service that speaks S3, which has so much time for an answer. */
export function createS3Storage(settings: S3Settings, answerMs = standardAnswerMs): Storage {
  const { bucket, prefix } = settings;
  // Loaded when a file first needs it: most installations never do.
  let loading: ReturnType<typeof connect> | undefined;
  const load = () => (loading ??= connect(settings, answerMs));
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });

  return {
    name: `s3:${bucket}/${prefix}`,
    put: (key, path, mediaType, signal) =>
      guarded(async () => {
        const { uploader } = await load();
        const { Upload } = await import("@aws-sdk/lib-storage");
        const body = createReadStream(path);
        const upload = new Upload({
          client: uploader,
          params: { ...at(key), Body: body, ContentType: mediaType },
          partSize: partBytes,
          queueSize: partsAtOnce,
          leavePartsOnError: false,
        });
        const abort = () => void upload.abort();
        signal.addEventListener("abort", abort, { once: true });
        try {
          signal.throwIfAborted();
          await upload.done();
        } finally {
          signal.removeEventListener("abort", abort);
          body.destroy();
        }
      }),
    read: (key, { start, end }) =>
      guarded(async () => {
        const { client, s3 } = await load();
        try {
          const command = new s3.GetObjectCommand({ ...at(key), Range: `bytes=${start}-${end}` });
          const { Body, ContentLength = end - start + 1 } = await client.send(command);
          if (!(Body instanceof Readable)) return undefined;
          if (ContentLength === end - start + 1) return Body;
          Body.destroy();
          throw new Error(`the bucket answered with ${ContentLength} bytes instead of ${end - start + 1}`);
        } catch (error) {
          if (error instanceof s3.NoSuchKey || error instanceof s3.NotFound) return undefined;
          throw error;
        }
      }),
    remove: (keys) =>
      guarded(async () => {
        const { client, s3 } = await load();
        for (let first = 0; first < keys.length; first += removeMax) {
          const Objects = keys.slice(first, first + removeMax).map((key) => ({ Key: prefix + key }));
          const command = new s3.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
          const { Errors = [] } = await client.send(command);
          // The call succeeds as a whole, and names what it did not remove.
          const refused = Errors.find(({ Code }) => Code !== "NoSuchKey");
          if (refused) throw new Error(`the bucket keeps ${refused.Key}: ${refused.Code}`);
        }
      }),
    async *list() {
      const { client, s3 } = await load();
      let ContinuationToken: string | undefined;
      do {
        const request = { Bucket: bucket, Prefix: prefix, ...(ContinuationToken ? { ContinuationToken } : {}) };
        const page = await guarded(() => client.send(new s3.ListObjectsV2Command(request)));
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key && LastModified) yield { key: Key.slice(prefix.length), storedAt: LastModified };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },
    dropUnfinished: (before) =>
      guarded(async () => {
        const { client, s3 } = await load();
        const { Uploads } = await client.send(new s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
        for (const { Key, UploadId, Initiated } of Uploads ?? []) {
          if (!Key || !UploadId || !Initiated || Initiated >= before) continue;
          await client.send(new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
        }
      }),
  };
}

async function connect({ endpoint, region, credentials, pathStyle, checksums }: S3Settings, answerMs: number) {
  const s3 = await import("@aws-sdk/client-s3");
  const open = (timeouts: { requestTimeout: number; throwOnRequestTimeout: true } | { socketTimeout: number }) =>
    new s3.S3Client({
      region,
      forcePathStyle: pathStyle,
      requestChecksumCalculation: checksums,
      responseChecksumValidation: checksums,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: connectMs, ...timeouts },
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
    });
  // A part takes as long as the line needs for it, 40 s at 200 KB/s: an upload fails when nothing moves any more.
  const uploader = open({ socketTimeout: answerMs });
  const client = open({ requestTimeout: answerMs, throwOnRequestTimeout: true });
  return { client, uploader, s3 };
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new StorageFailed(error);
  }
}
