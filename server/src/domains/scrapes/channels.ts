/** Workers listen here for queued jobs. The message is empty. */
export const scrapesQueuedChannel = "scrapes_queued";

/** Callers that wait for the end of jobs listen here. The message lists ids. */
export const scrapesFinishedChannel = "scrapes_finished";

/** The worker of a canceled job listens here. The message is the id. */
export const scrapesCanceledChannel = "scrapes_canceled";
