import t from "tap";
import { createProcessMetrics, joinedByProcess } from "../../src/metrics/process-metrics.ts";

const one = `# HELP requests_total Requests answered
# TYPE requests_total counter
requests_total{status="200"} 3

# HELP uptime_seconds Since the start
# TYPE uptime_seconds gauge
uptime_seconds 12
`;
const other = one.replace("} 3", "} 4").replace("seconds 12", "seconds 5");

t.test(
  "each series of each process is there once, under its number, and each metric in one piece",
  async (t) => {
    const joined = joinedByProcess([
      { process: 1, text: one },
      { process: 2, text: other },
    ]);
    t.equal(
      joined,
      `# HELP requests_total Requests answered
# TYPE requests_total counter
requests_total{process="1",status="200"} 3
requests_total{process="2",status="200"} 4
# HELP uptime_seconds Since the start
# TYPE uptime_seconds gauge
uptime_seconds{process="1"} 12
uptime_seconds{process="2"} 5
`,
    );
  },
);

t.test("how many answer, and how often one has died, stands before what they say themselves", async (t) => {
  let deaths = 1;
  const metrics = createProcessMetrics({
    ready: () => 2,
    deaths: () => deaths,
    metrics: async () => [{ process: 2, text: one }],
  });
  t.match(await metrics.text(), /^passwright_serve_process_deaths_total 1$/m);
  deaths = 3;
  const text = await metrics.text();
  t.match(text, /^passwright_serve_processes_ready 2$/m);
  t.match(text, /^passwright_serve_process_deaths_total 3$/m);
  t.match(text, /^uptime_seconds\{process="2"\} 12$/m);
});
