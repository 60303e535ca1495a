import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import t from "tap";
import { fencesOf, textOf } from "./markdown.ts";

// The verifiers of docs/webhooks.md, each run as it stands there, on deliveries that a library signs which is not ours.

/** How a program of the language is made of the page's code, run on folders of deliveries, and found on the machine. */
type Language = {
  fence: string;
  tool: string;
  file: string;
  /** Prints true or false for each folder that it is given. */
  program(code: string): string;
  commands: readonly (readonly string[])[];
};

const parts = ["secret", "id", "timestamp", "signature"] as const;

const languages: readonly Language[] = [
  {
    fence: "js",
    tool: "node",
    file: "verify.mjs",
    program: (code) => `import { readFileSync } from "node:fs";
${code}
for (const folder of process.argv.slice(2)) {
  const read = (name) => readFileSync(folder + "/" + name, "utf8");
  const headers = { id: read("id"), timestamp: read("timestamp"), signature: read("signature") };
  console.log(isOurs(read("secret"), headers, readFileSync(folder + "/body")));
}`,
    commands: [["node", "verify.mjs"]],
  },
  {
    fence: "python",
    tool: "python3",
    file: "verify.py",
    program: (code) => `import sys
${code}
for folder in sys.argv[1:]:
    read = lambda name: open(f"{folder}/{name}", encoding="utf-8", newline="").read()
    with open(f"{folder}/body", "rb") as file:
        body = file.read()
    print(str(is_ours(${parts.map((name) => `read("${name}")`).join(", ")}, body)).lower())
`,
    commands: [["python3", "verify.py"]],
  },
  {
    fence: "php",
    tool: "php",
    file: "verify.php",
    program: (code) => `<?php
${code}
foreach (array_slice($argv, 1) as $folder) {
    $read = fn (string $name): string => file_get_contents("$folder/$name");
    echo is_ours(${parts.map((name) => `$read('${name}')`).join(", ")}, $read('body')) ? "true\\n" : "false\\n";
}`,
    commands: [["php", "verify.php"]],
  },
  {
    fence: "go",
    tool: "go",
    file: "verify.go",
    program: (code) => `${code.replace('"strings"\n', '"strings"\n\t"fmt"\n\t"os"\n')}
func main() {
	for _, folder := range os.Args[1:] {
		read := func(name string) []byte {
			content, err := os.ReadFile(folder + "/" + name)
			if err != nil {
				panic(err)
			}
			return content
		}
		fmt.Println(isOurs(${parts.map((name) => `string(read("${name}"))`).join(", ")}, read("body")))
	}
}`,
    commands: [["go", "build", "-o", "verify", "verify.go"], ["./verify"]],
  },
  {
    fence: "java",
    tool: "javac",
    file: "Verify.java",
    program: (code) => `${code}
class Verify {
  static String read(String folder, String name) throws Exception {
    return new String(java.nio.file.Files.readAllBytes(java.nio.file.Path.of(folder, name)), StandardCharsets.UTF_8);
  }
  public static void main(String[] folders) throws Exception {
    for (String folder : folders) {
      byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(folder, "body"));
      System.out.println(Webhook.isOurs(${parts.map((name) => `read(folder, "${name}")`).join(", ")}, body));
    }
  }
}`,
    commands: [
      ["javac", "-d", ".", "Verify.java"],
      ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "Verify"],
    ],
  },
];

type Delivery = {
  name: string;
  secret: string;
  id: string;
  timestamp: string;
  signature: string;
  body: string;
};

const id = "0193a0b4-7c11-7abc-8def-0123456789ab";
const body = '{"id":"0193a0b4-7c10-7000-8000-000000000001","type":"pass.created","data":{"name":"Zoë 🎟"}}';
const written = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const plain = "päßwörter and staples";

function signed(name: string, secret: string, at = new Date()): Delivery {
  const library = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { name, secret, id, timestamp, signature: library.sign(id, at, body), body };
}

const good = signed("a secret in base64", written);
const ofPlain = signed("a secret of any characters", plain);
const ours: Delivery[] = [
  good,
  ofPlain,
  { ...good, name: "one of two signatures", signature: `v1,${"A".repeat(43)}= ${good.signature}` },
];
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const forged: Delivery[] = [
  { ...good, name: "another body", body: body.replace("created", "updated") },
  { ...good, name: "another id", id: id.replace("ab", "cd") },
  { ...good, name: "another time", timestamp: String(Number(good.timestamp) + 1) },
  { ...good, name: "another secret", secret: `${written.slice(0, -4)}AAA=` },
  { ...good, name: "another version", signature: good.signature.replace("v1,", "v2,") },
  { ...good, name: "a signature cut short", signature: good.signature.slice(0, -8) },
  { ...good, name: "no signature", signature: "" },
  { ...good, name: "no time", timestamp: "" },
  { ...good, name: "a time that is none", timestamp: "soon" },
  signed("played back after an hour", written, minutesAgo(60)),
  signed("from the future", written, minutesAgo(-60)),
];
const deliveries = [...ours, ...forged];

function isInstalled(tool: string): boolean {
  return spawnSync("which", [tool]).status === 0;
}

/** What the page's code says of each delivery. */
function verdicts({ file, program, commands }: Language, code: string, folder: string): string[] {
  writeFileSync(join(folder, file), program(code));
  const folders = deliveries.map((delivery, index) => {
    const own = join(folder, String(index));
    mkdirSync(own);
    for (const part of [...parts, "body"] as const) writeFileSync(join(own, part), delivery[part]);
    return own;
  });
  let told = "";
  for (const [index, command] of commands.entries()) {
    const [tool = "", ...args] = command;
    const given = index === commands.length - 1 ? [...args, ...folders] : args;
    const { status, stdout, stderr } = spawnSync(tool, given, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: process.env.HOME, GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" },
    });
    if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`);
    told = stdout;
  }
  return told.trim().split("\n");
}

const fences = fencesOf(textOf("docs/webhooks.md") ?? "");
let ran = 0;

for (const language of languages) {
  const code = fences.find(
    ({ language: name, text }) => name === language.fence && /is_?ours/i.test(text),
  )?.text;
  const skip = isInstalled(language.tool) ? false : `${language.tool} is not installed`;
  t.test(`the verifier in ${language.fence} takes what is ours, and nothing else`, { skip }, async (t) => {
    t.ok(code !== undefined, "the page has one");
    const told = verdicts(language, code ?? "", t.testdir());
    t.strictSame(
      deliveries.map(({ name }, index) => [name, told[index]]),
      deliveries.map((delivery) => [delivery.name, String(ours.includes(delivery))]),
    );
    ran += 1;
  });
}

t.test("two languages or more were put to the test", async (t) => {
  t.ok(ran >= 2, `${ran} of ${languages.length}`);
});
