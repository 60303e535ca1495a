import type { IssuedDemo } from "../up/demo.ts";

/** What `up` shows a person when everything runs: where to look, and what to try. */
export function quickStart(
  stack: { baseUrl: string; sandboxUrl: string | null; metricsUrl: string; workerMetricsUrl: string },
  demo: IssuedDemo,
): string {
  const { baseUrl } = stack;
  const page =
    demo.page_url === null ? [] : ["A pass was issued. Open its page:", "", `  ${demo.page_url}`, ""];
  const sandbox = stack.sandboxUrl === null ? [] : [`  sandbox      ${stack.sandboxUrl}`];
  return `
Passwright is ready.

${page.join("\n")}
  API          ${baseUrl}/api/v1
${sandbox.join("\n")}
  metrics      ${stack.metricsUrl}
               ${stack.workerMetricsUrl}
  tenant       ${demo.tenant_id}
  application  ${demo.application_id}
  secret       ${demo.application_secret}

Try it in another terminal:

  TOKEN=$(curl -s ${baseUrl}/api/v1/auth/token \\
    -d grant_type=client_credentials -d client_id=${demo.application_id} \\
    -d client_secret=${demo.application_secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

  curl -s ${baseUrl}/api/v1/passes -H "Authorization: Bearer $TOKEN" \\
    -H "Content-Type: application/json" -d '{
      "template_id": "${demo.template_id}",
      "intent": "loyalty_card", "external_ref": "customer-1",
      "data": { "member": "Grace Hopper", "points": "10" } }'

  curl -s ${baseUrl}/api/v1/passes -H "Authorization: Bearer $TOKEN"

Ctrl-C stops everything and keeps the data.
`.replace(/\n{3,}/g, "\n\n");
}
