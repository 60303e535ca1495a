/** How long finished jobs, deliveries and the bodies of events are kept. */
export const historyRetentionSeconds = 30 * 24 * 60 * 60;
