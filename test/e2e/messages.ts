import t from "tap";
import { sending } from "./messages/sending.ts";
import { silentDelivery } from "./messages/silent-delivery.ts";

t.setTimeout(180_000);

t.test("messages", sending);
t.test("messages on the built program, with the sandbox's wallets", silentDelivery);
