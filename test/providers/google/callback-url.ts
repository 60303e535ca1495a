import t from "tap";
import { callbackUrl } from "../../../src/providers/google/callback-url.ts";

const google = { apiUrl: "https://walletobjects.googleapis.com" };
const sandbox = { apiUrl: "http://127.0.0.1:8090" };

t.test("Google calls back over https only", async (t) => {
  t.equal(
    callbackUrl("https://passes.example.com/x", "t-1", google),
    "https://passes.example.com/x/google/t-1/callback",
  );
  t.equal(
    callbackUrl("https://passes.example.com", "t-1", sandbox),
    "https://passes.example.com/google/t-1/callback",
  );
  t.equal(callbackUrl("http://passes.example.com", "t-1", google), undefined);
  t.equal(callbackUrl("http://127.0.0.1:8080", "t-1", google), undefined);
});

t.test("the sandbox calls this machine over plain http, and nobody else", async (t) => {
  for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"]) {
    t.equal(callbackUrl(`http://${host}`, "t-1", sandbox), `http://${host}/google/t-1/callback`);
  }
  for (const host of ["passes.example.com", "127.0.0.1.example.com", "10.0.0.1"]) {
    t.equal(callbackUrl(`http://${host}`, "t-1", sandbox), undefined);
  }
});
