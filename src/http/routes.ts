import type { Route } from "./route.ts";
import { healthRoutes } from "./routes/health.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { pageRoutes } from "./routes/pages.ts";
import { passRoutes } from "./routes/passes.ts";
import { templateRoutes } from "./routes/templates.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

/** Every endpoint there is. Routing, checks and their tests all come from these rows. */
export const routes: readonly Route[] = [
  ...tokenRoutes,
  ...passRoutes,
  ...jobRoutes,
  ...templateRoutes,
  ...webhookRoutes,
  ...pageRoutes,
  ...healthRoutes,
];
