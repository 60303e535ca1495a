// Draws what README and handbook show, from the service itself: the page of a pass (docs/images/pass.png), each tab of the
// dashboard (docs/images/dashboard*.svg), and a session at a terminal, which is printed to be put into the README. Needs
// a build, redis-server, tmux and chromium. Only needed after one of them has changed; the pictures are committed.
//
//   node scripts/draw-readme.mjs

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { root } from "./build.mjs";
import { terminalSvg } from "./draw-readme/terminal-svg.mjs";

const images = join(root, "docs", "images");
const folder = mkdtempSync(join(tmpdir(), "passwright-readme-"));
const columns = 84;
const rows = 20;

/** `passwright up`, once it is ready. */
async function startService() {
  const child = spawn(process.execPath, ["bin/run.js", "up", "--port", "0", "--data", folder, "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...process.env,
      PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
      PASSWRIGHT_WORKER_METRICS_ADDRESS: "127.0.0.1:0",
      PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s",
      PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,1h",
    },
  });
  for await (const line of createInterface(child.stdout)) return { child, ...JSON.parse(line) };
  throw new Error("`passwright up` did not start");
}

async function api(service, method, path, body, headers = {}) {
  const response = await fetch(`${service.base_url}${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** What asks the API in the demo application's name. */
async function signIn(service) {
  const { access_token: token } = await api(service, "POST", "/api/v1/auth/token", {
    grant_type: "client_credentials",
    tenant_id: service.tenant_id,
    application_id: service.application_id,
    application_secret: service.application_secret,
  });
  const headers = { Authorization: `Bearer ${token}` };
  return (method, path, body) => api(service, method, path, body, headers);
}

let issued = 0;

function issuePass(ask, service) {
  issued += 1;
  return ask("POST", "/api/v1/passes", {
    template_id: service.template_id,
    intent: "loyalty_card",
    external_ref: `customer-${1000 + issued}`,
    data: { member: "Grace Hopper", points: "7" },
  });
}

/** The address of the page of a pass that both wallets have. */
async function pageOfPass(ask, service) {
  const { id, job_id: job } = await issuePass(ask, service);
  await ask("GET", `/api/v1/jobs/${job}?wait=20`);
  return (await ask("GET", `/api/v1/passes/${id}`)).page_url;
}

async function drawPage(url) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 420, height: 860 }, deviceScaleFactor: 2 });
    await page.goto(url);
    await page.screenshot({ path: join(images, "pass.png") });
  } finally {
    await browser.close();
  }
}

/** A tab's key, what is there once it has something to show, and its picture. */
const tabs = [
  ["1", /interactive.* \d+(\.\d+)? +\d+ *$/m, "dashboard"],
  ["2", /active .*\n.*active .*\n.*active [\s\S]*delayed/, "dashboard-jobs"],
  ["3", /HOST[\s\S]* \d+\.\ds /, "dashboard-workers"],
  ["4", /healthy/, "dashboard-webhooks"],
  ["5", /http_503/, "dashboard-dead-letters"],
  ["6", /Demo/, "dashboard-tenants"],
];

/** Runs `passwright dashboard` in a terminal of tmux and draws what stands there, tab by tab. */
async function drawDashboard(settings, keepBusy) {
  const env = { PATH: process.env.PATH, TERM: "screen-256color", LANG: "C.UTF-8" };
  const tmux = (...args) =>
    execFileSync("tmux", ["-S", join(folder, "tmux"), "-f", "/dev/null", ...args], {
      cwd: root,
      encoding: "utf8",
      env,
    });
  const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", String(columns), "-y", String(rows)];
  const command = ["env", ...given, process.execPath, "bin/run.js", "dashboard", "--interval", "1s"];
  tmux("new-session", "-d", ...size, ...command);
  try {
    for (const [key, shown, picture] of tabs) {
      tmux("send-keys", key);
      while (!shown.test(tmux("capture-pane", "-p"))) await keepBusy();
      const screen = tmux("capture-pane", "-p", "-e");
      const svg = terminalSvg(screen, { columns, title: "passwright dashboard" });
      writeFileSync(join(images, `${picture}.svg`), svg);
    }
  } finally {
    tmux("kill-server");
  }
}

/** Endpoints of which one takes what it is sent, and one never does. */
async function subscribe(ask, service) {
  for (const status of [200, 503]) {
    const secret = "correct horse battery staple";
    const receiver = await post(`${service.sandbox_url}/receivers`, { secret });
    await post(`${service.sandbox_url}/receivers/${receiver.name}`, { respond: { status } }, "PATCH");
    await ask("POST", "/api/v1/webhooks", { url: receiver.url, events: ["pass.created"], secret });
  }
}

/** So that work is put off, and stays to be seen. */
async function letGoogleFail(service) {
  await post(`${service.sandbox_url}/sandbox/google/faults`, { status: 503, times: 1000 });
}

async function post(url, body, method = "POST") {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(url, { method, headers, body: JSON.stringify(body) })).json();
}

/** What some commands print, as they are typed. */
function session(settings, commands) {
  return commands
    .map((command) => {
      const script = `exec 2>&1; ${command.replace(/^passwright/, '"$NODE" bin/run.js')}`;
      const env = { PATH: process.env.PATH, NODE: process.execPath, ...settings };
      const { stdout } = spawnSync("sh", ["-c", script], { cwd: root, encoding: "utf8", env });
      return `$ ${command}\n${stdout}`;
    })
    .join("\n");
}

const service = await startService();
const settings = {
  PASSWRIGHT_REDIS_URL: service.redis_url,
  PASSWRIGHT_MASTER_KEY_FILE: join(folder, "master.key"),
};
try {
  const ask = await signIn(service);
  await drawPage(await pageOfPass(ask, service));
  await subscribe(ask, service);
  await letGoogleFail(service);
  await drawDashboard(settings, () => issuePass(ask, service));
  console.log(
    session(settings, [
      "passwright tenants list",
      `passwright jobs list --tenant ${service.tenant_id} --status faild`,
      `passwright jobs list --tenant ${service.tenant_id} --status completed --limit 2`,
      "passwright deadletter stats --all-tenants; echo $?",
    ]),
  );
} finally {
  service.child.kill("SIGTERM");
  await new Promise((ended) => service.child.once("exit", ended));
  rmSync(folder, { recursive: true, force: true });
}
