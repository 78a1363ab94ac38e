import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type S3Credentials = { accessKeyId: string; secretAccessKey: string; region: string };

const skewMaxMs = 15 * 60_000;

/** Checks a request as AWS Signature Version 4 says; resolves to the S3 error code, or to undefined. */
export function signatureProblem(request: IncomingMessage, { accessKeyId, secretAccessKey, region }: S3Credentials) {
  const { authorization = "" } = request.headers;
  const [, credential = "", signedNames = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(authorization) ?? [];
  if (signature === undefined) return "AccessDenied";
  const time = header(request, "x-amz-date");
  const day = time.slice(0, 8);
  if (credential !== `${accessKeyId}/${day}/${region}/s3/aws4_request`) return "InvalidAccessKeyId";
  const sentAt = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - sentAt) <= skewMaxMs)) return "RequestTimeTooSkewed";
  for (const needed of ["host", "x-amz-content-sha256", "x-amz-date"]) {
    if (!signedNames.split(";").includes(needed)) return "AccessDenied";
  }

  const url = new URL(request.url ?? "/", "http://localhost");
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    request.method,
    url.pathname
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    query.join("&"),
    ...signedNames.split(";").map((name) => `${name}:${header(request, name).trim().replaceAll(/ +/g, " ")}`),
    "",
    signedNames,
    header(request, "x-amz-content-sha256"),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return createHmac("sha256", key).update(toSign).digest("hex") === signature ? undefined : "SignatureDoesNotMatch";
}

export function header({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
