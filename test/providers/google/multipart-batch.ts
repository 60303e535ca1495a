import { spawnSync } from "node:child_process";
import t from "tap";
import { readBatch, writeBatch } from "../../../src/providers/google/multipart-batch.ts";

const parts = [
  { method: "POST", path: "/walletobjects/v1/loyaltyObject", body: '{"id":"1.ä–☕","note":"--batch\\r\\n"}' },
  { method: "GET", path: "/walletobjects/v1/genericClass?issuerId=1" },
  { method: "PATCH", path: "/walletobjects/v1/loyaltyObject/1.b", body: "{}" },
];

/** Python's own reader of multipart messages, and of the requests in them. */
const reader = `
import sys, json, email, email.policy
raw = sys.stdin.buffer.read()
whole = email.message_from_bytes(raw, policy=email.policy.HTTP)
found = []
for part in whole.iter_parts():
    head, _, body = part.get_payload(decode=True).partition(b"\\r\\n\\r\\n")
    line, _, fields = head.partition(b"\\r\\n")
    found.append([part.get_content_type(), part["Content-ID"], line.decode(), fields.decode(), body.decode().strip()])
print(json.dumps(found))
`;

t.test("a batch is a multipart message of requests, as Python reads it", async (t) => {
  const { contentType, body } = writeBatch(parts);
  const input = `Content-Type: ${contentType}\r\n\r\n${body}`;
  const read = spawnSync("python3", ["-c", reader], { input, encoding: "utf8" });
  if (read.error !== undefined) return t.pass("there is no Python here", { skip: true });
  const json = "Content-Type: application/json\r\nAccept: application/json";
  return t.strictSame(JSON.parse(read.stdout), [
    ["application/http", "<item-0>", `POST ${parts[0]?.path} HTTP/1.1`, json, parts[0]?.body],
    ["application/http", "<item-1>", `GET ${parts[1]?.path} HTTP/1.1`, "Accept: application/json", ""],
    ["application/http", "<item-2>", `PATCH ${parts[2]?.path} HTTP/1.1`, json, "{}"],
  ]);
});

t.test("answers are told apart by their ids, in whatever order and shape they come", async (t) => {
  const text = [
    "some preamble",
    "--batch_x (1)",
    "Content-Type: application/http",
    "Content-ID: <response-item-1>",
    "",
    "HTTP/1.1 429 Too Many Requests",
    "Retry-After: 7",
    "Content-Type: application/json; charset=UTF-8",
    "",
    '{"error":{"code":429}}',
    "--batch_x (1)  ",
    "content-id: <response-item-0>",
    "",
    "HTTP/1.1 200 OK",
    "",
    '{"id":"1.a",',
    "",
    ' "x":"--batch_x (1)"}',
    "--batch_x (1)",
    "Content-ID: <response-item-2>",
    "",
    "HTTP/1.1 204 No Content",
    "",
    "",
    "--batch_x (1)",
    "Content-ID: <somebody-else>",
    "",
    "HTTP/1.1 200 OK",
    "",
    "{}",
    "--batch_x (1)--",
    "--batch_x (1)",
    "Content-ID: <response-item-9>",
    "",
    "HTTP/1.1 200 OK",
    "",
    "{}",
  ];
  for (const end of ["\r\n", "\n"]) {
    const answers = readBatch('multipart/mixed; boundary="batch_x (1)"', text.join(end));
    t.strictSame([...(answers?.keys() ?? [])].toSorted(), [0, 1, 2], "what is behind the last is nobody's");
    t.match(answers?.get(1), { status: 429, headers: { "retry-after": "7" }, text: /^\{"error".*\}$/ });
    t.match(answers?.get(0), { status: 200 });
    t.strictSame(JSON.parse(answers?.get(0)?.text ?? ""), { id: "1.a", x: "--batch_x (1)" });
    t.match(answers?.get(2), { status: 204, text: /^$/ });
  }
});

t.test("what is no batch is not read as one", async (t) => {
  for (const type of ["application/json", "multipart/form-data; boundary=x", "multipart/mixed", ""]) {
    t.equal(readBatch(type, "--x\r\n"), null, type);
  }
  t.strictSame(readBatch("multipart/mixed; boundary=x", "nothing"), new Map());
  t.strictSame(
    readBatch("multipart/mixed; boundary=x", "--x\r\nContent-ID: <response-item-0>\r\n\r\nHTTP"),
    new Map(),
  );
});
