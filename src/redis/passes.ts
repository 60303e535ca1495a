import { isCreditRefusal } from "../domain/credits/refusal.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type {
  ChangeOutcome,
  CreateOutcome,
  Pass,
  PassMessage,
  PassStore,
  PassVersion,
  RepeatedCreation,
} from "../domain/passes/pass.ts";
import { asUnavailable } from "./connection.ts";
import { unpackIds } from "./packed-ids.ts";
import { newestFirst } from "./pages.ts";
import { creationOf, type PassHash, passFromHash } from "./pass-hash.ts";
import {
  changeArguments,
  changeKeys,
  creationArguments,
  creationKeys,
  presentVersion,
} from "./pass-operations.ts";
import type { StoreParts } from "./store.ts";

export function createPassStore(parts: StoreParts): PassStore {
  const { connection, keys, run } = parts;

  const read = async (tenantId: string, passId: string): Promise<PassHash> => {
    try {
      return await connection.hgetallBuffer(keys.pass(tenantId, passId));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  /** The latest message of a pass: the hash names it, and its text is where all messages are. */
  const messageOf = async (tenantId: string, hash: PassHash): Promise<PassMessage | null> => {
    const [id = "", at] = hash.message?.toString().split(" ") ?? [];
    if (at === undefined) return null;
    const [header, body] = await connection.hmget(keys.message(tenantId, id), "header", "body");
    return header == null || body == null ? null : { id, header, body, at: Number(at) };
  };
  const toPass = async (tenantId: string, id: string, hash: PassHash): Promise<Pass | null> => {
    try {
      return passFromHash({ tenantId, id }, hash, await messageOf(tenantId, hash));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const find = async (tenantId: string, passId: string): Promise<Pass | null> =>
    toPass(tenantId, passId, await read(tenantId, passId));
  const repeated = async (tenantId: string, id: string): Promise<RepeatedCreation | null> => {
    const hash = await read(tenantId, id);
    const pass = await toPass(tenantId, id, hash);
    return pass && { outcome: "repeated", pass, ...creationOf(hash) };
  };
  const findByExternalRef = async (tenantId: string, externalRef: string): Promise<Pass | null> => {
    try {
      const id = await connection.hget(keys.passRefs(tenantId), externalRef);
      return id === null ? null : await find(tenantId, id);
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    find,
    findByExternalRef,

    async findByPageToken(pageToken) {
      try {
        const owner = await connection.get(keys.page(pageToken));
        return owner === null ? null : await find(...unpackIds(owner));
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async create(creation): Promise<CreateOutcome> {
      const { tenantId } = creation.pass;
      const reply = (await run(
        "create-pass",
        creationKeys(parts, creation),
        creationArguments(creation),
      )) as [CreateOutcome["outcome"], string | number];
      const [outcome, said] = reply;
      if (isCreditRefusal(outcome)) return { outcome, left: Number(said) };
      switch (outcome) {
        case "replayed":
          return { outcome, response: String(said) };
        case "repeated":
          return (await repeated(tenantId, String(said))) ?? { outcome: "duplicate_external_ref" };
        default:
          return { outcome };
      }
    },

    async findRepeated({ tenantId, externalRef, fingerprint }) {
      try {
        const id = await connection.hget(keys.passRefs(tenantId), externalRef);
        if (id === null) return null;
        const facts = await connection.hmget(keys.pass(tenantId, id), "fingerprint", "status");
        const isRepeat = facts[0] === fingerprint && facts[1] !== "revoking" && facts[1] !== "revoked";
        return isRepeat ? await repeated(tenantId, id) : null;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async change(change): Promise<ChangeOutcome> {
      const reply = (await run("change-pass", changeKeys(parts, change), changeArguments(parts, change))) as [
        ChangeOutcome["outcome"],
        string | number,
      ];
      const [outcome, said] = reply;
      if (isCreditRefusal(outcome)) return { outcome, left: Number(said) };
      return outcome === "replayed" ? { outcome, response: String(said) } : { outcome };
    },

    async list(tenantId, filter, page) {
      if (filter.externalRef !== undefined) {
        const pass = await findByExternalRef(tenantId, filter.externalRef);
        const matches = pass !== null && (filter.status === undefined || pass.status === filter.status);
        return pageOfAll(matches ? [pass] : [], page);
      }
      const index =
        filter.status === undefined
          ? keys.passes(tenantId)
          : `${keys.passesByStatus(tenantId)}:${filter.status}`;
      const { items, total } = await newestFirst(connection, index, page);
      const passes = await Promise.all(items.map((id) => find(tenantId, id)));
      return { items: passes.filter((pass) => pass !== null), total };
    },

    async versions(tenantId, passId, page) {
      const pass = await find(tenantId, passId);
      if (pass === null) return null;
      try {
        // Each update keeps the version before it, so version N stands at N - 1. By that place, and not from the end: an update
        // at this moment makes the list longer.
        const newest = pass.version - (page.page - 1) * page.pageSize;
        const oldest = Math.max(1, newest - page.pageSize + 1);
        const last = Math.min(newest, pass.version - 1);
        const key = keys.passVersions(tenantId, passId);
        const kept = last < oldest ? [] : await connection.lrange(key, oldest - 1, last - 1);
        const older = kept.reverse().map((text) => JSON.parse(text) as PassVersion);
        const items = newest === pass.version ? [presentVersion(pass), ...older] : older;
        return { items, total: pass.version };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

function pageOfAll<Item>(items: Item[], { page, pageSize }: PageRequest): Page<Item> {
  const start = (page - 1) * pageSize;
  return { items: items.slice(start, start + pageSize), total: items.length };
}
