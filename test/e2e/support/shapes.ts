// What every identifier and instant of the API looks like.
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const traceId = /^(?!0{32})[0-9a-f]{32}$/;

export const passStatuses = ["pending", "partial", "active", "updating", "revoking", "revoked", "failed"];
export const eventTypes = [
  ...["pass.created", "pass.updated", "pass.revoked", "message.sent"],
  ...["job.completed", "job.failed", "batch.completed"],
];
