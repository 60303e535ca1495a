import t from "tap";
import { call } from "../fixtures/calls.ts";
import { running, settableClock } from "../fixtures/running.ts";
import { get, type Parameters, payment, post, subscription, testKey } from "../fixtures/stripe.ts";

const clock = settableClock(1_795_243_426_625);
const now = 1_795_243_426;
const { controlUrl } = await running(t, { clock });

/** The error that a request is refused with. */
async function refusal(parameters: Parameters, headers: Record<string, string> = {}) {
  const { status, json, headers: sent } = await post(controlUrl, parameters, headers);
  return { status, requestId: sent["request-id"], ...json.error };
}

t.test("a session is opened as Stripe opens one", async (t) => {
  const { status, json, headers } = await post(controlUrl, {
    ...payment,
    cancel_url: "https://shop.example/back",
    client_reference_id: "tenant",
    "metadata[tenant_id]": "t-1",
    "metadata[__proto__]": "harmless",
    "payment_intent_data[metadata][tenant_id]": "t-1",
    "line_items[0][quantity]": "3",
  });
  t.equal(status, 200);
  t.match(headers["content-type"], /^application\/json/);
  t.match(headers["request-id"], /^req_\w{14}$/);
  t.match(json, {
    id: /^cs_test_[A-Za-z0-9]{58}$/,
    object: "checkout.session",
    amount_total: 14_700,
    currency: "eur",
    mode: "payment",
    status: "open",
    payment_status: "unpaid",
    payment_intent: null,
    subscription: null,
    client_reference_id: "tenant",
    success_url: payment.success_url,
    cancel_url: "https://shop.example/back",
    created: now,
    expires_at: now + 86_400,
    livemode: false,
    ui_mode: "hosted_page",
  });
  t.strictSame(Object.entries(json.metadata), [
    ["tenant_id", "t-1"],
    ["__proto__", "harmless"],
  ]);
  t.equal(json.url, `${controlUrl}/c/pay/${json.id}`);
  t.strictSame((await get(controlUrl, json.id)).json, json);
});

t.test("a subscription needs a recurring price, a payment must not have one", async (t) => {
  t.equal((await post(controlUrl, subscription)).json.mode, "subscription");
  t.match(await refusal({ ...payment, mode: "subscription" }), {
    status: 400,
    param: "mode",
    message: /recurring/,
  });
  t.match(await refusal({ ...subscription, mode: "payment" }), {
    status: 400,
    param: "mode",
    message: /recurring/,
  });
  t.match(await refusal({ ...payment, "subscription_data[description]": "x" }), {
    status: 400,
    message: "You can not pass `subscription_data` in `payment` mode.",
  });
});

const item = "line_items[0]";
const price = `${item}[price_data]`;

// biome-ignore format: read as a table
const refused: [what: string, change: Parameters, param: string | undefined, code: string | undefined, message: RegExp][] = [
  ["no mode",              { mode: undefined },                          "mode", "parameter_missing", /^Missing required param: mode\.$/],
  ["an unknown mode",      { mode: "gift" },                             "mode", undefined, /^Invalid mode: must be one of payment, setup or subscription$/],
  ["a mode not stood in for", { mode: "setup" },                         "mode", undefined, /sandbox/],
  ["another ui_mode",      { ui_mode: "embedded_page" },                 "ui_mode", undefined, /sandbox/],
  ["no success_url",       { success_url: undefined },                   "success_url", "parameter_missing", /Missing required param: success_url/],
  ["an empty success_url", { success_url: "" },                          "success_url", "parameter_invalid_empty", /^You passed an empty string for 'success_url'/],
  ["no URL",               { success_url: "shop" },                      "success_url", "url_invalid", /^Not a valid URL$/],
  ["no web URL",           { cancel_url: "javascript:x" },               "cancel_url", "url_invalid", /^Not a valid URL$/],
  ["a long URL",           { success_url: `https://a.example/${"x".repeat(5000)}` }, "success_url", undefined, /5000 characters or less/],
  ["an unknown parameter", { colour: "red" },                            "colour", "parameter_unknown", /^Received unknown parameter: colour$/],
  ["two of them",          { a: "1", b: "2" },                           "a", "parameter_unknown", /^Received unknown parameters: a, b$/],
  ["one deep inside",      { [`${price}[tint]`]: "red" },                `${price}[tint]`, "parameter_unknown", /unknown parameter: line_items\[0\]\[price_data\]\[tint\]$/],
  ["a prototype's name",   { "constructor[name]": "x" },                 "constructor", "parameter_unknown", /unknown/],
  ["no quantity",          { [`${item}[quantity]`]: undefined },         `${item}[quantity]`, "parameter_missing", /Missing required param: line_items\[0\]\[quantity\]/],
  ["no whole quantity",    { [`${item}[quantity]`]: "1.5" },             `${item}[quantity]`, "parameter_invalid_integer", /^Invalid integer: 1\.5$/],
  ["a quantity of 0",      { [`${item}[quantity]`]: "0" },               `${item}[quantity]`, "parameter_invalid_integer", /greater than or equal to 1\.$/],
  ["no currency",          { [`${price}[currency]`]: undefined },        `${price}[currency]`, "parameter_missing", /Missing/],
  ["no such currency",     { [`${price}[currency]`]: "qqq" },            `${price}[currency]`, undefined, /^Invalid currency: qqq/],
  ["no amount",            { [`${price}[unit_amount]`]: undefined },     `${price}[unit_amount]`, "parameter_missing", /Missing/],
  ["a negative amount",    { [`${price}[unit_amount]`]: "-1" },          `${price}[unit_amount]`, "parameter_invalid_integer", /greater than or equal to 0/],
  ["too small an amount",  { [`${price}[unit_amount]`]: "49" },          undefined, "amount_too_small", /at least 50/],
  ["no product",           { [`${price}[product_data][name]`]: undefined }, `${price}[product]`, undefined, /`product_data`/],
  ["a price that is not",  { [`${item}[price]`]: "price_1" },            `${item}[price]`, "resource_missing", /^No such price: 'price_1'$/],
  ["a list for a value",   { "mode[0]": "payment", mode: undefined },    "mode", undefined, /^Invalid/],
  ["a value for a list",   { "metadata": "x" },                          "metadata", undefined, /^Invalid object$/],
  ["a long metadata name", { [`metadata[${"n".repeat(41)}]`]: "x" },     `metadata[${"n".repeat(41)}]`, undefined, /40 characters/],
  ["long metadata",        { "metadata[n]": "x".repeat(501) },           "metadata[n]", undefined, /500 characters/],
  ["a long reference",     { client_reference_id: "x".repeat(201) },     "client_reference_id", undefined, /at most 200/],
  ["too short a life",     { expires_at: String(now + 1799) },           "expires_at", undefined, /at least 30 minutes/],
  ["too long a life",      { expires_at: String(now + 86_401) },         "expires_at", undefined, /less than 24 hours/],
  ["a broken name",        { "metadata[a": "x" },                        "metadata[a", undefined, /^Invalid parameter name/],
];

