import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Static } from "typebox";
import { Type } from "../../../platform/schema.ts";
import { errorResponses } from "../../../platform/http/error-body.ts";
import type { HttpServer } from "../../../platform/http/server.ts";
import { isKnown } from "../../../platform/http/static-file.ts";
import {
  DownloadNotFound,
  FileElsewhere,
  FileExpired,
  LinkExpired,
  PreconditionFailed,
  RangeNotSatisfiable,
} from "../errors.ts";
import { mediaTypes } from "../export.ts";
import { ExportParams } from "../schema.ts";
import type { Download, Downloads } from "./service.ts";

const LinkQuery = Type.Object(
  {
    expires: Type.String({ pattern: "^[0-9]{1,12}$", description: "the time at which the link ends, in Unix seconds" }),
    kid: Type.String({ pattern: "^[0-9a-f]{8}$", description: "the id of the key that signed it" }),
    sig: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$", description: "the signature" }),
  },
  { additionalProperties: false },
);

const Bytes = Type.Unsafe<unknown>({ type: "string", format: "binary" });
const json = (example: object) => ({ type: "object", additionalProperties: true, examples: [example] });
const wholes: Record<string, object> = {
  [mediaTypes.json]: json({ records: [] }),
  [mediaTypes.geojson]: json({ type: "FeatureCollection", features: [] }),
};

const fileHeaders = {
  ETag: Type.String({ description: "The file's SHA-256, for If-Range, If-None-Match and If-Match." }),
  "Accept-Ranges": Type.String({ description: "`bytes`." }),
  "Content-Disposition": Type.String({ description: "The file's name." }),
};
const partHeaders = {
  ...fileHeaders,
  "Content-Range": Type.String({ description: "Which bytes these are, and of how many." }),
};

/** The media types of all formats; a part of a JSON text is none itself. */
function contentOf({ isWhole }: { isWhole: boolean }) {
  const types = Object.values(mediaTypes).map((mediaType) => mediaType.split(";", 1)[0] ?? mediaType);
  return Object.fromEntries(types.map((type) => [type, { schema: (isWhole && wholes[type]) || Bytes }]));
}

export function downloadRoutes(app: HttpServer, downloads: Downloads) {
  const shape = { params: ExportParams, querystring: LinkQuery };
  const responses = errorResponses(
    DownloadNotFound,
    LinkExpired,
    FileExpired,
    PreconditionFailed,
    RangeNotSatisfiable,
    FileElsewhere,
  );

  // Before GET, which would otherwise bring a HEAD of its own that reads the whole file.
  app.head("/downloads/:exportId", {
    schema: { ...shape, hide: true, response: responses },
    config: { public: true },
    async handler(request, reply) {
      const download = await findFor(request);
      if (isHeldAlready(download, request.headers)) return sendUnchanged(reply, download);
      if (download.isSatisfiable) await download.requireFile();
      return send(reply, download, "");
    },
  });

  app.get("/downloads/:exportId", {
    schema: {
      ...shape,
      operationId: "downloadExport",
      summary: "Download the file of an export by its signed link",
      description:
        "Without an API key: use download_url as it is. Range, If-Range, If-None-Match, If-Match and HEAD work. A download that began before the link ended may resume for another hour with Range and If-Range.",
      tags: ["Exports"],
      security: [],
      response: {
        200: { headers: fileHeaders, content: contentOf({ isWhole: true }) },
        206: { headers: partHeaders, content: contentOf({ isWhole: false }) },
        304: Object.assign(Type.Null(), { headers: { ETag: fileHeaders.ETag } }),
        ...responses,
      },
    },
    config: { public: true },
    async handler(request, reply) {
      const download = await findFor(request);
      if (isHeldAlready(download, request.headers)) return sendUnchanged(reply, download);
      return send(reply, download, download.isSatisfiable ? await download.open() : "");
    },
  });

  function findFor({ params, query, headers }: LinkRequest): Promise<Download> {
    const { range, "if-range": ifRange } = headers;
    return downloads.find(params.exportId, query, {
      range,
      ifRange: typeof ifRange === "string" ? ifRange : undefined,
    });
  }
}

type LinkRequest = {
  params: { exportId: string };
  query: Static<typeof LinkQuery>;
  headers: IncomingHttpHeaders;
};

/** Whether the client has this very file (RFC 9110, section 13.2.2: both headers come before Range). */
function isHeldAlready({ etag }: Download, { "if-match": ifMatch, "if-none-match": ifNoneMatch }: IncomingHttpHeaders) {
  const wanted = ifMatch?.split(",").map((tag) => tag.trim());
  if (wanted && !wanted.includes(etag) && !wanted.includes("*")) throw PreconditionFailed();
  return isKnown(etag, ifNoneMatch);
}

function sendUnchanged(reply: FastifyReply, { etag }: Download) {
  return reply.code(304).headers({ ETag: etag, "Cache-Control": "private, no-store" }).send();
}

/** Past the envelope and the serializer, which are for JSON. */
function send(reply: FastifyReply, download: Download, content: Readable | "") {
  if (!download.isSatisfiable) throw RangeNotSatisfiable(download);
  reply.headers(headersOf(download)).code(download.part ? 206 : 200);
  return reply.serializer((bytes: string) => bytes).send(content);
}

function headersOf({ name, mediaType, sizeBytes, etag, part }: Download): Record<string, string> {
  const { start, end } = part ?? { start: 0, end: sizeBytes - 1 };
  return {
    "Content-Type": mediaType,
    "Content-Length": String(end - start + 1),
    "Content-Disposition": `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    "Accept-Ranges": "bytes",
    ETag: etag,
    "Cache-Control": "private, no-store",
    ...(part ? { "Content-Range": `bytes ${start}-${end}/${sizeBytes}` } : {}),
  };
}
