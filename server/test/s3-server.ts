import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { readS3Body, S3Problem } from "./s3-body.ts";
import { type S3Credentials, sha256, signatureProblem } from "./s3-signature.ts";

type StoredObject = { content: Buffer; contentType: string; modified: Date };
type Upload = { key: string; contentType: string; initiated: Date; parts: Map<number, Buffer> };

const partBytesMin = 5 * 1024 * 1024;
const listMax = 2;

/**
 * A bucket that is strict about what S3's documentation asks for: signatures and their age, payload
 * hashes, checksum trailers, the size of parts, ranges. Lists are cut after two keys, so that paging
 * is used.
 */
export async function openS3Server(t: TestContext, credentials: S3Credentials, bucket = "exports") {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  const requests: string[] = [];
  let isAway = false;
  let isProtected = false;
  let ignoresRanges = false;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const problem = error instanceof S3Problem ? error : new S3Problem(500, "InternalError");
      send(response, problem.status, `<Error><Code>${problem.code}</Code><Message>${problem.code}</Message></Error>`);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isAway) return void request.socket.destroy();
    const problem = signatureProblem(request, credentials);
    const body = await readS3Body(request);
    if (problem !== undefined) throw new S3Problem(403, problem);
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, named, ...rest] = url.pathname.split("/").map(decodeURIComponent);
    if (named !== bucket) throw new S3Problem(404, "NoSuchBucket");
    const call = { request, response, query: url.searchParams, key: rest.join("/"), body };
    requests.push(`${request.method} ${[...url.searchParams.keys()].join(",")}`);
    if (call.key === "") return answerBucket(call);
    if (call.query.has("uploads") || call.query.has("uploadId")) return answerUpload(call);
    return answerObject(call);
  }

  type Call = { request: IncomingMessage; response: ServerResponse; query: URLSearchParams; key: string; body: Buffer };

  function answerBucket({ request, response, query, body }: Call) {
    if (request.method === "POST" && query.has("delete")) {
      const { headers } = request;
      if (!headers["content-md5"] && !headers["x-amz-checksum-crc32"]) throw new S3Problem(400, "InvalidRequest");
      const keys = Array.from(body.toString().matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = ""]) => key);
      if (!isProtected) for (const key of keys) objects.delete(key);
      const errors = isProtected ? keys.map((key) => `<Error><Key>${key}</Key><Code>AccessDenied</Code></Error>`) : [];
      return send(response, 200, `<DeleteResult>${errors.join("")}</DeleteResult>`);
    }
    const prefix = query.get("prefix") ?? "";
    if (query.has("uploads")) {
      const listed = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
      const xml = listed.map(
        ([id, { key, initiated }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
      );
      return send(response, 200, `<ListMultipartUploadsResult>${xml.join("")}</ListMultipartUploadsResult>`);
    }
    const after = query.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, listMax);
    const xml = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.modified.toISOString()}</LastModified></Contents>`,
    );
    const more = keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return send(response, 200, `<ListBucketResult>${xml.join("")}${more}</ListBucketResult>`);
  }

  function answerUpload({ request, response, query, key, body }: Call) {
    if (request.method === "POST" && query.has("uploads")) {
      const id = `upload-${uploads.size + 1}-${Math.random()}`;
      const contentType = request.headers["content-type"] ?? "";
      uploads.set(id, { key, contentType, initiated: new Date(), parts: new Map() });
      return send(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const id = query.get("uploadId") ?? "";
    const upload = uploads.get(id);
    if (!upload || upload.key !== key) throw new S3Problem(404, "NoSuchUpload");
    if (request.method === "DELETE") {
      uploads.delete(id);
      return send(response, 204, "");
    }
    if (request.method === "PUT") {
      upload.parts.set(Number(query.get("partNumber")), body);
      response.setHeader("ETag", `"${sha256(body).slice(0, 32)}"`);
      return send(response, 200, "");
    }
    const numbers = Array.from(body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g), ([, number]) =>
      Number(number),
    );
    const parts = numbers.map((number) => upload.parts.get(number));
    if (parts.length === 0 || parts.some((part) => !part)) throw new S3Problem(400, "InvalidPart");
    if (parts.slice(0, -1).some((part) => (part?.length ?? 0) < partBytesMin))
      throw new S3Problem(400, "EntityTooSmall");
    const content = Buffer.concat(parts.filter((part) => part !== undefined));
    objects.set(key, { content, contentType: upload.contentType, modified: new Date() });
    uploads.delete(id);
    return send(response, 200, `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
  }

  function answerObject({ request, response, key, body }: Call) {
    if (request.method === "PUT") {
      objects.set(key, { content: body, contentType: request.headers["content-type"] ?? "", modified: new Date() });
      response.setHeader("ETag", `"${sha256(body).slice(0, 32)}"`);
      return send(response, 200, "");
    }
    const found = objects.get(key);
    if (!found) throw new S3Problem(404, "NoSuchKey");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    response.setHeader("Content-Type", found.contentType);
    if (first === undefined || ignoresRanges) return send(response, 200, found.content);
    if (Number(first) >= found.content.length) throw new S3Problem(416, "InvalidRange");
    return send(response, 206, found.content.subarray(Number(first), Number(last) + 1));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    requests,
    /** Cuts every connection from now on, or no more. */
    setAway: (away: boolean) => void (isAway = away),
    ignoreRanges: () => void (ignoresRanges = true),
    /** Lets nothing be deleted from now on. */
    protect: () => void (isProtected = true),
  };
}

function send(response: ServerResponse, status: number, body: string | Buffer) {
  response.statusCode = status;
  response.end(body);
}
