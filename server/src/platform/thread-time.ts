/** Milliseconds of the processor that this thread has taken; where Node does not count them, those of a clock. */
export function threadMs(): number {
  if (!("threadCpuUsage" in process)) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
