import { chromium, type Page } from "playwright-core";
import t from "tap";
import { findChromium } from "./support/chromium.ts";
import { metricsAnywhere, startPasswright } from "./support/passwright.ts";
import { ask } from "./support/requests.ts";

t.setTimeout(300_000);

const service = await startPasswright(t, { settings: metricsAnywhere });
const { base_url: baseUrl, application_id, application_secret } = service.announced;
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
t.teardown(() => browser.close());

type Seen = { requests: string[]; complaints: string[] };

/** The page in a window of its own, and all that it asks for and complains of. */
async function opened(
  t: { teardown(end: () => unknown): unknown },
  path: string,
  options: { width?: number; colorScheme?: "light" | "dark"; javaScriptEnabled?: boolean } = {},
): Promise<{ page: Page } & Seen> {
  const { width = 1280, ...rest } = options;
  const context = await browser.newContext({ viewport: { width, height: 860 }, ...rest });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const seen: Seen = { requests: [], complaints: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  await page.goto(`${baseUrl}${path}`);
  return { page, ...seen };
}

t.test("an operation is shown, from this origin alone and without a complaint", async (t) => {
  const { page, requests, complaints } = await opened(t, "/docs#post-/api/v1/passes");
  const reference = page.locator("rapi-doc");
  await reference.getByText("Creates a pass in every wallet").waitFor();
  await reference.getByText("Idempotency-Key").first().waitFor();
  t.ok(requests.length >= 5, `${requests.length} requests`);
  t.strictSame(
    requests.filter((url) => !url.startsWith(`${baseUrl}/`) && !url.startsWith("data:")),
    [],
  );
  t.strictSame(complaints, []);
});

t.test("groups of operations and the webhooks are in the navigation", async (t) => {
  const { page } = await opened(t, "/docs");
  for (const name of ["Access", "Passes", "Batches", "Webhooks", "Billing"]) {
    await page.locator("rapi-doc").getByText(name, { exact: true }).first().waitFor();
  }
  await page.locator('[id="link-post-batch.completed"]').waitFor({ state: "attached" });
});

t.test("a token can be had on the page, and an operation tried with it", async (t) => {
  const { page, complaints } = await opened(t, "/docs#auth");
  await page.getByPlaceholder("client-id").fill(application_id);
  await page.getByPlaceholder("client-secret").fill(application_secret);
  const answered = page.waitForResponse(`${baseUrl}/api/v1/auth/token`);
  await page.getByRole("button", { name: "GET TOKEN" }).click();
  t.equal((await answered).status(), 200);
  await page.locator('[id="link-get-/api/v1/templates"]').click();
  const listed = page.waitForResponse((response) => response.url().includes("/api/v1/templates"));
  await page.getByRole("button", { name: "TRY" }).first().click();
  t.equal((await listed).status(), 200);
  t.strictSame(complaints, []);
});

t.test("it follows the reader's colours and screen", async (t) => {
  const dark = await opened(t, "/docs", { colorScheme: "dark" });
  await dark.page.locator('rapi-doc[theme="dark"][render-style="focused"]').waitFor();
  const narrow = await opened(t, "/docs", { width: 390 });
  await narrow.page.locator('rapi-doc[theme="light"][render-style="view"]').waitFor();
  await narrow.page.locator("rapi-doc").getByText("/api/v1/auth/token", { exact: true }).first().waitFor();
  t.equal(await narrow.page.evaluate("document.documentElement.scrollWidth"), 390, "nothing sticks out");
});

t.test("without scripts it leads to the document", async (t) => {
  const { page } = await opened(t, "/docs", { javaScriptEnabled: false });
  t.equal(await page.locator("noscript a").getAttribute("href"), "/openapi.json");
  t.ok(await page.locator("noscript a").isVisible());
});

for (const colorScheme of ["light", "dark"] as const) {
  t.test(`guides and errors can be read without scripts, ${colorScheme}, on any screen`, async (t) => {
    for (const path of ["/docs/guides", "/docs/guides/webhooks", "/docs/problems/payments_not_configured"]) {
      for (const width of [390, 820, 1280]) {
        const { page, requests, complaints } = await opened(t, path, {
          colorScheme,
          width,
          javaScriptEnabled: false,
        });
        const about = `${path} ${width}`;
        t.strictSame(requests, [`${baseUrl}${path}`], `${about} asks for nothing else`);
        t.strictSame(complaints, [], about);
        t.ok(await page.getByRole("main").getByRole("heading", { level: 1 }).isVisible(), about);
        const { width: wide = 0 } = (await page.locator("body").boundingBox()) ?? {};
        t.ok(wide <= width, `${about}: nothing sticks out`);
        await page.keyboard.press("Tab");
        t.ok(
          await page.getByText("Skip to the text").isVisible(),
          `${about}: the first stop leads past the navigation`,
        );
      }
    }
  });
}

t.test("one gets from the reference to the guides, from there to a guide, and on to an error", async (t) => {
  const { page } = await opened(t, "/docs", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Guides" }).click();
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Billing" }).click();
  await page.getByRole("heading", { level: 1, name: "Billing" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "insufficient_credits" }).first().click();
  await page.getByRole("heading", { level: 1, name: "insufficient_credits" }).waitFor();
  t.ok(await page.locator('[aria-current="page"]', { hasText: "insufficient_credits" }).isVisible());
});

t.test("scripts come from files of this origin only, which may be kept for ever", async (t) => {
  const { headers, text } = await ask(`${baseUrl}/docs`);
  const policy = String(headers["content-security-policy"]);
  t.match(policy, /default-src 'none'; script-src 'self';/);
  t.notMatch(policy, /script-src[^;]*unsafe|\bhttps?:|\*/);
  const files = [...text.matchAll(/\/docs\/([a-z-]+-[0-9a-f]{16}\.[a-z]+)/g)].map(([, file = ""]) => file);
  t.equal(files.length, 4, "style, start, RapiDoc and its licence");
  for (const file of files) {
    const plain = await ask(`${baseUrl}/docs/${file}`);
    t.match(
      plain,
      { status: 200, headers: { "cache-control": "public, max-age=31536000, immutable" } },
      file,
    );
    const zipped = await ask(`${baseUrl}/docs/${file}`, { headers: { "accept-encoding": "gzip, br" } });
    t.equal(zipped.headers["content-encoding"], "gzip", file);
    t.ok(zipped.bytes.length <= plain.bytes.length || plain.bytes.length < 2000, file);
  }
  t.match(await ask(`${baseUrl}/docs/rapidoc-0000000000000000.js`), { status: 404 });
});