for (const [what, change, param, code, message] of refused) {
  t.test(`refused in Stripe's shape: ${what}`, async (t) => {
    const { status, requestId, ...error } = await refusal({ ...payment, ...change });
    t.equal(status, 400);
    t.match(requestId, /^req_/);
    t.match(error, { type: "invalid_request_error", message });
    t.equal(error.param, param);
    t.equal(error.code, code);
    if (code !== undefined) t.match(error.doc_url, /^https:\/\/stripe\.com\/docs\/error-codes\/[a-z-]+$/);
  });
}

t.test("without line items, or with several currencies, there is nothing to pay", async (t) => {
  const none = Object.fromEntries(Object.entries(payment).filter(([name]) => !name.startsWith("line_items")));
  t.match(await refusal(none), { status: 400, param: "line_items", code: "parameter_missing" });
  const second = Object.entries(payment)
    .filter(([name]) => name.startsWith("line_items"))
    .map(([name, value]) => [name.replace("[0]", "[1]"), value] as const);
  const two = { ...payment, ...Object.fromEntries(second) };
  t.equal((await post(controlUrl, two)).json.amount_total, 9800);
  t.match(await refusal({ ...two, "line_items[1][price_data][currency]": "usd" }), { param: "line_items" });
});

t.test("keys are test keys, as a bearer or by Basic", async (t) => {
  const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:`).toString("base64")}` });
  t.equal((await post(controlUrl, payment, basic(testKey))).status, 200);
  for (const [headers, message] of [
    [{ authorization: "" }, /^You did not provide an API key/],
    [{ authorization: "Bearer" }, /^You did not provide an API key/],
    [{ authorization: "Bearer sk_live_0123456789abcdef" }, /^Invalid API Key provided: sk_live\*+cdef$/],
    [{ authorization: "Bearer pk_test_0123456789abcdef" }, /publishable API key/],
    [basic("nobody"), /^Invalid API Key provided: \*{6}$/],
  ] as const) {
    const refused = await post(controlUrl, payment, headers);
    t.equal(refused.status, 401);
    t.match(refused.json.error, { type: "invalid_request_error", message });
    t.match(refused.headers["www-authenticate"], /^Basic realm="Stripe"/);
  }
});

t.test("a session is its own account's", async (t) => {
  const { json } = await post(controlUrl, payment);
  const foreign = await get(controlUrl, json.id, "sk_test_another_account");
  t.equal(foreign.status, 404);
  t.match(foreign.json.error, {
    code: "resource_missing",
    param: "session",
    message: `No such checkout.session: ${json.id}`,
  });
  t.equal((await get(controlUrl, "cs_test_none")).status, 404);
});

t.test("only forms are read, of a known API version, at known addresses", async (t) => {
  t.match(await refusal(payment, { "content-type": "application/json" }), {
    status: 400,
    message: /content type/,
  });
  t.match(await refusal(payment, { "stripe-version": "latest" }), {
    status: 400,
    message: /version: latest/,
  });
  const headers = { authorization: `Bearer ${testKey}` };
  for (const [method, path] of [
    ["GET", "/v1/customers"],
    ["DELETE", "/v1/checkout/sessions"],
  ] as const) {
    const reply = await call(`${controlUrl}${path}`, { method, headers });
    t.equal(reply.status, 404);
    t.match(reply.json.error.message, `Unrecognized request URL (${method}: ${path}).`);
  }
});
