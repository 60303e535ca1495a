import type { Test } from "tap";
import { patch } from "../support/changes.ts";
import { judgeFaults } from "../support/judgements.ts";
import { good, path, type Surroundings } from "./surroundings.ts";

const malformed = [
  ...["", "hooks", "//1.1.1.1/", "/hooks", "https:", "https://", "1.1.1.1", "https://a b/"],
  ...["http://1.1.1.1/", "HTTP://1.1.1.1/", "ftp://1.1.1.1/", "wss://1.1.1.1/", "file:///etc/passwd"],
  ...["javascript:alert(1)", "data:text/plain,x", "https://1.1.1.1:99999/", "https://1.1.1.1:x/"],
  ...["https://me@1.1.1.1/", "https://me:secret@1.1.1.1/", "https://:secret@1.1.1.1/"],
  ...["https://1.1.1.1/#", "https://1.1.1.1/#x", "https://1.1.1.1/?a=1#x"],
];

/** No public unicast address, in each way that a URL parser or a resolver takes. */
const inside = [
  ...["127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1"],
  ...["0.0.0.0", "0", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ...["3232235777", "169.254.169.254", "0xa9fea9fe", "100.64.0.1", "100.127.255.255", "224.0.0.1"],
  ...["239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.1"],
  ...["203.0.113.9", "127.0.0.1.", "%31%32%37.0.0.1", "\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021"],
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]"],
  ...["[64:ff9b::127.0.0.1]", "[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2001:db8::1]", "[2002:7f00:1::]"],
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost"],
];

const outside = ["1.1.1.1", "[2606:4700:4700::1111]", "172.15.0.1", "172.32.0.1", "100.128.0.1", "11.0.0.1"];

export async function addresses(t: Test, { strict }: Surroundings) {
  const register = (url: string) => strict.post(path, { ...good, url });

  t.test("a URL is absolute, https, without user and fragment", async (t) => {
    for (const url of malformed) judgeFaults(t, await register(url), ["/url"], url);
  });

  t.test("it has at most 2,048 characters", async (t) => {
    const start = "https://1.1.1.1/";
    const longest = start.padEnd(2048, "x");
    const reply = await register(longest);
    t.equal(reply.status, 201, reply.text);
    t.equal(reply.json.url, longest);
    judgeFaults(t, await register(`${longest}x`), ["/url"]);
  });

  t.test(
    "an address that is not public is refused in each of its spellings, with and without a port",
    async (t) => {
      for (const host of inside) {
        for (const url of [`https://${host}/`, `https://${host}:8443/x`]) {
          judgeFaults(t, await register(url), ["/url"], url);
        }
      }
    },
  );

  t.test("so it is when a webhook is changed", async (t) => {
    const { json } = await register(good.url);
    const at = `${path}/${json.id}`;
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:10.0.0.1]", "localhost"]) {
      judgeFaults(t, await patch(strict, at, { url: `https://${host}/` }), ["/url"], host);
    }
    t.equal((await strict.get(at)).json.url, good.url);
  });

  t.test("a public address is taken, also right beside those that are not", async (t) => {
    for (const host of outside) {
      const reply = await register(`https://${host}:8443/hooks?a=%20b`);
      t.equal(reply.status, 201, `${host}: ${reply.text}`);
    }
  });
}
