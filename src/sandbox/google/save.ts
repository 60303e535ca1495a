import type { Answer, Received } from "../exchange.ts";
import type { Callbacks } from "./callbacks.ts";
import type { ResourceType } from "./resource-shapes.ts";
import { faceOf } from "./save-face.ts";
import { readSaveLink, type SaveLinkParts } from "./save-link.ts";
import { refusalPage, savePage } from "./save-page.ts";
import type { StoredResource } from "./wallet-store.ts";

export const savePath = "/gp/v/save/";

export type SaveParts = SaveLinkParts & { callbacks: Callbacks };

/** `GET /gp/v/save/{jwt}` shows what the link offers; `POST` with `do=save` or `do=remove` does it. */
export function createSavePages(parts: SaveParts): (request: Received) => Answer {
  return (request) => {
    const { path: action, method } = request;
    if (!["GET", "HEAD", "POST"].includes(method)) return { status: 405, headers: { allow: "GET, POST" } };
    const { objects, isTest, warnings } = readSaveLink(parts, action.slice(savePath.length), refusalPage);
    if (method !== "POST") {
      const faces = objects.map((object) => faceOf(object, classOf(parts, object)));
      return savePage({ faces, isTest, warnings, action });
    }
    const wish = new URLSearchParams(request.body.toString("utf8")).get("do");
    if (wish !== "save" && wish !== "remove") {
      return refusalPage(400, "Nothing was done", "The form says neither save nor remove.");
    }
    for (const object of objects) put(parts, object, wish === "save");
    // Then a reload does not send the form again.
    return { status: 303, headers: { location: action } };
  };
}

/** Notes that the object is in a wallet, or in none any more, and tells its issuer of the change. */
function put(
  { wallet, callbacks }: Pick<SaveParts, "wallet" | "callbacks">,
  object: StoredResource,
  hasUsers: boolean,
): void {
  if ((object.hasUsers ?? false) === hasUsers) return;
  wallet.put({ ...object, hasUsers });
  callbacks.announce({ object, eventType: hasUsers ? "save" : "del" });
}

function classOf({ wallet }: SaveParts, { type, resource }: StoredResource) {
  const classType = type.replace(/Object$/, "Class") as ResourceType;
  return wallet.find(classType, String(resource.classId))?.resource ?? {};
}
