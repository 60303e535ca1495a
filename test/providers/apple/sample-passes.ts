import { PKPass } from "passkit-generator";
import t from "tap";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { reservedAppleMembers } from "../../../src/domain/templates/parsing/apple/check-apple.ts";
import { createFindings } from "../../../src/domain/templates/parsing/findings.ts";
import type { JsonObject } from "../../../src/providers/apple/apple-members.ts";
import { passJson, passJsonBytes } from "../../../src/providers/apple/pass-json.ts";
import { pngOf } from "../../domain/templates/fixtures/png.ts";
import { passTypeIdentifier, teamIdentifier } from "./fixtures/authority.ts";
import { passToIssue } from "./fixtures/pass-to-issue.ts";
import { type SamplePass, samplePasses } from "./fixtures/sample-passes.ts";

const pictures = (name: string, width: number, height: number): [string, Uint8Array][] => [
  [`${name}.png`, pngOf(width, height)],
  [`${name}@2x.png`, pngOf(width * 2, height * 2)],
  [`${name}@3x.png`, pngOf(width * 3, height * 3)],
];

/** The pass put into a template as its author would: all but its identity becomes the `apple` part. */
function templateOf({ type, passJson: sample }: SamplePass): object {
  const own = Object.entries(sample).filter(([member]) => !Object.hasOwn(reservedAppleMembers, member));
  return {
    name: "Imported",
    template_type: type,
    providers: ["apple"],
    fields: [],
    header: {
      organization_name: "Anybody",
      description: "Any pass",
      background_color: "#000000",
      foreground_color: "#ffffff",
      label_color: "#ffffff",
    },
    body: {},
    apple: Object.fromEntries(own),
  };
}

function imagesOf({ type }: SamplePass): Map<string, Uint8Array> {
  const poster = type === "EventTicket" ? pictures("artwork", 358, 448) : [];
  return new Map([...pictures("icon", 38, 38), ...poster]);
}

/** What a phone reads of a pass of that template. */
function issued(sample: SamplePass): JsonObject {
  const { content } = parseTemplate(templateOf(sample), imagesOf(sample));
  const job = passToIssue({ type: sample.type, content, pass: { data: {} } });
  return JSON.parse(passJsonBytes(passJson(job, { passTypeIdentifier, teamIdentifier })).toString("utf8"));
}

for (const sample of samplePasses) {
  t.test(
    `a ${sample.type} of somebody else's is a template about which there is nothing to say`,
    async (t) => {
      const findings = createFindings();
      parseTemplate(templateOf(sample), imagesOf(sample), findings);
      t.strictSame([...findings.errors, ...findings.warnings], []);
    },
  );

  t.test(`every member of it comes out of a ${sample.type} again, and nothing else`, async (t) => {
    const { serialNumber, authenticationToken, webServiceURL, ...expected } = sample.passJson;
    const { serialNumber: ours, authenticationToken: _, webServiceURL: __, ...members } = issued(sample);
    t.strictSame(members, expected);
    t.not(ours, serialNumber);
  });

  t.test(`passkit-generator reads the ${sample.type}, and has nothing to object to`, async (t) => {
    const warned = t.capture(console, "warn");
    const members = issued(sample);
    const read = new PKPass({ "pass.json": passJsonBytes(members) }, undefined, {});
    t.strictSame(warned.args(), []);
    t.match(read.props, { semantics: members.semantics, description: members.description });
  });
}
