import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import t from "tap";
import { confirmDanger, type Terminal } from "../../src/cli/confirmation.ts";

/** Somebody at a terminal who answers this. */
function answering(answer: string) {
  const questions: string[] = [];
  const terminal: Terminal = {
    isInteractive: true,
    async ask(question) {
      questions.push(question);
      return answer;
    },
  };
  return { terminal, questions };
}

const danger = { yes: false, consequences: ["This deletes Acme.", "It cannot be undone."], word: "Acme" };

t.test("who types the name means it, and has read what will happen", async (t) => {
  const { terminal, questions } = answering(" Acme \n");
  await confirmDanger(danger, terminal);
  t.equal(questions.length, 1);
  t.match(questions[0], /This deletes Acme\.\nIt cannot be undone\.\nType «Acme»/);
});

t.test("anything else is wrong usage, and nothing is done", async (t) => {
  for (const answer of ["", "y", "yes", "acme", "Acme Ltd"]) {
    await t.rejects(confirmDanger(danger, answering(answer).terminal), { code: "invalid_request" }, answer);
  }
});

t.test("--yes asks nobody", async (t) => {
  const { terminal, questions } = answering("no");
  await confirmDanger({ ...danger, yes: true }, terminal);
  await confirmDanger({ ...danger, yes: true }, { ...terminal, isInteractive: false });
  t.strictSame(questions, []);
});

t.test("without a terminal --yes is needed, and the refusal says what would happen", async (t) => {
  const nobody: Terminal = { isInteractive: false, ask: () => Promise.reject(new Error("asked nobody")) };
  const refusal = { code: "invalid_request", detail: /--yes.*This deletes Acme/ };
  await t.rejects(confirmDanger(danger, nobody), refusal);
});

/** Asks at a terminal of its own, which script(1) makes, and answers with everything that was to be seen there. */
function atTerminal(input: string): Promise<string> {
  const module = fileURLToPath(new URL("../../src/cli/confirmation.ts", import.meta.url));
  const program = `
    const { confirmDanger } = await import(${JSON.stringify(module)});
    await confirmDanger(${JSON.stringify(danger)}).then(
      () => console.log("it is meant"),
      (error) => console.log("refused: " + error.code),
    );`;
  const command = `'${process.execPath}' --input-type=module --eval "$PROGRAM"`;
  return new Promise((resolve) => {
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: { ...process.env, PROGRAM: program },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let seen = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      // As a person does: reads the question, then answers.
      if (!seen.includes("to go on:") && (seen + text).includes("to go on:")) child.stdin.write(input);
      seen += text;
    });
    child.on("close", () => resolve(seen));
  });
}

const noTerminals = spawnSync("script", ["--version"]).status === 0 ? false : "script(1) is not installed";

t.test("at a real terminal the question is put, and the answer read", { skip: noTerminals }, async (t) => {
  const seen = await atTerminal("Acme\n");
  t.match(seen, /It cannot be undone/);
  t.match(seen, /it is meant/);
  t.match(await atTerminal("no\n"), /refused: invalid_request/);
  t.match(await atTerminal("\u0004"), /refused: invalid_request/, "the end of the input is no answer");
});
