/** Workers listen here for deliveries that have become due; the message is empty. */
export const deliveriesDueChannel = "webhook_deliveries_due";

/** Workers listen here; the message names an endpoint whose running attempts must be aborted. */
export const attemptsRevokedChannel = "webhook_attempts_revoked";
