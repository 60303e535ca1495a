import t from "tap";
import { accepting } from "./batches/accepting.ts";
import { carryingOut } from "./batches/carrying-out.ts";

t.setTimeout(180_000);

t.test("batches, accepted", accepting);
t.test("batches, carried out", carryingOut);
