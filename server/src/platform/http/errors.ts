import { defineError } from "../errors.ts";

export const NotFound = defineError(
  "not_found",
  "not_found",
  ({ method, path }: { method: string; path: string }) =>
    `There is nothing at ${method} ${path}; the reference at /docs lists what there is.`,
);

export const MethodNotAllowed = defineError(
  "method_not_allowed",
  "invalid",
  ({ method, allow }: { method: string; allow: string }) => `${method} is not possible here; use ${allow}.`,
);

export const PayloadTooLarge = defineError(
  "payload_too_large",
  "invalid",
  ({ bytesMax }: { bytesMax: number }) => `The body is larger than ${bytesMax} bytes; send a smaller one.`,
);

export const UnsupportedMediaType = defineError(
  "unsupported_media_type",
  "invalid",
  () => "Send the body as JSON in UTF-8, uncompressed, with Content-Type: application/json.",
);

export const InternalError = defineError(
  "internal_error",
  "internal",
  () =>
    "Something went wrong on our side; send the same request again, and name its request_id to the operator if it persists.",
);

export const ForeignHost = defineError(
  "foreign_origin",
  "forbidden",
  ({ header, name }: { header: "Host" | "Origin"; name: string | undefined }) =>
    name === undefined
      ? `The ${header} of this request names no host; call the service by its address, as localhost, or by the name in WAYPOST_PUBLIC_URL.`
      : `${name}, the ${header} of this request, is not a name of this service. If it is yours, start the service with WAYPOST_PUBLIC_URL=https://${name}; otherwise call the service by its address or as localhost.`,
);
