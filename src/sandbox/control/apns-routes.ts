import { randomBytes } from "node:crypto";
import type { DeviceLog } from "../apns/device-log.ts";
import type { Apns } from "../apns/server.ts";
import { json } from "../exchange.ts";
import { badRequest, readObject, whole } from "./body.ts";
import type { Route } from "./router.ts";

export type ApnsRouteParts = { apns: Apns; devices: DeviceLog; nowMs: () => number; closing: AbortSignal };

const longestWaitSeconds = 30;

/** Looking at the accepted pushes, getting them as a device does, and scripting what APNs does of its own accord. */
export function apnsRoutes({ apns, devices, nowMs, closing }: ApnsRouteParts): Route[] {
  return [
    [
      "GET",
      "/apns/notifications",
      (request) => {
        const token = request.query.get("token")?.toLowerCase();
        const { total, notifications } = devices.pushes();
        const shown = notifications.filter((push) => token === undefined || push.token === token);
        return json(200, { total, notifications: shown });
      },
    ],
    ["POST", "/apns/devices", () => json(201, { token: randomBytes(32).toString("hex") })],
    [
      "GET",
      "/apns/devices/{token}/pushes",
      async (request, [given]) => {
        const waitSeconds = Number(request.query.get("wait") ?? 0);
        if (!(waitSeconds >= 0 && waitSeconds <= longestWaitSeconds)) {
          throw badRequest(`wait must be a number of seconds, ${longestWaitSeconds} at most`);
        }
        const waited = AbortSignal.any([closing, AbortSignal.timeout(waitSeconds * 1000)]);
        return json(200, await devices.pushesTo(tokenOf(given), request.query.get("after"), waited));
      },
    ],
    [
      "POST",
      "/apns/devices/{token}",
      (request, [given]) => {
        const token = tokenOf(given);
        const body = readObject(request, ["gone_since"]);
        const since =
          body.gone_since === null ? null : whole(body, "gone_since", [0, Number.MAX_SAFE_INTEGER]);
        const goneSince = since === undefined ? nowMs() : since;
        devices.setGone(token, goneSince);
        return json(200, { token, gone_since: goneSince });
      },
    ],
    [
      "POST",
      "/apns/goaway",
      (request) => {
        const body = readObject(request, ["error_code"]);
        return json(200, { sessions: apns.goAway(whole(body, "error_code", [0, 13]) ?? 0) });
      },
    ],
  ];
}

function tokenOf(given = ""): string {
  const token = given.toLowerCase();
  if (/^[0-9a-f]{64,200}$/.test(token)) return token;
  throw badRequest("the token must be 64 to 200 hex digits");
}
