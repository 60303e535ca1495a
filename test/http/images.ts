import { createHash } from "node:crypto";
import t from "tap";
import { createWallets } from "../e2e/model/wallets.ts";
import { icon, openIssuer } from "../support/issuer.ts";
import { openService } from "../support/service.ts";

t.test("a template's picture is anybody's to fetch, and to keep for ever under its address", async (t) => {
  const service = await openService(t, { providers: createWallets() });
  const { tenantId } = await openIssuer(service.issuing);
  const sha256 = createHash("sha256").update(icon).digest("hex");
  const address = `${service.url}/images/${tenantId}/${sha256}.png`;
  const expected = {
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "content-length": String(icon.length),
    etag: `"${sha256}"`,
  };

  const got = await fetch(address);
  t.equal(got.status, 200);
  t.match(Object.fromEntries(got.headers), expected);
  t.ok(Buffer.from(await got.arrayBuffer()).equals(icon));

  const head = await fetch(address, { method: "HEAD" });
  t.equal(head.status, 200);
  t.match(Object.fromEntries(head.headers), expected);

  const again = await fetch(address, { headers: { "if-none-match": expected.etag } });
  t.equal(again.status, 304);
  t.equal(again.headers.get("cache-control"), expected["cache-control"]);

  for (const path of [`/images/${tenantId}/${"0".repeat(64)}.png`, `/images/system/${sha256}.png`]) {
    t.equal((await fetch(`${service.url}${path}`)).status, 404, path);
  }
});
