import { choice, record } from "./scalars.ts";

export const livenessSchema = record("Liveness", { status: choice(["ok"]) });
export const readinessSchema = record("Readiness", { status: choice(["ready"]) });
export const unreadinessSchema = record(
  "Unreadiness",
  { status: choice(["stopping", "unavailable"]), store: choice(["unreachable"]) },
  { optional: ["store"] },
);
