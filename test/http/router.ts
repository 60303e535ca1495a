import t from "tap";
import { open, type Route } from "../../src/http/route.ts";
import { createRouter, type Match } from "../../src/http/router.ts";
import { undocumented } from "./fixtures/documentation.ts";

const row = (method: Route["method"], path: string): Route =>
  open({ ...undocumented, method, path, summary: path, handle: () => ({ status: 200 }) });
const router = createRouter([
  row("GET", "/passes"),
  row("POST", "/passes"),
  row("GET", "/passes/{id}"),
  row("PATCH", "/passes/{id}"),
  row("DELETE", "/passes/{id}"),
  row("GET", "/passes/{id}/versions"),
  row("PUT", "/passes/by-external-ref/{ref}"),
  row("GET", "/passes/latest"),
  row("GET", "/{any}/{thing}/versions"),
]);
const find = (method: string, path: string): Match => router(method, path.slice(1).split("/"));
const found = (method: string, path: string): unknown => {
  const match = find(method, path);
  return match.found ? [match.route.path, match.params] : match.allow;
};

t.test("a row is found by its method and path, with what the pattern names", async (t) => {
  t.strictSame(found("GET", "/passes"), ["/passes", {}]);
  t.strictSame(found("PATCH", "/passes/1"), ["/passes/{id}", { id: "1" }]);
  t.strictSame(found("GET", "/passes/1/versions"), ["/passes/{id}/versions", { id: "1" }]);
});

t.test("literal parts go before named ones, whatever the order of the rows", async (t) => {
  t.strictSame(found("GET", "/passes/latest"), ["/passes/latest", {}]);
  t.strictSame(found("PUT", "/passes/by-external-ref/7"), ["/passes/by-external-ref/{ref}", { ref: "7" }]);
  t.strictSame(found("GET", "/other/1/versions"), ["/{any}/{thing}/versions", { any: "other", thing: "1" }]);
});

t.test("a slash that was encoded stays within its part, and makes no path out of another", async (t) => {
  t.strictSame(
    router("PUT", ["passes", "by-external-ref", "a/b"]).found,
    true,
    "an external reference may hold one",
  );
  t.match(router("PUT", ["passes", "by-external-ref", "a/b"]), { params: { ref: "a/b" } });
  t.match(router("GET", ["passes/latest"]), { found: false, allow: [] });
  t.match(router("GET", ["passes", "1/versions"]), {
    route: { path: "/passes/{id}" },
    params: { id: "1/versions" },
  });
});

t.test("HEAD is answered by the row of GET, and only where there is one", async (t) => {
  t.strictSame(found("HEAD", "/passes/1"), ["/passes/{id}", { id: "1" }]);
  t.strictSame(found("HEAD", "/passes/by-external-ref/7"), ["PUT"]);
});

t.test("a method that a path does not have is told which it has", async (t) => {
  t.strictSame(found("PUT", "/passes"), ["GET", "HEAD", "POST"]);
  t.strictSame(found("OPTIONS", "/passes/1"), ["GET", "HEAD", "PATCH", "DELETE"]);
  t.strictSame(found("get", "/passes"), ["GET", "HEAD", "POST"], "methods are case-sensitive");
});

t.test("a path that no row has allows nothing", async (t) => {
  for (const path of [
    "/",
    "/pass",
    "/passes/",
    "/passes/1/",
    "/passes/1/versions/2",
    "//passes",
    "/PASSES",
  ]) {
    t.strictSame(found("GET", path), [], path);
  }
  t.strictSame(router("GET", []), { found: false, allow: [] }, "a path without a meaning");
  t.strictSame(found("GET", "/constructor"), []);
});

t.test("a row that stands twice is refused when the table is read", async (t) => {
  t.throws(() => createRouter([row("GET", "/a"), row("GET", "/a")]), { message: "GET /a stands twice" });
});
