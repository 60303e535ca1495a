import type { Route } from "./route.ts";
import { analyticsRoutes } from "./routes/analytics.ts";
import { batchRoutes } from "./routes/batches.ts";
import { billingRoutes } from "./routes/billing.ts";
import { callbackRoutes } from "./routes/callbacks.ts";
import { deviceRoutes } from "./routes/devices.ts";
import { documentRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { messageRoutes } from "./routes/messages.ts";
import { pageRoutes } from "./routes/pages.ts";
import { bundleRoutes } from "./routes/pass-bundles.ts";
import { passRoutes } from "./routes/passes.ts";
import { robotRoutes } from "./routes/robots.ts";
import { templateRoutes } from "./routes/templates.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

/** Every endpoint there is. Routing, checks and their tests all come from these rows. */
export const routes: readonly Route[] = [
  ...tokenRoutes,
  ...passRoutes,
  ...batchRoutes,
  ...messageRoutes,
  ...jobRoutes,
  ...templateRoutes,
  ...webhookRoutes,
  ...analyticsRoutes,
  ...billingRoutes,
  ...pageRoutes,
  ...bundleRoutes,
  ...deviceRoutes,
  ...callbackRoutes,
  ...documentRoutes,
  ...healthRoutes,
  ...robotRoutes,
];
