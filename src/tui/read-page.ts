import type { Page, Place, ReadPage, Tab } from "./page.ts";
import { createDeadLetters } from "./pages/dead-letters.ts";
import { createJobs } from "./pages/jobs.ts";
import { createOverview } from "./pages/overview.ts";
import { createTenants } from "./pages/tenants.ts";
import { createWebhooks } from "./pages/webhooks.ts";
import { createWorkers } from "./pages/workers.ts";

type Looks = Parameters<typeof createOverview>[0] &
  Parameters<typeof createJobs>[0] &
  Parameters<typeof createWorkers>[0] &
  Parameters<typeof createWebhooks>[0] &
  Parameters<typeof createDeadLetters>[0] &
  Parameters<typeof createTenants>[0];

/** Reads what a place shows, and nothing that it does not show. */
export function createPages(looks: Looks): ReadPage {
  const pages: Record<Tab, (place: Place) => Promise<Page>> = {
    overview: createOverview(looks),
    jobs: createJobs(looks),
    workers: createWorkers(looks),
    webhooks: createWebhooks(looks),
    "dead letters": createDeadLetters(looks),
    tenants: createTenants(looks),
  };
  return (place) => pages[place.tab](place);
}
