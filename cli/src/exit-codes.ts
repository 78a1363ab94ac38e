/** How a command can end; docs/reference/cli.md has the same table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  notFound: 4,
  later: 5,
  unfinished: 6,
  interrupted: 130,
} as const;

export const exitCodeMeanings: readonly (readonly [number, string])[] = [
  [exitCodes.done, "It is done."],
  [exitCodes.failed, "It could not be done; standard error says why."],
  [exitCodes.usage, "The command was not written as it must be; nothing was done."],
  [exitCodes.denied, "The key is missing, unknown, or may not do this."],
  [exitCodes.notFound, "There is no such thing."],
  [
    exitCodes.later,
    "Not now: the service cannot be reached, is busy, or is limiting requests. The same command may work later.",
  ],
  [
    exitCodes.unfinished,
    "The job, collection or export ended otherwise than well, or had not ended when the wait did.",
  ],
  [exitCodes.interrupted, "Interrupted by Ctrl-C or a signal. Work that was started on the service goes on."],
];
