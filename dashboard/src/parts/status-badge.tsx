type Tone = "good" | "warn" | "bad" | "info" | "test" | "";

const tones: Record<string, Tone> = {
  succeeded: "good",
  ready: "good",
  active: "good",
  delivered: "good",
  partial: "warn",
  paused: "warn",
  pending: "info",
  running: "info",
  queued: "info",
  expired: "",
  failed: "bad",
  disabled: "bad",
  revoked: "bad",
};

/** A state, in a color and in words. */
export function StatusBadge({ status }: { status: string }) {
  return <span className={`badge ${tones[status] ?? ""}`}>{status}</span>;
}
