import t from "tap";
import { call } from "../fixtures/calls.ts";
import { running, settableClock } from "../fixtures/running.ts";
import { get, payment, post, subscription } from "../fixtures/stripe.ts";

const clock = settableClock();
const { controlUrl } = await running(t, { clock });

t.test("the page shows what is bought, escaped, and the way back", async (t) => {
  const name = "<script>alert(1)</script>";
  const { json } = await post(controlUrl, {
    ...subscription,
    cancel_url: 'https://shop.example/?a=1&b="2"',
    "line_items[0][price_data][product_data][name]": name,
  });
  const { status, text } = await call(json.url);
  t.equal(status, 200);
  t.match(text, "49.00 EUR per month");
  t.notMatch(text, name);
  t.match(text, "&#60;script&#62;");
  t.match(text, 'href="https://shop.example/?a=1&#38;b=&#34;2&#34;"');
});

t.test("paying completes the session, once, and leads back to the shop", async (t) => {
  const { json } = await post(controlUrl, payment);
  const paid = await call(json.url, { method: "POST" });
  t.equal(paid.status, 303);
  t.equal(paid.headers.location, `https://shop.example/ok?session=${json.id}`);
  const after = (await get(controlUrl, json.id)).json;
  t.match(after, {
    status: "complete",
    payment_status: "paid",
    url: null,
    payment_intent: /^pi_/,
    subscription: null,
  });
  const again = await call(json.url, { method: "POST" });
  t.equal(again.status, 200);
  t.match(again.text, "paid already");
  t.strictSame((await get(controlUrl, json.id)).json, after);
});

t.test("a paid subscription has a customer and goes on", async (t) => {
  const { json } = await post(controlUrl, subscription);
  await call(json.url, { method: "POST" });
  const after = (await get(controlUrl, json.id)).json;
  t.match(after, { customer: /^cus_/, subscription: /^sub_/, payment_intent: null });
});

t.test("a session that nobody paid in time is expired", async (t) => {
  const { json } = await post(controlUrl, payment);
  clock.forward(24 * 3600 * 1000);
  t.match((await get(controlUrl, json.id)).json, { status: "expired", payment_status: "unpaid", url: null });
  t.match((await call(json.url)).text, "has expired");
  t.match((await call(json.url, { method: "POST" })).text, "has expired");
  t.equal((await get(controlUrl, json.id)).json.status, "expired");
});

t.test("a page of no session is not there", async (t) => {
  t.equal((await call(`${controlUrl}/c/pay/cs_test_none`)).status, 404);
});

t.test("the overview lists sessions", async (t) => {
  const { json } = await post(controlUrl, payment);
  const { text } = await call(`${controlUrl}/`);
  t.match(text, json.id.slice(0, 20));
  t.match(text, "49.00 EUR");
});
