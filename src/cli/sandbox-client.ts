import { PasswrightError } from "../domain/errors.ts";

/** Asks the sandbox for something. Rejects with what to do when it is not running. */
export async function askSandbox<Answer>(sandboxUrl: string, path: string, body: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`${sandboxUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  } catch (cause) {
    throw new PasswrightError(
      "invalid_configuration",
      `The sandbox does not answer at ${sandboxUrl}. Start it with «passwright sandbox», or set PASSWRIGHT_SANDBOX_URL.`,
      { cause },
    );
  }
  if (!response.ok) {
    throw new PasswrightError("invalid_configuration", `The sandbox refused: ${await response.text()}`);
  }
  return (await response.json()) as Answer;
}
